/**
 * What workflows ask of activities: one input and one result each, references only (at most a few KiB).
 * `activities/*-activities.ts` implement these, `workflows/` call them; both see only this file.
 */
import { type FailureType } from './failure';
import { type Timings } from './limits';
import { type MicroUsd } from './money';
import { type StopReason } from './run';
import { type PlannedRun } from './sweep';

/** Position of a run in a plan. */
export interface RunPosition extends PlannedRun {
  readonly planKey: string;
  readonly laneId: string;
}

/** A run whose identity is known. */
export interface RunReference extends RunPosition {
  readonly runId: string;
  readonly runKey: string;
  readonly generation: number;
}

export interface AttemptReference {
  readonly run: RunReference;
  readonly attempt: number;
  readonly hostId: string;
}

export interface LoadSweepInput {
  readonly planKey: string;
}
export interface LoadSweepResult {
  readonly sweep: string;
  readonly cohort: string;
  readonly laneIds: readonly string[];
  /** In plan order; a run's `taskIndex` points here. */
  readonly taskIds: readonly string[];
  readonly repetitions: number;
  readonly plannedPerLane: number;
  readonly window: number;
  readonly budgetMicroUsd: MicroUsd | undefined;
  readonly timings: Timings;
}

export interface LoadLaneInput {
  readonly planKey: string;
  readonly laneId: string;
}
export interface LoadLaneResult {
  readonly planned: number;
  readonly scored: number;
  /** Plan minus scored runs in the store, in start order. */
  readonly remaining: readonly PlannedRun[];
  readonly taskIds: readonly string[];
  /** Money already in the store for this lane's runs; undefined = unknown. */
  readonly spentMicroUsd: MicroUsd | undefined;
  /** Worst case of one run (attempt cap + judge estimate); undefined = no cap or unknown price. */
  readonly reserveMicroUsd: MicroUsd | undefined;
  readonly window: number;
  readonly timings: Timings;
}

/** Where a run stands, from the store alone. */
export interface LoadRunResult {
  readonly reference: RunReference;
  readonly state: 'scored' | 'delivered' | 'new';
  /** The task's attachments are parsed before the first attempt. */
  readonly parses?: true;
  /** False for harnesses without a container; they need no sandbox slot. */
  readonly needsSandbox: boolean;
  readonly attemptsUsed: number;
  /** The host that has claimed an attempt which has no end yet: it may run there, and is asked for first. */
  readonly claimedBy?: string;
  readonly timings: Timings;
  /**
   * Set by the worker that answers: `shared` when one process has the roles workflow, render and judge and serves them
   * all from `<stack>/workflows` (eager dispatch); default `split`, a queue per role.
   */
  readonly queues?: 'shared' | 'split';
  readonly searchAttributes: {
    readonly sweep: string;
    readonly model: string;
    readonly harness: string;
    readonly task: string;
  };
}

export interface RequestRerunInput extends RunPosition {
  readonly who: string;
  readonly reason: string;
  /** A scored run needs it. */
  readonly force: boolean;
}
export interface RequestRerunResult {
  readonly accepted: boolean;
  readonly generation: number;
  /** Nothing was delivered yet, so there is nothing to keep: where the run is open, that is what was asked for. */
  readonly isSameGeneration?: boolean;
  readonly message: string;
}

/** Served by the workflow role, on the stack's workflow queue. */
export interface SweepActivities {
  loadSweep(input: LoadSweepInput): Promise<LoadSweepResult>;
  loadLane(input: LoadLaneInput): Promise<LoadLaneResult>;
  loadRun(input: RunPosition): Promise<LoadRunResult>;
  requestRerun(input: RequestRerunInput): Promise<RequestRerunResult>;
}

