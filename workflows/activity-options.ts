import {
  ActivityCancellationType,
  proxyActivities,
  workflowInfo,
  type ActivityOptions,
} from '@temporalio/workflow';
import {
  type AgentActivities,
  type JudgeActivities,
  type RenderActivities,
  type SweepActivities,
} from '../core/activity-contract';
import { NON_RETRYABLE_FAILURES } from '../core/failure';
import { MAX_JUDGING_TIME_MS, MAX_WORKING_TIME_MS, type Timings } from '../core/limits';

const MINUTE_MS = 60_000;
/** First and longest pause between tries while a run's judges wait for their account. */
const HOLD_PROBE_MS = 5_000;
const LONGEST_HOLD_PAUSE_FACTOR = 12;
/**
 * Where roles share a queue, what lets the next agent start goes before judging, and what ends a run before its judges.
 * 3 is Temporal's default.
 */
const FIRST = { priorityKey: 1 };
const BEFORE_JUDGES = { priorityKey: 2 };
/** A clean-up that no worker takes within this time is left to the reaper. */
const CLEAN_UP_SCHEDULE_TO_START_MS = MINUTE_MS;

/** The stack's id: our own queue is `<stack>/workflows`. */
export function stackOfQueue(taskQueue: string): string {
  return taskQueue.slice(0, taskQueue.lastIndexOf('/'));
}

/**
 * Tries spread over `activityRetryTotalMs`: doubling pauses from `activityRetryInitialMs` up to sixty times that. A
 * count and not a deadline, since a deadline would also run while an activity waits in a busy queue.
 */
export function retryPolicy(timings: Timings): NonNullable<ActivityOptions['retry']> {
  const longest = 60 * timings.activityRetryInitialMs;
  let attempts = 1;
  let pause = timings.activityRetryInitialMs;
  for (let total = 0; total < timings.activityRetryTotalMs; attempts++) {
    total += pause;
    pause = Math.min(pause * 2, longest);
  }
  return {
    initialInterval: timings.activityRetryInitialMs,
    backoffCoefficient: 2,
    maximumInterval: longest,
    maximumAttempts: attempts,
    nonRetryableErrorTypes: [...NON_RETRYABLE_FAILURES],
  };
}

/** Without an end: the activity itself says when it has waited for too long. */
function holdPolicy({
  holdProbeMs = HOLD_PROBE_MS,
}: Timings): NonNullable<ActivityOptions['retry']> {
  return {
    initialInterval: holdProbeMs,
    backoffCoefficient: 2,
    maximumInterval: holdProbeMs * LONGEST_HOLD_PAUSE_FACTOR,
  };
}

function commonOptions(timings: Timings): ActivityOptions {
  return {
    heartbeatTimeout: timings.heartbeatTimeoutMs,
    retry: retryPolicy(timings),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  };
}

/** Activities of the workflow role, on the queue the workflow itself is on. */
export function sweepActivities(timings: Timings): SweepActivities {
  return proxyActivities<SweepActivities>({
    ...commonOptions(timings),
    priority: FIRST,
    startToCloseTimeout: 10 * MINUTE_MS,
  });
}

/** Every activity a run uses, each bound to the queue of who serves it. */
export function runActivities(timings: Timings, queues: 'shared' | 'split') {
  const own = workflowInfo().taskQueue;
  const stack = stackOfQueue(own);
  const common = commonOptions(timings);
  const roleQueue = (role: string) => (queues === 'shared' ? own : `${stack}/${role}`);
  const onHost = { ...common, scheduleToStartTimeout: timings.hostSilenceMs };
  const cleanUp: ActivityOptions = {
    ...common,
    startToCloseTimeout: 5 * MINUTE_MS,
    scheduleToStartTimeout: CLEAN_UP_SCHEDULE_TO_START_MS,
    retry: { maximumAttempts: 1 },
  };
  return {
    agent: proxyActivities<Pick<AgentActivities, 'reserveHost'>>({
      ...common,
      taskQueue: `${stack}/agent`,
      startToCloseTimeout: 10 * MINUTE_MS,
    }),
    /** Asks one host: a full one polls its own queue, and not the one of all. */
    claimant: (hostId: string) =>
      proxyActivities<Pick<AgentActivities, 'reserveHost'>>({
        ...onHost,
        taskQueue: `${stack}/host@${hostId}`,
        startToCloseTimeout: 10 * MINUTE_MS,
      }),
    host: (hostId: string) =>
      proxyActivities<Pick<AgentActivities, 'prepareWorkspace' | 'storeDeliverables'>>({
        ...onHost,
        taskQueue: `${stack}/host@${hostId}`,
        startToCloseTimeout: 60 * MINUTE_MS,
      }),
    executor: (hostId: string, needsSandbox: boolean) =>
      proxyActivities<Pick<AgentActivities, 'executeAgent'>>({
        ...onHost,
        taskQueue: `${stack}/${needsSandbox ? 'sandbox' : 'host'}@${hostId}`,
        startToCloseTimeout: MAX_WORKING_TIME_MS,
      }),
    cleanUp: (hostId: string) =>
      proxyActivities<Pick<AgentActivities, 'cleanUpAttempt' | 'recordLostAttempt'>>({
        ...cleanUp,
        taskQueue: `${stack}/host@${hostId}`,
      }),
    /** Where the host is gone, the workflow role writes the record. */
    records: proxyActivities<Pick<AgentActivities, 'recordLostAttempt'>>({
      ...common,
      priority: FIRST,
      startToCloseTimeout: 10 * MINUTE_MS,
    }),
    render: proxyActivities<RenderActivities>({
      ...common,
      priority: BEFORE_JUDGES,
      taskQueue: roleQueue('render'),
      startToCloseTimeout: 60 * MINUTE_MS,
    }),
    verdicts: proxyActivities<Pick<JudgeActivities, 'checkItems' | 'aggregateRun'>>({
      ...common,
      priority: BEFORE_JUDGES,
      taskQueue: roleQueue('judge'),
      startToCloseTimeout: 60 * MINUTE_MS,
    }),
    judge: proxyActivities<Pick<JudgeActivities, 'judgeItem'>>({
      ...common,
      taskQueue: roleQueue('judge'),
      startToCloseTimeout: MAX_JUDGING_TIME_MS,
    }),
    /** For `judgeItem` with `held`: tried until it ends otherwise than by what the run waits for. */
    heldJudge: proxyActivities<Pick<JudgeActivities, 'judgeItem'>>({
      ...common,
      taskQueue: roleQueue('judge'),
      startToCloseTimeout: MAX_JUDGING_TIME_MS,
      retry: holdPolicy(timings),
    }),
  };
}
export type RunActivities = ReturnType<typeof runActivities>;
