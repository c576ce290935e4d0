import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  TimeoutFailure,
  isCancellation,
} from '@temporalio/workflow';
import { TimeoutType } from '@temporalio/common';
import { FAILURE_TYPES, type FailureType } from '../core/failure';

export interface FailureFact {
  readonly type: FailureType;
  readonly message: string;
}

/** No worker took the activity in time: its host is silent, or its queue busy. */
export function isScheduleToStartTimeout(error: unknown): boolean {
  return timeoutOf(error) === TimeoutType.SCHEDULE_TO_START;
}

/** The executor went away and its retries are used up; sending the activity again adopts what it left. */
export function isExecutorGone(error: unknown): boolean {
  const timeout = timeoutOf(error);
  if (timeout === TimeoutType.HEARTBEAT) return true;
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof ApplicationFailure && cause.type === 'WorkerShutdown';
}

/**
 * True when this scope was told to stop, in whatever form that came out: an activity whose worker died while it was
 * being cancelled reports a timeout.
 */
export function wasCancelled(error: unknown): boolean {
  return isCancellation(error) || CancellationScope.current().consideredCancelled;
}

/** What went wrong, as one of our types; an unknown error on an agent host counts as a lost sandbox. */
export function failureFact(error: unknown, unknownIs: FailureType): FailureFact {
  const cause = error instanceof ActivityFailure ? (error.cause ?? error) : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof TimeoutFailure) {
    const activity = error instanceof ActivityFailure ? `${error.activityType}: ` : '';
    return {
      type: 'WorkerLost',
      message: `${activity}${TIMEOUT_WORDS[cause.timeoutType ?? TimeoutType.SCHEDULE_TO_CLOSE]}`,
    };
  }
  if (cause instanceof ApplicationFailure) {
    const type = FAILURE_TYPES.find((known) => known === cause.type);
    if (type !== undefined) return { type, message };
    return { type: unknownIs, message: `${cause.type ?? 'Error'}: ${message}` };
  }
  return { type: unknownIs, message };
}

/** Which clock ran out, in words that say where to look. */
const TIMEOUT_WORDS: Readonly<Record<NonNullable<TimeoutType>, string>> = {
  HEARTBEAT: 'its worker was not heard of again (stopped, killed or frozen)',
  SCHEDULE_TO_START: 'no worker took it in time; `up` or `worker` starts one',
  START_TO_CLOSE: 'its worker did not end it within its longest time',
  SCHEDULE_TO_CLOSE: 'it was not done within its longest time',
};

function timeoutOf(error: unknown): TimeoutType | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof TimeoutFailure ? cause.timeoutType : undefined;
}
