import { DEFAULT_LIMITS, DEFAULT_TIMINGS, type AttemptLimits, type Timings } from '../core/limits';
import { type JudgeLimits, DEFAULT_JUDGE_LIMITS } from '../core/sweep';
import { type GivenSweep } from './sweep-schema';

/** Limits of a sweep file with defaults filled in. */
export function toLimits(given: GivenSweep['limits']): AttemptLimits {
  const defaults = DEFAULT_LIMITS;
  const maxSteps = given.maxSteps ?? defaults.maxSteps;
  return {
    maxSteps,
    maxModelRequests: given.maxModelRequests ?? Math.max(defaults.maxModelRequests, 2 * maxSteps),
    workingTimeMs:
      given.workingTime === 'none' ? undefined : (given.workingTime ?? defaults.workingTimeMs),
    maxCostMicroUsd: given.maxCostUsd ?? defaults.maxCostMicroUsd,
    maxTotalTokens: given.maxTotalTokens ?? defaults.maxTotalTokens,
    maxOutputTokensPerReply: given.maxOutputTokensPerReply ?? defaults.maxOutputTokensPerReply,
    contextWindowTokens: given.contextWindowTokens ?? defaults.contextWindowTokens,
    memoryBytes: given.memory ?? defaults.memoryBytes,
    cpus: given.cpus ?? defaults.cpus,
    pids: given.processes ?? defaults.pids,
    fileBytes: given.fileSize ?? defaults.fileBytes,
    workspaceBytes: given.workspaceSize ?? defaults.workspaceBytes,
  };
}

/** Timings of a sweep file with defaults filled in. */
export function toTimings(given: GivenSweep['timings']): Timings {
  const defaults = DEFAULT_TIMINGS;
  return {
    heartbeatTimeoutMs: given.heartbeatTimeout ?? defaults.heartbeatTimeoutMs,
    heartbeatIntervalMs: given.heartbeatInterval ?? defaults.heartbeatIntervalMs,
    hostSilenceMs: given.hostSilence ?? defaults.hostSilenceMs,
    leaseMs: given.lease ?? defaults.leaseMs,
    warmUpMs: given.warmUp ?? defaults.warmUpMs,
    activityRetryInitialMs: given.activityRetryInitial ?? defaults.activityRetryInitialMs,
    activityRetryTotalMs: given.activityRetryTotal ?? defaults.activityRetryTotalMs,
    ...(given.journalCopy !== undefined && { journalCopyMs: given.journalCopy }),
    ...(given.holdAfter !== undefined && { holdAfterMs: given.holdAfter }),
    ...(given.holdFor !== undefined && { holdForMs: given.holdFor }),
    ...(given.holdProbe !== undefined && { holdProbeMs: given.holdProbe }),
  };
}

/** Limits of a judge's session with defaults filled in. */
export function toJudgeLimits(given: GivenSweep['judge']['limits']): JudgeLimits {
  const { workingTime, ...named } = given ?? {};
  return {
    ...DEFAULT_JUDGE_LIMITS,
    ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
    ...(workingTime !== undefined && { workingTimeMs: workingTime }),
  };
}
