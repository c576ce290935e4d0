import { type FailureType } from './failure';
import { type MicroUsd, type TokenUsage } from './money';
import { type FileReference } from './task';
import { type ItemOutcome } from './verdict';
import { type WebFetch } from './web';

/**
 * How the agent ended; says nothing about quality, nor about whether deliverables exist. `imported`: nobody here knows,
 * the deliverables were made elsewhere.
 */
export const STOP_REASONS = [
  'completed',
  'step_cap',
  'timeout',
  'budget',
  'error',
  'refused',
  'empty',
  'cancelled',
  'imported',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** Only `scored` is finished; resuming works on all others. */
export const RUN_STATES = ['missing', 'running', 'scored', 'incomplete', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

export const RUN_STAGES = ['waiting', 'agent', 'judging', 'done'] as const;
export type RunStage = (typeof RUN_STAGES)[number];

/** Counts and spending of an attempt's model traffic, from the gateway's journal. */
export interface ModelTraffic {
  readonly steps: number;
  readonly modelRequests: number;
  readonly auxiliaryRequests: number;
  readonly upstreamCalls: number;
  readonly toolCalls: number;
  readonly usage: TokenUsage;
  /** Unknown prices give `undefined`, never 0. */
  readonly costMicroUsd: MicroUsd | undefined;
  /** True where the journal is incomplete (lost host): the cost is "at least". */
  readonly incomplete: boolean;
  /** Requests refused at a limit, up to 1,000; absent where none was, and in records of older versions. */
  readonly refusedRequests?: number;
}

/** What was tried from inside a sandbox, which reaches nothing but the gateway. */
export interface NetworkAttempts {
  /** Connections and datagrams to addresses outside; loopback is no outside. */
  readonly refusedConnections: number;
  /** Names that were asked for, and how often; at most 100 names. */
  readonly namesAsked: readonly { readonly name: string; readonly count: number }[];
}

/** How the sandbox ended, as facts. Durations in milliseconds. */
export interface ExitRecord {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly outOfMemory: boolean;
  readonly limitsHit: readonly string[];
  readonly lastLogLines: readonly string[];
  readonly startedAt: string;
  readonly endedAt: string;
  readonly durationMs: number;
  readonly workingTimeMs: number;
  /** Absent where the sandbox did not come to its own end. */
  readonly network?: NetworkAttempts;
}

/** Write-once record `attempts/<k>/attempt.json`: the end of one attempt. `lost` = infrastructure, never a score. */
export interface AttemptRecord {
  readonly v: 1;
  readonly runKey: string;
  readonly generation: number;
  readonly attempt: number;
  readonly hostId: string;
  readonly outcome: 'ended' | 'lost' | 'cancelled';
  readonly stopReason?: StopReason;
  readonly stopDetail?: string;
  readonly failure?: { readonly type: FailureType; readonly message: string };
  readonly exit?: ExitRecord;
  readonly traffic?: ModelTraffic;
  readonly imageDigest?: string;
  readonly transcript?: FileReference;
  /** Pages that the agent asked for, in order; their contents are among the logs, as `web/<sha256>`. */
  readonly web?: readonly WebFetch[];
  readonly logs: readonly FileReference[];
  /** New or changed files outside `results/`, relative to the workspace. */
  readonly pollution: readonly string[];
  readonly alteredInputs: readonly string[];
  readonly recordedAt: string;
}

/** A deliverable or a thing that could not be taken, relative to `results/`. */
export interface DeliverableManifest {
  readonly v: 1;
  readonly files: readonly FileReference[];
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  readonly truncated: boolean;
  /** sha256 over the canonical list of (path, sha256). */
  readonly digest: string;
}

/** Write-once record `g<n>/result.json`: the attempt that counts, and what it delivered. */
export interface RunResult {
  readonly v: 1;
  readonly runKey: string;
  readonly runId: string;
  readonly generation: number;
  /** 0 where no attempt of ours made the deliverables (`imported`). */
  readonly attempt: number;
  readonly stopReason: StopReason;
  readonly stopDetail?: string;
  readonly deliverables: DeliverableManifest;
  readonly traffic: ModelTraffic | undefined;
  readonly modelProvider: string;
  readonly recordedAt: string;
}

/** Write-once record `sealed/scores/...`: only when every item has a verdict. */
export interface ScoreRecord {
  readonly v: 1;
  readonly runKey: string;
  readonly runId: string;
  readonly generation: number;
  readonly taskId: string;
  readonly laneId: string;
  readonly repetition: number;
  readonly rubricDigest: string;
  readonly judgeDigest: string;
  /** Percent, 0 to 100, unrounded. */
  readonly score: number;
  readonly success: boolean;
  readonly items: readonly ItemOutcome[];
  readonly stopReason: StopReason;
  readonly deliveredPaths: readonly string[];
  readonly agentCostMicroUsd: MicroUsd | undefined;
  readonly judgeCostMicroUsd: MicroUsd | undefined;
  readonly failedAttemptsCostMicroUsd: MicroUsd | undefined;
  /** Set where a lost attempt's traffic is not known whole: the costs are a lower bound. */
  readonly costIsAtLeast?: true;
  readonly judgeUsage: TokenUsage;
  readonly scoredAt: string;
}
