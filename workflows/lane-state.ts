import { type LoadLaneResult } from '../core/activity-contract';
import { CLOSED_BREAKER, recordUnit, type BreakerState } from '../core/breaker';
import { reservationMicroUsd } from '../core/budget';
import { MAX_ATTEMPTS } from '../core/limits';
import { addCost, type MicroUsd } from '../core/money';
import { chooseStarts, type LaneActions, type LaneSchedule } from '../core/scheduling';
import { type PlannedRun } from '../core/sweep';
import { blockReason } from './block-reason';
import {
  type LaneCarried,
  type LaneInput,
  type LaneOrders,
  type LaneProgress,
  type LaneTrouble,
  type RunEnd,
  type UnfinishedRun,
} from './messages';

/** What a lane knows, without a line of Temporal in it. One object per execution. */
export class LaneState {
  readonly planned: number;
  /** Raised by everything that may change what starts next. */
  version = 0;
  draining = false;
  /** The sweep drains this lane, to start it again in its own next execution. */
  endsDrained = false;
  pausedBecause: string | undefined;
  window: number;
  endedLane: LaneProgress['endedLane'];
  /** What this lane was started for; `undefined` = everything without a score. */
  private only: readonly PlannedRun[] | undefined;
  private readonly waiting: PlannedRun[];
  private readonly open = new Map<string, PlannedRun>();
  private readonly unfinished = new Map<string, UnfinishedRun>();
  private readonly givenBack: Map<string, number>;
  private readonly rerunWhenEnded = new Map<string, 'always' | 'unless scored'>();
  /** Open runs that wait for their provider. */
  private readonly holding = new Map<string, LaneTrouble & { readonly sinceMs: number }>();
  private readonly cancelledCosts = new Map<string, MicroUsd | undefined>();
  private holdsOpenRuns = false;
  private resumes = 0;
  private lastFailure: string | undefined;
  private breaker: BreakerState;
  private scored: number;
  /** Keys of runs without a score that this launch did not ask for. */
  private readonly unselected: Set<string>;
  private spentMicroUsd: MicroUsd | undefined;
  private ends: number;
  private endsCostMicroUsd: MicroUsd | undefined;
  private allotmentMicroUsd: MicroUsd | undefined;

  constructor(
    private readonly input: LaneInput,
    private readonly loaded: LoadLaneResult,
  ) {
    const { carried } = input;
    this.planned = loaded.planned;
    this.window = input.window ?? loaded.window;
    this.pausedBecause = input.pausedBecause;
    for (const ended of stillUnfinished(input, loaded)) this.unfinished.set(keyOfRun(ended), ended);
    this.only = input.only;
    const only = input.only?.map(keyOfRun);
    const open = loaded.remaining.filter((planned) => !this.unfinished.has(keyOfRun(planned)));
    this.waiting = open.filter((planned) => only?.includes(keyOfRun(planned)) ?? true);
    const waiting = new Set(this.waiting.map(keyOfRun));
    this.unselected = new Set(open.map(keyOfRun).filter((key) => !waiting.has(key)));
    this.givenBack = new Map(Object.entries(carried?.givenBack ?? {}));
    this.breaker = carried?.breaker ?? CLOSED_BREAKER;
    this.scored = loaded.planned - loaded.remaining.length;
    this.spentMicroUsd = loaded.spentMicroUsd;
    this.ends = carried?.ends ?? 0;
    this.endsCostMicroUsd = carried === undefined ? 0 : carried.endsCostMicroUsd;
    this.allotmentMicroUsd = carried?.allotmentMicroUsd ?? (input.budgeted ? 0 : undefined);
  }

  choose(nowMs: number): LaneActions {
    return chooseStarts(this.schedule(), nowMs);
  }

  started(run: PlannedRun): void {
    const key = keyOfRun(run);
    const index = this.waiting.findIndex((waiting) => keyOfRun(waiting) === key);
    if (index >= 0) this.waiting.splice(index, 1);
    this.open.set(key, run);
    this.version++;
  }

