import { type LoadSweepResult } from '../core/activity-contract';
import { firstAllotments, moveAllotments, type LaneShare } from '../core/budget';
import { runId } from '../core/ids';
import { addCost, formatUsd, type MicroUsd } from '../core/money';
import { type PlannedRun } from '../core/sweep';
import { keyOfRun } from './lane-state';
import { SweepPauses } from './sweep-pauses';
import {
  type LaneCarried,
  type LaneProgress,
  type SweepInput,
  type SweepProgress,
  type SweepState,
} from './messages';

/** A run id as a position in the plan. */
export interface LanePosition {
  readonly laneId: string;
  readonly planned: PlannedRun;
}

/** Ways of sharing a budget that were wrong. */
export interface FormerSharing {
  /** Took a lane's last word for its answer to a share that it was told of later. */
  readonly trustsOldWords?: boolean;
  /** Gave away the share of a lane whose cost had become unknown. */
  readonly forgetsUnknown?: boolean;
}

/** What a sweep knows, without a line of Temporal in it. One object per execution. */
export class SweepBoard {
  readonly pauses: SweepPauses;
  budgetMicroUsd: MicroUsd | undefined;
  readonly windows: Map<string, number>;
  readonly carried: Map<string, LaneCarried>;
  /** Run ids that this launch concerns; `undefined` = everything without a score. */
  private only: readonly string[] | undefined;
  private readonly lanes = new Map<string, LaneProgress>();
  private readonly allotments = new Map<string, MicroUsd>();
  private shared = false;

  constructor(
    readonly input: SweepInput,
    readonly loaded: LoadSweepResult,
  ) {
    this.only = input.only;
    this.budgetMicroUsd = input.carried?.budgetMicroUsd ?? loaded.budgetMicroUsd;
    this.windows = new Map(Object.entries(input.carried?.windows ?? {}));
    this.carried = new Map(Object.entries(input.carried?.laneCarried ?? {}));
    this.pauses = new SweepPauses(this.carried, input.carried);
    for (const lane of input.carried?.lanes ?? []) this.lanes.set(lane.lane, lane);
  }

  get budgeted(): boolean {
    return this.budgetMicroUsd !== undefined;
  }

  /** Lanes this launch concerns. */
  laneIds(): readonly string[] {
    if (this.only === undefined) return this.loaded.laneIds;
    const asked = this.only.flatMap((id) => this.positionOf(id)?.laneId ?? []);
    return this.loaded.laneIds.filter((laneId) => asked.includes(laneId));
  }

  /** A run that is asked for again is this launch's too: its lane has a share of the budget, and is started over. */
  join(id: string): void {
    if (this.only?.includes(id) === false) this.only = [...this.only, id];
  }

  /** What a launch that goes on in a new execution concerns. */
  get concerned(): Pick<SweepInput, 'only'> {
    return this.only === undefined ? {} : { only: this.only };
  }

  /** Positions of `only` in one lane; `undefined` = everything without a score. */
  selected(laneId: string): PlannedRun[] | undefined {
    return this.only
      ?.flatMap((id) => this.positionOf(id) ?? [])
      .filter((position) => position.laneId === laneId)
      .map((position) => position.planned);
  }

  /** `undefined` for an id that is not in the plan. */
  positionOf(id: string): LanePosition | undefined {
    for (const laneId of this.loaded.laneIds) {
      if (!id.startsWith(`${laneId}/`)) continue;
      const [task = '', repetition = ''] = id.slice(laneId.length + 1).split('/');
      const taskIndex = this.loaded.taskIds.indexOf(task);
      const number = Number(repetition.slice(1));
      if (taskIndex < 0 || !(number >= 1 && number <= this.loaded.repetitions)) continue;
      if (runId(laneId, task, number) === id)
        return { laneId, planned: { taskIndex, repetition: number } };
    }
    return undefined;
  }

  /** The run is done by this sweep's next execution, although it may have ended without a score in this one. */
  leaveToNext({ laneId, planned }: LanePosition): void {
    const carried = this.carried.get(laneId);
    const isOther = (run: PlannedRun) => keyOfRun(run) !== keyOfRun(planned);
    if (carried !== undefined)
      this.carried.set(laneId, { ...carried, unfinished: carried.unfinished.filter(isOther) });
    const known = this.lanes.get(laneId) ?? this.unknownLane(laneId);
    this.lanes.set(laneId, { ...known, endedLane: 'drained' });
  }

  /** What the next execution may take for known. Under a budget, what lanes do not know now they may know then. */
  knownLanes(): readonly LaneProgress[] {
    const { lanes } = this.progress(0);
    if (!this.budgeted) return lanes;
    return lanes.filter(
      ({ costMicroUsd, reservationMicroUsd }) =>
        costMicroUsd !== undefined && reservationMicroUsd !== undefined,
    );
  }

  digest(progress: LaneProgress): void {
    this.lanes.set(progress.lane, progress);
  }

  /** A lane that ended without a word of its own, e.g. because it could not be loaded. */
  laneFailed(laneId: string, state: 'failed' | 'cancelled', reason: string): void {
    const known = this.lanes.get(laneId) ?? this.unknownLane(laneId);
    this.lanes.set(laneId, { ...known, running: 0, reason, endedLane: state });
  }

  /** What this lane may spend in all, as the board gave it last. */
  allotmentOf(laneId: string): MicroUsd | undefined {
    return this.allotments.get(laneId);
  }