export interface ReserveHostInput {
  readonly run: RunReference;
  /**
   * The open attempt of a host that stays silent: when that same host answers it returns this attempt unchanged, any
   * other host claims the next number.
   */
  readonly previous?: AttemptReference;
}
export interface AgentEnd {
  readonly stopReason: StopReason;
  readonly stopDetail?: string;
  readonly steps: number;
  readonly costMicroUsd: MicroUsd | undefined;
}
export interface StoreDeliverablesInput extends AttemptReference {
  readonly end: AgentEnd;
}
export interface StoreDeliverablesResult {
  readonly deliverablesDigest: string;
  readonly deliverableCount: number;
  readonly stopReason: StopReason;
  readonly costMicroUsd: MicroUsd | undefined;
}
export interface RecordLostAttemptInput extends AttemptReference {
  readonly outcome: 'lost' | 'cancelled';
  readonly failure: { readonly type: FailureType; readonly message: string };
}
export interface RecordLostAttemptResult {
  /** What the attempt cost, as far as its journal can be read; `undefined` = unknown. */
  readonly costMicroUsd: MicroUsd | undefined;
}

/** Served by agent hosts. */
export interface AgentActivities {
  /** Queue `agent`: reserves a sandbox slot on the host that answers, claims the next attempt number. */
  reserveHost(input: ReserveHostInput): Promise<AttemptReference>;
  /** Queue `host@<hostId>`. */
  prepareWorkspace(input: AttemptReference): Promise<void>;
  /** Queue `sandbox@<hostId>`: starts the sandbox or adopts the one that runs, waits for its end. */
  executeAgent(input: AttemptReference): Promise<AgentEnd>;
  /** Queue `host@<hostId>`: deliverables, transcript, attempt record, result record. */
  storeDeliverables(input: StoreDeliverablesInput): Promise<StoreDeliverablesResult>;
  /** Queue `host@<hostId>`: removes container and folders, frees the slot. */
  cleanUpAttempt(input: AttemptReference): Promise<void>;
  /** Any agent host or the workflow role: the attempt's write-once record when it did not end by itself. */
  recordLostAttempt(input: RecordLostAttemptInput): Promise<RecordLostAttemptResult>;
}

export interface RenderEvidenceResult {
  readonly viewKey: string;
  readonly deliverableCount: number;
}
/** Queue `render`. */
export interface RenderActivities {
  renderEvidence(input: { readonly run: RunReference }): Promise<RenderEvidenceResult>;
  /** Puts the text of the task's attachments into `open/`, once for all runs of the task. */
  parseAttachments(input: { readonly run: RunReference }): Promise<void>;
}

export interface PendingItem {
  readonly itemId: string;
  readonly level: string;
  readonly verdictKey: string;
  readonly vote: number;
}
export interface CheckItemsResult {
  readonly decided: number;
  /** Items without a verdict, in rubric order. */
  readonly pending: readonly PendingItem[];
}
export interface JudgeItemInput {
  readonly run: RunReference;
  readonly item: PendingItem;
  readonly viewKey: string;
  /** Set while the run waits for the judge's account: the activity is tried until that works again. */
  readonly held?: JudgeHold;
}
/** What a run's judges wait for. */
export interface JudgeHold {
  /** Type of the trouble that the lane was told of; another one is told to the run. Absent = any. */
  readonly type?: FailureType;
  /** Since when they wait, milliseconds since the epoch. */
  readonly sinceMs: number;
}
/** First of the details of a failed `judgeItem` whose session goes on when trouble of others is over. */
export interface HeldDetail {
  readonly held: true;
}
export interface JudgeItemResult {
  readonly outcome: 'met' | 'unmet' | 'unjudged';
  readonly reason?: string;
  readonly costMicroUsd: MicroUsd | undefined;
}
export interface AggregateRunResult {
  readonly state: 'scored' | 'incomplete';
  /** Percent; equal bounds when scored. */
  readonly scoreInterval: readonly [number, number];
  readonly score?: number;
  readonly success?: boolean;
  readonly unjudged: number;
  readonly costMicroUsd: MicroUsd | undefined;
}
/** Queue `judge`. */
export interface JudgeActivities {
  /** All checks of a run and the "no deliverable" rule; says which items still need a judge. */
  checkItems(input: {
    readonly run: RunReference;
    readonly viewKey: string;
  }): Promise<CheckItemsResult>;
  judgeItem(input: JudgeItemInput): Promise<JudgeItemResult>;
  aggregateRun(input: {
    readonly run: RunReference;
    readonly viewKey: string;
  }): Promise<AggregateRunResult>;
}
