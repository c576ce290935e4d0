/**
 * What can be said to open workflows, and what they answer. Clients may import this file by value.
 * Updates go to the sweep; it passes them on to its lanes as signals.
 */
import { defineSearchAttributeKey } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { type BreakerState, type BreakerUnit } from '../core/breaker';
import { type FailureType } from '../core/failure';
import { type MicroUsd } from '../core/money';
import { type StopReason } from '../core/run';
import { type BlockedBy } from '../core/scheduling';
import { SEARCH_ATTRIBUTES } from '../core/search-attributes';
import { type PlannedRun } from '../core/sweep';

export const SWEEP_TYPE = 'sweep';
export const LANE_TYPE = 'lane';
export const RUN_TYPE = 'run';

const { sweep, model, harness, task, stage, outcome, repetition, score } = SEARCH_ATTRIBUTES;
/** Typed keys for the client's and the workflows' search attributes. */
export const searchAttributeKeys = {
  sweep: defineSearchAttributeKey(sweep.name, sweep.type),
  model: defineSearchAttributeKey(model.name, model.type),
  harness: defineSearchAttributeKey(harness.name, harness.type),
  task: defineSearchAttributeKey(task.name, task.type),
  stage: defineSearchAttributeKey(stage.name, stage.type),
  outcome: defineSearchAttributeKey(outcome.name, outcome.type),
  repetition: defineSearchAttributeKey(repetition.name, repetition.type),
  score: defineSearchAttributeKey(score.name, score.type),
};

export interface SweepInput {
  readonly planKey: string;
  /** Runs only these (run ids); default all that have no score. */
  readonly only?: readonly string[];
  /** What a sweep that continues as new keeps. */
  readonly carried?: {
    readonly pausedBecause: string | undefined;
    readonly budgetMicroUsd: MicroUsd | undefined;
    readonly windows: Readonly<Record<string, number>>;
    /** Lanes that work although the sweep is paused. */
    readonly resumedLanes?: readonly string[];
    readonly lanes: readonly LaneProgress[];
    readonly laneCarried: Readonly<Record<string, LaneCarried>>;
  };
}

export interface LaneInput {
  readonly sweep: string;
  readonly planKey: string;
  readonly laneId: string;
  /** True: starts nothing before the sweep has sent an allotment. */
  readonly budgeted: boolean;
  readonly pausedBecause?: string;
  readonly window?: number;
  /** Starts only these; default all that have no score. */
  readonly only?: readonly PlannedRun[];
  /** What a lane that continues as new, or is started again by its sweep, keeps; the rest comes from the store. */
  readonly carried?: LaneCarried;
}
export interface LaneCarried {
  readonly breaker: BreakerState;
  readonly ends: number;
  readonly endsCostMicroUsd: MicroUsd | undefined;
  readonly allotmentMicroUsd?: MicroUsd;
  /** A person's reason to keep this lane paused. */
  readonly pausedBecause?: string;
  /** Runs that ended without a score in this launch: they are not begun again. */
  readonly unfinished: readonly UnfinishedRun[];
  readonly givenBack: Readonly<Record<string, number>>;
}
export interface UnfinishedRun extends PlannedRun {
  readonly state: 'incomplete' | 'failed' | 'cancelled';
}

export interface RunInput extends PlannedRun {
  readonly sweep: string;
  readonly planKey: string;
  readonly laneId: string;
}

/** How one execution of a run ended; carried as the result, or in the details of its failure. */
export interface RunEnd {
  /** `given-back`: provider trouble; the lane decides when it starts again. */
  readonly state: 'scored' | 'incomplete' | 'failed' | 'given-back' | 'cancelled';
  readonly failure?: { readonly type: FailureType; readonly message: string };
  /** Ended attempts and trouble, in order: food for the lane's breaker. */
  readonly units: readonly BreakerUnit[];
  /** Spent by this execution, failed attempts included; `undefined` = unknown. */
  readonly costMicroUsd: MicroUsd | undefined;
  readonly stopReason?: StopReason;
  /** Percent. */
  readonly score?: number;
  readonly success?: boolean;
  readonly unjudged?: number;
}

/** Provider trouble that open runs of a lane wait for. */
export interface LaneTrouble {
  readonly type: string;
  readonly message: string;
}

/** What agent hosts ask a lane for while they run its attempts. */
export interface LaneOrders {
  /** A person's reason to hold open exchanges too. */
  readonly hold?: string;
  /** Raised by each `resume`: held exchanges try at once. */
  readonly resumes: number;
  /** Type of the trouble that the lane knows of, by run (see `keyOfRun`). */
  readonly holding: Readonly<Record<string, string>>;
}

