import { CancellationScope, log } from '@temporalio/workflow';
import {
  type AttemptReference,
  type LoadRunResult,
  type RecordLostAttemptInput,
  type StoreDeliverablesResult,
} from '../core/activity-contract';
import { afterAttemptFailure } from '../core/attempts';
import { type BreakerUnit } from '../core/breaker';
import { addCost, type MicroUsd } from '../core/money';
import { type RunActivities } from './activity-options';
import {
  failureFact,
  isExecutorGone,
  isScheduleToStartTimeout,
  wasCancelled,
  type FailureFact,
} from './failures';

/** Times the same attempt is sent again after its executor's retries were used up. */
const EXECUTOR_ROUNDS = 10;

/** What an execution of a run has spent so far, as it is known: all that is left of it when it is cancelled. */
export interface Spent {
  agentMicroUsd: MicroUsd | undefined;
  judgeMicroUsd: MicroUsd | undefined;
}

/** What the agent part of a run came to. */
export interface AgentPart {
  readonly delivered?: StoreDeliverablesResult;
  readonly failure?: FailureFact;
  readonly giveBack: boolean;
  readonly units: readonly BreakerUnit[];
  readonly costMicroUsd: MicroUsd | undefined;
  /** Removal of the last attempt's container and folders, not waited for. */
  readonly cleanUp: Promise<void>;
}

/** Another host answered for the one that stayed silent; its claim is the next attempt. */
class HostReplaced extends Error {
  constructor(readonly next: AttemptReference) {
    super('another host took over');
  }
}

/** Attempts until one ends by itself, three infrastructure failures at most. */
export async function runAgent(
  loaded: LoadRunResult,
  activities: RunActivities,
  onAttempt: (attempt: AttemptReference) => void,
  spent: Spent,
): Promise<AgentPart> {
  const units: BreakerUnit[] = [];
  let costMicroUsd: MicroUsd | undefined = 0;
  let next: AttemptReference | undefined;
  for (let attempts = 1; ; attempts++) {
    const attempt: AttemptReference | FailureFact =
      next ?? (await (attempts === 1 ? resume : reserve)(loaded, activities).catch(asFact));
    next = undefined;
    if ('type' in attempt)
      return { failure: attempt, giveBack: false, units, costMicroUsd, cleanUp: Promise.resolve() };
    onAttempt(attempt);
    try {
      const delivered = await makeAttempt(loaded, attempt, activities);
      units.push({ outcome: 'ended' });
      costMicroUsd = addCost(costMicroUsd, delivered.costMicroUsd);
      spent.agentMicroUsd = costMicroUsd;
      return {
        delivered,
        giveBack: false,
        units,
        costMicroUsd,
        cleanUp: cleanUp(attempt, activities),
      };
    } catch (error) {
      if (wasCancelled(error)) {
        const failure = { type: 'SandboxLost', message: 'cancelled' } as const;
        spent.agentMicroUsd = addCost(
          costMicroUsd,
          await abandon(attempt, 'cancelled', failure, activities),
        );
        throw error;
      }
      const failure = failureFact(error, 'SandboxLost');
      if (error instanceof HostReplaced) next = error.next;
      log.warn('attempt lost', { attempt: attempt.attempt, host: attempt.hostId, ...failure });
      units.push({ outcome: 'failed', ...failure });
      costMicroUsd = addCost(
        costMicroUsd,
        await abandon(attempt, 'lost', failure, activities, next !== undefined),
      );
      spent.agentMicroUsd = costMicroUsd;
      const after = next === undefined ? afterAttemptFailure(failure.type, attempts) : 'again';
      if (after === 'again') continue;
      const giveBack = after === 'give-back';
      return { failure, giveBack, units, costMicroUsd, cleanUp: Promise.resolve() };
    }
  }
}

/**
 * An attempt that was begun may run on the host that claimed it, and have the slot without which that host asks for
 * nothing: it is asked itself. A host that stays silent is left out.
 */
