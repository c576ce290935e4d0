import { type LaneCarried, type SweepInput } from './messages';

/** What a person has paused: the sweep, or single lanes of it. */
export class SweepPauses {
  /** Why the whole sweep is paused. */
  reason: string | undefined;
  /** Lanes that were resumed while the sweep stays paused. */
  readonly resumedLanes: Set<string>;
  private readonly untold = new Map<string, string | undefined>();

  /** @param carried what lanes that have ended would begin with, by lane */
  constructor(
    private readonly carried: Map<string, LaneCarried>,
    former: SweepInput['carried'],
  ) {
    this.reason = former?.pausedBecause;
    this.resumedLanes = new Set(former?.resumedLanes);
  }

  pause(reason: string, lane: string | undefined): void {
    if (lane !== undefined) this.resumedLanes.delete(lane);
    else {
      this.reason = reason;
      this.resumedLanes.clear();
    }
  }

  resume(lane: string | undefined): void {
    if (lane !== undefined) this.resumedLanes.add(lane);
    else this.reason = undefined;
    for (const laneId of this.carried.keys())
      if (lane === undefined || lane === laneId) this.begin(laneId, undefined);
  }

  /** Why a lane begins paused. */
  of(laneId: string): string | undefined {
    const own = this.carried.get(laneId)?.pausedBecause;
    return own ?? (this.resumedLanes.has(laneId) ? undefined : this.reason);
  }

  /**
   * A pause, or its end, that could not be told to lanes: they begin with it, should they be opened again.
   *
   * @param closing lanes that have closed, and whose end has not been heard of
   */
  keep(laneIds: readonly string[], reason: string | undefined, closing: ReadonlySet<string>): void {
    for (const laneId of laneIds) {
      if (closing.has(laneId)) this.untold.set(laneId, reason);
      else this.begin(laneId, reason);
    }
  }

  /** A lane has ended. */
  carry(laneId: string, carried: LaneCarried): void {
    this.carried.set(laneId, carried);
    if (this.untold.has(laneId)) this.begin(laneId, this.untold.get(laneId));
    this.untold.delete(laneId);
  }

  private begin(laneId: string, pausedBecause: string | undefined): void {
    const known = this.carried.get(laneId);
    if (known === undefined) return;
    const { pausedBecause: _former, ...carried } = known;
    const paused = pausedBecause === undefined ? {} : { pausedBecause };
    this.carried.set(laneId, { ...carried, ...paused });
  }
}