/** Where a lane stands; also its digest to the sweep. `planned` is the sum of the seven counts. */
export interface LaneProgress {
  readonly lane: string;
  readonly planned: number;
  readonly waiting: number;
  readonly running: number;
  readonly scored: number;
  readonly incomplete: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Without a score, and not asked for in this launch. */
  readonly notSelected: number;
  /** In the store before this launch, and spent since. `undefined` = unknown. */
  readonly costMicroUsd: MicroUsd | undefined;
  readonly window: number;
  readonly blockedBy?: BlockedBy;
  /** Why it is blocked, in words. */
  readonly reason?: string;
  /** Open runs that wait for their provider, and since when at least one does, milliseconds since the epoch. */
  readonly holding?: LaneTrouble & { readonly runs: number; readonly sinceMs: number };
  /** An open breaker lets one run try then, milliseconds since the epoch. */
  readonly probeAtMs?: number;
  /** Runs that ended in this launch. */
  readonly ends: number;
  readonly reservationMicroUsd?: MicroUsd;
  readonly allotmentMicroUsd?: MicroUsd;
  readonly endedLane?: 'done' | 'drained' | 'failed' | 'cancelled';
  /** What last kept a run of this launch from a score, while one is without. */
  readonly lastFailure?: string;
}

export interface LaneResult {
  readonly progress: LaneProgress;
  readonly carried: LaneCarried;
}

export const SWEEP_STATES = [
  'loading',
  'running',
  'paused',
  'blocked',
  'over-budget',
  'done',
] as const;
export type SweepState = (typeof SWEEP_STATES)[number];

export interface SweepProgress {
  readonly sweep: string;
  readonly planKey: string;
  /** `blocked`: nothing runs, and no lane can start anything before a person helps. */
  readonly state: SweepState;
  readonly reason?: string;
  readonly lanes: readonly LaneProgress[];
  readonly costMicroUsd: MicroUsd | undefined;
  readonly budgetMicroUsd: MicroUsd | undefined;
}

export interface PauseInput {
  readonly reason: string;
  /** Only this lane; default all. */
  readonly lane?: string;
  /** Open runs wait too, at their next model request; no working time passes. @default false */
  readonly hold?: boolean;
}
export interface ResumeInput {
  readonly lane?: string;
}
export interface SetWindowInput {
  readonly lane: string;
  /** Open runs, 1 to 500. */
  readonly window: number;
}
export interface RerunInput {
  /** `model@harness/task/r2` */
  readonly runId: string;
  readonly who: string;
  readonly reason: string;
  /** A scored run needs it. */
  readonly force: boolean;
}
export interface CancelRunInput {
  readonly runId: string;
}
export interface RaiseBudgetInput {
  /** The sweep's new total. */
  readonly maxCostMicroUsd: MicroUsd;
}
/** What a command did, in one sentence. */
export interface CommandResult {
  readonly accepted: boolean;
  readonly message: string;
}

export const pauseUpdate = defineUpdate<CommandResult, [PauseInput]>('pause');
export const resumeUpdate = defineUpdate<CommandResult, [ResumeInput]>('resume');
export const setWindowUpdate = defineUpdate<CommandResult, [SetWindowInput]>('setWindow');
export const rerunUpdate = defineUpdate<CommandResult, [RerunInput]>('rerun');
export const cancelRunUpdate = defineUpdate<CommandResult, [CancelRunInput]>('cancelRun');
export const raiseBudgetUpdate = defineUpdate<CommandResult, [RaiseBudgetInput]>('raiseBudget');
/** Does nothing; with update-with-start it attaches to the open sweep or starts it. */
export const attachUpdate = defineUpdate<CommandResult>('attach');

export const sweepProgressQuery = defineQuery<SweepProgress>('progress');
export const laneProgressQuery = defineQuery<LaneProgress>('progress');
export const laneOrdersQuery = defineQuery<LaneOrders>('orders');

/** Sweep to lane. */
export const pauseLaneSignal = defineSignal<[reason: string, hold?: boolean]>('pauseLane');
export const resumeLaneSignal = defineSignal('resumeLane');
export const laneWindowSignal = defineSignal<[number]>('laneWindow');
export const rerunInLaneSignal =
  defineSignal<[run: PlannedRun, isSameGeneration?: boolean]>('rerunInLane');
export const cancelInLaneSignal = defineSignal<[PlannedRun]>('cancelInLane');
export const allotSignal = defineSignal<[MicroUsd]>('allot');
/** The lane starts nothing more and ends when its open runs have ended. */
export const drainLaneSignal = defineSignal('drainLane');
/** Agent host to lane: an open run waits for its provider, or (null) does no more. */
export const laneTroubleSignal = defineSignal<[PlannedRun, LaneTrouble | null]>('laneTrouble');
/** Run to lane, when it is cancelled: a cancelled child carries no result. */
export const cancelledRunCostSignal =
  defineSignal<[PlannedRun, MicroUsd | null]>('cancelledRunCost');
/** Lane to sweep. */
export const laneDigestSignal = defineSignal<[LaneProgress]>('laneDigest');