  ended(run: PlannedRun, end: RunEnd, nowMs: number): void {
    const key = keyOfRun(run);
    this.open.delete(key);
    this.holding.delete(key);
    this.version++;
    this.ends++;
    const costMicroUsd = addCost(end.costMicroUsd, this.takeCancelledCost(key));
    this.endsCostMicroUsd = addCost(this.endsCostMicroUsd, costMicroUsd);
    this.spentMicroUsd = addCost(this.spentMicroUsd, costMicroUsd);
    const { failure } = end;
    if (failure) this.lastFailure = `${failure.type}: ${failure.message}`.slice(0, 300);
    for (const unit of end.units) this.breaker = recordUnit(this.breaker, unit, nowMs);
    const again = this.rerunWhenEnded.get(key);
    this.rerunWhenEnded.delete(key);
    if (again === 'always' || (again !== undefined && end.state !== 'scored'))
      this.waiting.unshift(run);
    else if (this.goesBack(key, end)) this.waiting.unshift(run);
    else if (end.state === 'scored') this.scored++;
    else
      this.unfinished.set(key, {
        ...run,
        state: end.state === 'given-back' ? 'failed' : end.state,
      });
  }

  /**
   * A run asked for again goes to the head; one that is open now starts again when it has ended. Where it is just what was
   * asked for (`isSameGeneration`), then only if it ends without a score.
   */
  rerun(run: PlannedRun, isSameGeneration = false): void {
    const key = keyOfRun(run);
    this.version++;
    if (this.only?.some((one) => keyOfRun(one) === key) === false) this.only = [...this.only, run];
    if (this.open.has(key))
      this.rerunWhenEnded.set(key, isSameGeneration ? 'unless scored' : 'always');
    else if (!this.waiting.some((waiting) => keyOfRun(waiting) === key)) {
      if (!this.unfinished.delete(key) && !this.unselected.delete(key)) this.scored--;
      this.waiting.unshift(run);
    }
  }

  /** Whether an open run starts again when it has ended. */
  startsAgain(run: PlannedRun): boolean {
    return this.rerunWhenEnded.has(keyOfRun(run));
  }

  /** One that is cancelled now does not. */
  forgetRerun(run: PlannedRun): void {
    this.rerunWhenEnded.delete(keyOfRun(run));
  }

  /** What a run has cost that is being cancelled; counts when it has ended. */
  costsUntilCancelled(run: PlannedRun, costMicroUsd: MicroUsd | undefined): void {
    this.cancelledCosts.set(keyOfRun(run), costMicroUsd);
  }

  /** Takes a waiting run out; an open one is cancelled by the caller. */
  cancelWaiting(run: PlannedRun): void {
    const key = keyOfRun(run);
    const index = this.waiting.findIndex((waiting) => keyOfRun(waiting) === key);
    if (index < 0) return;
    this.waiting.splice(index, 1);
    this.unfinished.set(key, { ...run, state: 'cancelled' });
    this.version++;
  }

  pause(reason: string, hold: boolean): void {
    this.pausedBecause = reason;
    this.holdsOpenRuns = hold;
    this.version++;
  }

  /** What an agent host says of an open run; one that has ended meanwhile waits for nothing. */
  troubled(run: PlannedRun, trouble: LaneTrouble | undefined, nowMs: number): void {
    const key = keyOfRun(run);
    if (trouble === undefined) this.holding.delete(key);
    else if (this.open.has(key)) {
      const sinceMs = this.holding.get(key)?.sinceMs ?? nowMs;
      this.holding.set(key, { type: trouble.type, message: trouble.message, sinceMs });
    }
    this.version++;
  }

  orders(): LaneOrders {
    const holding = [...this.holding].map(([key, { type }]) => [key, type] as const);
    const hold = this.holdsOpenRuns ? this.pausedBecause : undefined;
    return {
      resumes: this.resumes,
      holding: Object.fromEntries(holding),
      ...(hold !== undefined && { hold }),
    };
  }

  resume(): void {
    this.pausedBecause = undefined;
    this.holdsOpenRuns = false;
    this.resumes++;
    this.breaker = CLOSED_BREAKER;
    this.version++;
  }

  allot(microUsd: MicroUsd): void {
    this.allotmentMicroUsd = microUsd;
    this.version++;
  }

