import { Failure } from '../core/failure';
import { type SweepPlan } from '../core/sweep';
import { createPlanCache } from '../activities/plan-cache';
import { type ObjectStore } from '../activities/store/port';
import { lookAtSettings, type Settings } from '../config/environment';
import { latestPlan } from './plan-revisions';
import { type ResultSource } from './read-results';
import { openStoreInTime } from './store-in-time';
import { requireSweep } from './sweep-names';

export interface OpenResults extends ResultSource {
  readonly settings: Settings;
}

/** A sweep's newest plan and the store with its results. Throws `Failure('InvalidInput')` for an unknown sweep. */
export async function openResults(
  sweep: string,
  settings: Settings = lookAtSettings(),
): Promise<OpenResults> {
  const store = await openStoreInTime(settings);
  return { settings, store, plans: createPlanCache(store), plan: await requirePlan(store, sweep) };
}

async function requirePlan(store: ObjectStore, sweep: string): Promise<SweepPlan> {
  await requireSweep(store, sweep);
  const plan = await latestPlan(store, sweep);
  if (plan !== undefined) return plan;
  throw new Failure('InvalidInput', `no plan of sweep ${sweep} in the store ${store.description}`);
}
