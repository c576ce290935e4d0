import { type MicroUsd } from './money';

/** Limits that can end an attempt; part of the run key. */
export interface AttemptLimits {
  /** Successful model replies in the main loop. Paper: 200. */
  readonly maxSteps: number;
  /** Model requests of any kind; guards against a loop of auxiliary requests. */
  readonly maxModelRequests: number;
  /** Harness, tools and the provider's time for answered calls; our queueing, retries and pauses do not count. */
  readonly workingTimeMs: number | undefined;
  readonly maxCostMicroUsd: MicroUsd | undefined;
  readonly maxTotalTokens: number | undefined;
  readonly maxOutputTokensPerReply: number;
  readonly contextWindowTokens: number;
  readonly memoryBytes: number;
  readonly cpus: number;
  readonly pids: number;
  readonly fileBytes: number;
  readonly workspaceBytes: number;
}

export const DEFAULT_LIMITS: AttemptLimits = {
  maxSteps: 200,
  maxModelRequests: 400,
  workingTimeMs: 2 * 3_600_000,
  maxCostMicroUsd: undefined,
  maxTotalTokens: undefined,
  maxOutputTokensPerReply: 32_768,
  contextWindowTokens: 200_000,
  memoryBytes: 2 * 1024 ** 3,
  cpus: 2,
  pids: 512,
  fileBytes: 1024 ** 3,
  workspaceBytes: 2 * 1024 ** 3,
};

/** Durations of the durable machinery. Part of the plan, so that tests use seconds. */
export interface Timings {
  readonly heartbeatTimeoutMs: number;
  readonly heartbeatIntervalMs: number;
  readonly hostSilenceMs: number;
  readonly leaseMs: number;
  readonly warmUpMs: number;
  readonly activityRetryInitialMs: number;
  readonly activityRetryTotalMs: number;
  /** Between two copies of a running attempt's journal to the store. @default 30000 */
  readonly journalCopyMs?: number;
  /** How long transport faults of an agent's call are tried again before its exchange is held. @default 60000 */
  readonly holdAfterMs?: number;
  /** How long an agent's exchange is held for provider trouble before its attempt is lost. @default 43200000 (12 h) */
  readonly holdForMs?: number;
  /** First pause between tries of held exchanges; doubled up to twelve times this. @default 5000 */
  readonly holdProbeMs?: number;
}

export const DEFAULT_TIMINGS: Timings = {
  heartbeatTimeoutMs: 15_000,
  heartbeatIntervalMs: 2_000,
  hostSilenceMs: 120_000,
  leaseMs: 300_000,
  warmUpMs: 20_000,
  activityRetryInitialMs: 1_000,
  activityRetryTotalMs: 900_000,
};

/** The longest working time of an attempt: how long the activity that watches its agent may last (7 days). */
export const MAX_WORKING_TIME_MS = 7 * 24 * 3_600_000;
/** How long all sessions of a judge on one item may last together: as long as their activity may (4 hours). */
export const MAX_JUDGING_TIME_MS = 4 * 3_600_000;

/** Attempts per launch of a run. */
export const MAX_ATTEMPTS = 3;