  progress(nowMs: number): LaneProgress {
    const { blockedBy: startsBlockedBy, chooseAgainAtMs } = this.choose(nowMs);
    const holdsRuns = this.holdsOpenRuns && this.open.size > 0;
    const blockedBy = startsBlockedBy ?? (holdsRuns ? 'paused' : undefined);
    const reservation = reservationMicroUsd(this.schedule().money);
    const holding = this.holdingNow();
    const reason =
      blockReason(blockedBy, this.schedule()) ?? (holding && `${holding.type}: ${holding.message}`);
    return {
      lane: this.input.laneId,
      planned: this.planned,
      waiting: this.waiting.length,
      running: this.open.size,
      scored: this.scored,
      ...this.unfinishedCounts(),
      notSelected: this.unselected.size,
      costMicroUsd: this.spentMicroUsd,
      window: this.window,
      ends: this.ends,
      ...(blockedBy !== undefined && { blockedBy }),
      ...(reason !== undefined && { reason }),
      ...(holding !== undefined && { holding }),
      ...(chooseAgainAtMs !== undefined && { probeAtMs: chooseAgainAtMs }),
      ...(reservation !== undefined && { reservationMicroUsd: reservation }),
      ...(this.allotmentMicroUsd !== undefined && { allotmentMicroUsd: this.allotmentMicroUsd }),
      ...(this.endedLane !== undefined && { endedLane: this.endedLane }),
      ...(this.lastFailure !== undefined &&
        this.unfinished.size > 0 && { lastFailure: this.lastFailure }),
    };
  }

  carry(): LaneCarried {
    return {
      breaker: this.breaker,
      ends: this.ends,
      endsCostMicroUsd: this.endsCostMicroUsd,
      ...(this.allotmentMicroUsd !== undefined && { allotmentMicroUsd: this.allotmentMicroUsd }),
      ...(this.pausedBecause !== undefined && { pausedBecause: this.pausedBecause }),
      unfinished: [...this.unfinished.values()],
      givenBack: Object.fromEntries(this.givenBack),
    };
  }

  /** What a lane that goes on in a new execution is for. */
  get selected(): Pick<LaneInput, 'only'> {
    return this.only === undefined ? {} : { only: this.only };
  }

  private takeCancelledCost(key: string): MicroUsd | undefined {
    const cost = this.cancelledCosts.has(key) ? this.cancelledCosts.get(key) : 0;
    this.cancelledCosts.delete(key);
    return cost;
  }

  private schedule(): LaneSchedule {
    return {
      waiting: this.waiting,
      open: this.open.size,
      window: this.window,
      pausedBecause: this.pausedBecause,
      draining: this.draining,
      breaker: this.breaker,
      holding: this.holding.size > 0,
      money: {
        spentMicroUsd: this.spentMicroUsd,
        ends: this.ends,
        endsCostMicroUsd: this.endsCostMicroUsd,
        reserveMicroUsd: this.loaded.reserveMicroUsd,
        allotmentMicroUsd: this.allotmentMicroUsd,
      },
    };
  }

  /** Ended by an open breaker: not counted. Given back while it is closed: counted, three times at most. */
  private goesBack(key: string, end: RunEnd): boolean {
    // Its own requests break the provider: whatever the breaker thinks, that is no reason to start it for ever.
    if (end.failure?.type === 'ProviderFault') return false;
    const troubled = end.state === 'given-back' || end.state === 'failed';
    if (troubled && this.breaker.open !== undefined) return true;
    if (end.state !== 'given-back') return false;
    const count = (this.givenBack.get(key) ?? 0) + 1;
    this.givenBack.set(key, count);
    return count < MAX_ATTEMPTS;
  }

  /** The first trouble stands for all; they mostly are the same. */
  private holdingNow(): LaneProgress['holding'] {
    const [first] = this.holding.values();
    return first && { ...first, runs: this.holding.size };
  }

  private unfinishedCounts(): Pick<LaneProgress, 'incomplete' | 'failed' | 'cancelled'> {
    const counts = { incomplete: 0, failed: 0, cancelled: 0 };
    for (const { state } of this.unfinished.values()) counts[state]++;
    return counts;
  }
}

export function keyOfRun(run: PlannedRun): string {
  return `${run.taskIndex}/r${run.repetition}`;
}

/** One that was cancelled after its score was written has it all the same. */
function stillUnfinished({ carried }: LaneInput, { remaining }: LoadLaneResult): UnfinishedRun[] {
  const unscored = new Set(remaining.map(keyOfRun));
  return carried?.unfinished.filter((run) => unscored.has(keyOfRun(run))) ?? [];
}
