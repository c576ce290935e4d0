import { setTimeout as sleep } from 'node:timers/promises';
import { type Client } from '@temporalio/client';
import { type ObjectStore } from '../activities/store/port';
import { Failure } from '../core/failure';
import { type Logger } from '../core/logger';
import {
  type HolderRecord,
  type IsOpen,
  newestHolder,
  releaseHolder,
  takeCohort,
  unreleasedCohorts,
} from './cohort-holder';
import { findById } from './sweep-control';

/** Ends that nobody has told of are looked for at this interval. */
const LOOK_MS = 30_000;

export interface CohortGateOptions {
  readonly client: Client;
  readonly store: ObjectStore;
  readonly stack: string;
}

/** An open execution of a sweep, which asks whether it may begin. */
export interface EnteringSweep {
  readonly workflowId: string;
  readonly runId: string;
}

/**
 * What every execution of a sweep passes before it starts anything. Throws `Failure('Superseded')` where another sweep
 * runs the cohort. Asked again by the same chain of executions, it lets in.
 */
export function createCohortGate(
  options: CohortGateOptions,
): (cohort: string, sweep: EnteringSweep) => Promise<void> {
  const { client, store, stack } = options;
  return async (cohort, { workflowId, runId }) => {
    const { namespace } = client.options;
    const execution = await findById(client, workflowId, runId);
    // A late try of an execution that has ended would take the cohort for nobody.
    if (execution?.isOpen !== true)
      throw new Failure('Superseded', `this execution of ${workflowId} has ended`);
    const { firstRunId } = execution;
    const holder = { stack, namespace, workflowId, firstRunId };
    const taken = await takeCohort(store, cohort, holder, openOnServer(client, stack));
    if (!taken.taken) throw new Failure('Superseded', heldMessage(cohort, taken.heldBy));
  };
}

export function heldMessage(cohort: string, { workflowId, stack }: HolderRecord): string {
  return (
    `cohort ${cohort} is being run by ${workflowId} on stack ${stack}: ` +
    'wait for it, cancel it, or give this sweep another cohort'
  );
}

/** Asks our own server; what another stack's server says cannot be known from here. */
export function openOnServer(client: Client, stack: string): IsOpen {
  return async (holder) => {
    if (!isOnServer(client, stack, holder)) return true;
    const newest = await findById(client, holder.workflowId);
    if (newest?.isOpen !== true) return false;
    return holder.firstRunId === undefined || holder.firstRunId === newest.firstRunId;
  };
}

export function isOnServer(client: Client, stack: string, holder: HolderRecord): boolean {
  return holder.stack === stack && holder.namespace === client.options.namespace;
}

/** Tells other stacks, through the store, that the sweep of this stack that held the cohort has ended, where it has. */
export async function releaseIfEnded(
  { client, store, stack }: CohortGateOptions,
  cohort: string,
): Promise<void> {
  const holder = await newestHolder(store, cohort);
  if (holder === undefined || !isOnServer(client, stack, holder)) return;
  if (await openOnServer(client, stack)(holder)) return;
  await releaseHolder(store, cohort, holder, { why: 'ended' });
}

/** Looks for ended sweeps of this stack, now and again, for as long as a worker runs. Returns how to stop it. */
export function startReleasing(options: CohortGateOptions, logger: Logger): () => void {
  const stop = new AbortController();
  const look = async () => {
    for (const cohort of await unreleasedCohorts(options.store)) {
      if (stop.signal.aborted) return;
      await releaseIfEnded(options, cohort);
    }
  };
  void (async () => {
    while (!stop.signal.aborted) {
      await look().catch((error: unknown) => {
        if (!stop.signal.aborted) logger.warn({ error }, 'could not look for cohorts to release');
      });
      await sleep(LOOK_MS, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  })();
  return () => stop.abort();
}