  /**
   * New shares of the budget, by lane. The first ones are given when every lane has told what it spent.
   *
   * @param as what sweeps did that began before 2026-12, which replay
   */
  newAllotments(as: FormerSharing = {}): Map<string, MicroUsd> {
    const budget = this.budgetMicroUsd;
    const lanes = this.laneIds().map((laneId) => this.lanes.get(laneId));
    const known = lanes.filter((lane) => lane !== undefined);
    if (budget === undefined || known.length < lanes.length) return new Map();
    const shares = known.flatMap((lane) => this.share(lane, as) ?? []);
    const changes = this.shared ? moveAllotments(budget, shares) : firstAllotments(budget, shares);
    this.shared = true;
    for (const [laneId, amount] of changes) this.allotments.set(laneId, amount);
    return changes;
  }

  progress(open: number): SweepProgress {
    const lanes = this.loaded.laneIds.map(
      (laneId) => this.lanes.get(laneId) ?? this.unknownLane(laneId),
    );
    const state = this.state(lanes, open);
    const costMicroUsd = lanes.reduce<MicroUsd | undefined>(
      (sum, lane) => addCost(sum, lane.costMicroUsd),
      0,
    );
    const reasons: Partial<Record<SweepState, string | undefined>> = {
      paused: this.pauses.reason,
      'over-budget': this.overBudget(lanes, costMicroUsd),
    };
    const reason = reasons[state] ?? firstReason(lanes);
    return {
      sweep: this.loaded.sweep,
      planKey: this.input.planKey,
      state,
      lanes,
      costMicroUsd,
      budgetMicroUsd: this.budgetMicroUsd,
      ...(state !== 'running' && state !== 'done' && reason !== undefined && { reason }),
    };
  }

  private state(lanes: readonly LaneProgress[], open: number): SweepState {
    if (open === 0) return 'done';
    if (this.pauses.reason !== undefined) return 'paused';
    const working = lanes.filter((lane) => lane.endedLane === undefined);
    const stuck = working.filter((lane) => this.isStuck(lane));
    if (working.length === 0 || stuck.length < working.length) return 'running';
    return stuck.some((lane) => lane.blockedBy === 'budget') ? 'over-budget' : 'blocked';
  }

  private overBudget(lanes: readonly LaneProgress[], spent: MicroUsd | undefined): string {
    const blocked = lanes.find(
      (lane) => lane.endedLane === undefined && lane.blockedBy === 'budget',
    );
    const need =
      blocked?.reservationMicroUsd === undefined
        ? blocked?.reason
        : `a run of ${blocked.lane} reserves ${formatUsd(blocked.reservationMicroUsd)}`;
    const budget = formatUsd(this.budgetMicroUsd);
    return `spent ${formatUsd(spent)} of ${budget}${need === undefined ? '' : `; ${need}`}`;
  }

  /** Nothing runs and nothing will; a lane that was told of new money has to answer first. */
  private isStuck(lane: LaneProgress): boolean {
    if (waitsForPerson(lane)) return true;
    if (lane.running > 0 || lane.blockedBy === undefined || lane.probeAtMs !== undefined)
      return false;
    return (
      lane.blockedBy !== 'budget' ||
      (this.shared && lane.allotmentMicroUsd === this.allotments.get(lane.lane))
    );
  }

  /** Whether a lane that has a share does not know any more what it spent, or what a run of it may cost. */
  get hasUnknownShare(): boolean {
    return [...this.lanes.values()].some((lane) => this.keepsUnknown(lane));
  }

  private keepsUnknown(lane: LaneProgress): boolean {
    const isUnknown = lane.costMicroUsd === undefined || lane.reservationMicroUsd === undefined;
    return isUnknown && this.allotments.has(lane.lane);
  }

  private share(lane: LaneProgress, as: FormerSharing): LaneShare | undefined {
    const allotmentMicroUsd = this.allotments.get(lane.lane);
    if (lane.costMicroUsd === undefined || lane.reservationMicroUsd === undefined) {
      if (allotmentMicroUsd === undefined || as.forgetsUnknown === true) return undefined;
      // It may have spent all that it was given; it starts nothing more, and gives nothing back.
      return {
        laneId: lane.lane,
        spentMicroUsd: allotmentMicroUsd,
        reservationMicroUsd: 0,
        allotmentMicroUsd,
        open: lane.running,
        waiting: 0,
        blocked: false,
      };
    }
    const unanswered =
      as.trustsOldWords !== true &&
      lane.endedLane === undefined &&
      allotmentMicroUsd !== undefined &&
      lane.allotmentMicroUsd !== allotmentMicroUsd;
    return {
      laneId: lane.lane,
      spentMicroUsd: lane.costMicroUsd,
      reservationMicroUsd: lane.reservationMicroUsd,
      allotmentMicroUsd: allotmentMicroUsd ?? lane.costMicroUsd,
      open: lane.running,
      waiting: lane.endedLane === undefined ? lane.waiting : 0,
      blocked: lane.blockedBy === 'budget',
      unanswered,
    };
  }

  private unknownLane(laneId: string): LaneProgress {
    const planned = this.loaded.plannedPerLane;
    return {
      lane: laneId,
      planned,
      waiting: this.laneIds().includes(laneId) ? planned : 0,
      running: 0,
      scored: 0,
      incomplete: 0,
      failed: 0,
      cancelled: 0,
      notSelected: this.laneIds().includes(laneId) ? 0 : planned,
      costMicroUsd: 0,
      window: this.loaded.window,
      ends: 0,
    };
  }
}

function firstReason(lanes: readonly LaneProgress[]): string | undefined {
  return lanes.find((lane) => lane.endedLane === undefined && lane.reason)?.reason;
}

/** All that runs is held for trouble that time alone does not end: a pause that is over is noticed within seconds. */
function waitsForPerson({ holding, running }: LaneProgress): boolean {
  if (holding === undefined || holding.runs < running) return false;
  return holding.type !== 'ProviderUnavailable' && holding.type !== 'Paused';
}
