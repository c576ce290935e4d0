import { type Client } from '@temporalio/client';
import { mapConcurrently } from '../activities/read-json';
import { type ObjectStore } from '../activities/store/port';
import { ownCommand } from '../config/own-command';
import { Failure } from '../core/failure';
import { storeKeys } from '../core/ids';
import { type SweepPlan } from '../core/sweep';
import { isWorkerAway } from './away';
import { latestPlan } from './plan-revisions';
import { findExecution } from './sweep-control';
import { requireSweep, sweepsOf } from './sweep-names';
import { closedStatus, openStatus, type StoredPlan, type SweepStatus } from './sweep-progress';

const READS_AT_ONCE = 32;

/** Status of a sweep: from Temporal while it is open, else from the store. */
export async function sweepStatus(
  store: ObjectStore,
  id: string,
  client: Client | undefined,
): Promise<SweepStatus> {
  return statusOf({ store, ...(await findPlan(store, id)) }, client);
}

async function statusOf(stored: StoredPlan, client: Client | undefined): Promise<SweepStatus> {
  const { store, plan, planKey } = stored;
  if (client === undefined) return fromStore(stored, 'no Temporal server answers');
  const execution = await executionOrAway(client, plan.sweep);
  if (execution === 'away') return fromStore(stored, 'the Temporal server does not answer');
  if (execution?.isOpen !== true)
    return closedStatus(store, plan, planKey, execution?.status.toLowerCase() ?? NOT_OPEN);
  try {
    return await openStatus(client, stored, execution.startedAt, new Date());
  } catch (error) {
    if (!isWorkerAway(error)) throw error;
    return fromStore(stored, 'the sweep is open, but no worker answers');
  }
}

/** `away`: a server that takes connections, but does not know (a full disk, a start that is not over). */
async function executionOrAway(client: Client, sweep: string) {
  try {
    return await findExecution(client, sweep);
  } catch (error) {
    if (isWorkerAway(error)) return 'away';
    throw error;
  }
}

const NOT_OPEN = 'not open';
/** Of a sweep that may be open, but nobody can be asked. */
const UNKNOWN = 'unknown';

/** What the store alone says, with why it is not more. A sweep whose runs are all scored is done in any case. */
async function fromStore(
  { store, plan, planKey }: StoredPlan,
  cause: string,
): Promise<SweepStatus> {
  const status = await closedStatus(store, plan, planKey, UNKNOWN);
  const reason = `${cause}: ${ownCommand()} up starts it; the numbers are the store's`;
  return status.state === UNKNOWN ? { ...status, reason } : status;
}

/** The newest plan of the sweep of this very name. Throws `InvalidInput` for an unknown one. */
export async function findPlan(
  store: ObjectStore,
  id: string,
): Promise<{ readonly plan: SweepPlan; readonly planKey: string }> {
  await requireSweep(store, id);
  const plan = await newestPlan(store, id);
  return { plan, planKey: storeKeys.plan(id, plan.revision) };
}

export interface ListedSweep {
  readonly sweep: string;
  readonly cohort: string;
  readonly revision: number;
  readonly planned: number;
  readonly createdAt: string;
  /** Open runs, which count among none of the others. */
  readonly running: number;
  readonly scored: number;
  readonly incomplete: number;
  readonly failed: number;
  /** Provider kind of each of its lanes. */
  readonly providers: readonly string[];
  /** As in `SweepStatus`, or `unreadable`. */
  readonly state: string;
  /** Why it is unreadable; its figures are 0 then. */
  readonly problem?: string;
}

export async function listSweeps(
  store: ObjectStore,
  client: Client | undefined,
): Promise<readonly ListedSweep[]> {
  const ids = await sweepsOf(store);
  return mapConcurrently(ids, READS_AT_ONCE, async (sweep): Promise<ListedSweep> => {
    try {
      return await listedSweep(store, client, sweep);
    } catch (error) {
      // One damaged record takes no other sweep out of the list.
      if (!(error instanceof Failure && error.type === 'InvalidInput')) throw error;
      return unreadable(sweep, error.message);
    }
  });
}

function unreadable(sweep: string, problem: string): ListedSweep {
  const counts = { planned: 0, running: 0, scored: 0, incomplete: 0, failed: 0 };
  return {
    ...{ sweep, cohort: '', revision: 0, createdAt: '', ...counts, providers: [] },
    state: 'unreadable',
    problem,
  };
}

async function listedSweep(
  store: ObjectStore,
  client: Client | undefined,
  sweep: string,
): Promise<ListedSweep> {
  const plan = await newestPlan(store, sweep);
  const { cohort, revision, createdAt } = plan;
  const planKey = storeKeys.plan(sweep, revision);
  const { lanes, state } = await statusOf({ store, plan, planKey }, client);
  const total = (field: 'planned' | 'running' | 'scored' | 'incomplete' | 'failed') =>
    lanes.reduce((sum, lane) => sum + lane[field], 0);
  return {
    ...{ sweep, cohort, revision, createdAt, planned: total('planned'), running: total('running') },
    ...{ scored: total('scored'), incomplete: total('incomplete'), failed: total('failed') },
    providers: lanes.map((lane) => lane.provider),
    state,
  };
}

async function newestPlan(store: ObjectStore, sweep: string): Promise<SweepPlan> {
  const plan = await latestPlan(store, sweep);
  if (plan === undefined)
    throw new Failure('InvalidInput', `no plan of sweep ${sweep} in ${store.description}`);
  return plan;
}