async function resume(loaded: LoadRunResult, activities: RunActivities): Promise<AttemptReference> {
  const { claimedBy, reference } = loaded;
  if (claimedBy === undefined) return reserve(loaded, activities);
  try {
    return await activities.claimant(claimedBy).reserveHost({ run: reference });
  } catch (error) {
    if (!isScheduleToStartTimeout(error)) throw error;
    log.warn('the host of an open attempt is silent', { host: claimedBy });
    return reserve(loaded, activities);
  }
}

function reserve(loaded: LoadRunResult, activities: RunActivities, previous?: AttemptReference) {
  return activities.agent.reserveHost({
    run: loaded.reference,
    ...(previous !== undefined && { previous }),
  });
}

function asFact(error: unknown): FailureFact {
  if (wasCancelled(error)) throw error;
  return failureFact(error, 'DockerUnavailable');
}

async function makeAttempt(
  loaded: LoadRunResult,
  attempt: AttemptReference,
  activities: RunActivities,
): Promise<StoreDeliverablesResult> {
  const { hostId } = attempt;
  const host = activities.host(hostId);
  const executor = activities.executor(hostId, loaded.needsSandbox);
  const send = <T>(step: () => Promise<T>) => untilHostAnswers(loaded, attempt, activities, step);
  await send(() => host.prepareWorkspace(attempt));
  const end = await send(() => executor.executeAgent(attempt));
  return send(() => host.storeDeliverables({ ...attempt, end }));
}

/**
 * A silent host is a question: the same step is sent again until twice the lease has passed. Then the old container
 * can have made no model call for a lease's length, and `agent` is asked for a host: the old one gets the step once
 * more, another one means a new attempt.
 */
async function untilHostAnswers<T>(
  loaded: LoadRunResult,
  attempt: AttemptReference,
  activities: RunActivities,
  step: () => Promise<T>,
): Promise<T> {
  const { hostSilenceMs, leaseMs } = loaded.timings;
  let silentMs = 0;
  for (let rounds = 1; ;) {
    try {
      return await step();
    } catch (error) {
      if (wasCancelled(error)) throw error;
      if (isExecutorGone(error) && rounds++ < EXECUTOR_ROUNDS) continue;
      if (!isScheduleToStartTimeout(error)) throw error;
      silentMs += hostSilenceMs;
      log.warn('host is silent', { host: attempt.hostId, silentMs });
      if (silentMs < 2 * leaseMs) continue;
      const answer = await reserve(loaded, activities, attempt);
      const same = answer.hostId === attempt.hostId && answer.attempt === attempt.attempt;
      if (!same) throw new HostReplaced(answer);
      silentMs = 0;
    }
  }
}

/**
 * Writes the end of an attempt that did not end by itself, then removes it; runs even in a cancelled run. A host that
 * does not take the record leaves it to the workflow role, and the removal to the reaper.
 */
async function abandon(
  attempt: AttemptReference,
  outcome: 'lost' | 'cancelled',
  failure: FailureFact,
  activities: RunActivities,
  hostIsSilent = false,
): Promise<MicroUsd | undefined> {
  return CancellationScope.nonCancellable(async () => {
    const input = { ...attempt, outcome, failure: { ...failure } };
    const host = activities.cleanUp(attempt.hostId);
    const byHost = hostIsSilent
      ? undefined
      : await host.recordLostAttempt(input).catch(() => undefined);
    if (byHost !== undefined) await cleanUp(attempt, activities);
    const recorded = byHost ?? (await recordWithoutHost(input, activities));
    return recorded.costMicroUsd;
  });
}

function recordWithoutHost(input: RecordLostAttemptInput, activities: RunActivities) {
  return activities.records.recordLostAttempt(input).catch((error: unknown) => {
    log.error('the end of an attempt could not be recorded', {
      ...failureFact(error, 'StoreUnavailable'),
    });
    return { costMicroUsd: undefined };
  });
}

/** One try; what it leaves the reaper removes. */
async function cleanUp(attempt: AttemptReference, activities: RunActivities): Promise<void> {
  await CancellationScope.nonCancellable(() =>
    activities
      .cleanUp(attempt.hostId)
      .cleanUpAttempt(attempt)
      .catch((error: unknown) => {
        log.warn('an attempt is left to the reaper', {
          ...failureFact(error, 'DockerUnavailable'),
        });
      }),
  );
}
