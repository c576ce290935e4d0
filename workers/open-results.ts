import { Failure } from '../core/failure';
import { type SweepPlan } from '../core/sweep';
import { createPlanCache } from '../activities/plan-cache';
import { type ObjectStore } from '../activities/store/port';
import { lookAtSettings, type Settings } from '../config/environment';
import { latestPlan } from './plan-revisions';
import { type ResultSource } from './read-results';
import { openStoreInTime } from './store-in-time';

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
  const names = await sweepsOf(store);
  const matching = names.includes(sweep)
    ? [sweep]
    : names.filter((name) => name.endsWith(sweep) && sweep !== '');
  const [only] = matching;
  const plan =
    only === undefined || matching.length > 1 ? undefined : await latestPlan(store, only);
  if (plan !== undefined) return plan;
  const known = names.length === 0 ? 'none was launched yet' : `there are ${names.join(', ')}`;
  throw new Failure(
    'InvalidInput',
    `${matching.length > 1 ? 'more than one sweep fits' : 'no sweep'} ${sweep} in the store ${store.description}: ${known}`,
  );
}

/** Ids of the sweeps that were launched, in order. */
export async function sweepsOf(store: ObjectStore): Promise<string[]> {
  const names = new Set<string>();
  for await (const key of store.list('open/sweeps/')) names.add(key.split('/')[2] ?? '');
  return [...names].sort();
}
