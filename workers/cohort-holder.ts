import { canonicalJson, storeKeys } from '../core/ids';
import { readJson } from '../activities/read-json';
import { type ObjectStore } from '../activities/store/port';

/** Who may run a cohort's runs: one chain of executions of one sweep workflow (a sweep that continues as new is one). */
export interface CohortHolder {
  readonly stack: string;
  readonly namespace: string;
  readonly workflowId: string;
  /** Temporal's id of the chain's first execution. */
  readonly firstRunId: string;
}

/** Write-once record `holder-<n>.json`. Records of earlier versions name no execution, and mean the newest one. */
export interface HolderRecord extends Omit<CohortHolder, 'firstRunId'> {
  readonly v: 1;
  readonly n: number;
  readonly takenAt: string;
  readonly firstRunId?: string;
}

/** Write-once record `holder-<n>-released.json`: holder n runs nothing any more, for stacks that cannot ask its server. */
export interface HolderRelease {
  readonly v: 1;
  readonly n: number;
  readonly releasedAt: string;
  /** `ended`: its server said so. `given-up`: a person said that its stack is gone for good. */
  readonly why: 'ended' | 'given-up';
  readonly who?: string;
}

export type TakenCohort =
  | { readonly taken: true; readonly holder: HolderRecord }
  | { readonly taken: false; readonly heldBy: HolderRecord };

/** False only when that is certain, and for ever: an execution that has ended never opens again. */
export type IsOpen = (holder: HolderRecord) => Promise<boolean>;

/**
 * Takes a cohort for an execution that is open, so that two sweeps never run the same runs at once. Holder n + 1 is
 * written, by one writer alone, when holder n has ended; so at most one execution that this answered `taken` is open,
 * in whatever order several ask and wherever one of them is killed.
 */
export async function takeCohort(
  store: ObjectStore,
  cohort: string,
  holder: CohortHolder,
  isOpen: IsOpen,
  now: () => Date = () => new Date(),
): Promise<TakenCohort> {
  for (;;) {
    const current = await newestHolder(store, cohort);
    if (current !== undefined) {
      if (isSameSweep(current, holder) && current.firstRunId === holder.firstRunId)
        return { taken: true, holder: current };
      // Of a workflow id one execution is open at a time: where none is named, it is the one that asks.
      const isOwnOlder = isSameSweep(current, holder) && current.firstRunId === undefined;
      if (!isOwnOlder && (await isHeld(store, cohort, current, isOpen)))
        return { taken: false, heldBy: current };
    }
    const next: HolderRecord = {
      v: 1,
      n: (current?.n ?? 0) + 1,
      ...holder,
      takenAt: now().toISOString(),
    };
    const put = await store.putRecord(storeKeys.holder(cohort, next.n), canonicalJson(next));
    if (put === 'created') return { taken: true, holder: next };
  }
}

/** The other sweep that runs a cohort now; `undefined` where this sweep, on this stack, could take it. */
export async function otherHolder(
  store: ObjectStore,
  cohort: string,
  sweep: Omit<CohortHolder, 'firstRunId'>,
  isOpen: IsOpen,
): Promise<HolderRecord | undefined> {
  const current = await newestHolder(store, cohort);
  if (current === undefined || isSameSweep(current, sweep)) return undefined;
  return (await isHeld(store, cohort, current, isOpen)) ? current : undefined;
}

/** Says that holder n runs nothing any more; saying it again changes nothing. */
export async function releaseHolder(
  store: ObjectStore,
  cohort: string,
  { n }: Pick<HolderRecord, 'n'>,
  why: Pick<HolderRelease, 'why' | 'who'>,
  now: () => Date = () => new Date(),
): Promise<void> {
  const release: HolderRelease = { v: 1, n, releasedAt: now().toISOString(), ...why };
  await store.putRecord(storeKeys.holderReleased(cohort, n), canonicalJson(release));
}

export async function newestHolder(
  store: ObjectStore,
  cohort: string,
): Promise<HolderRecord | undefined> {
  let newest = 0;
  for await (const key of store.list(`open/cohorts/${cohort}/`))
    newest = Math.max(newest, Number(/\/holder-(\d+)\.json$/u.exec(key)?.[1] ?? 0));
  return newest === 0 ? undefined : readJson<HolderRecord>(store, storeKeys.holder(cohort, newest));
}

/** Cohorts whose newest holder has not been released: those of open sweeps, and of ends that nobody has seen yet. */
export async function unreleasedCohorts(store: ObjectStore): Promise<readonly string[]> {
  const newest = new Map<string, { n: number; released: Set<number> }>();
  for await (const key of store.list('open/cohorts/')) {
    const [, cohort = '', n, released] =
      /^open\/cohorts\/([^/]+)\/holder-(\d+)(-released)?\.json$/u.exec(key) ?? [];
    if (n === undefined) continue;
    const found = newest.get(cohort) ?? { n: 0, released: new Set() };
    if (released === undefined) found.n = Math.max(found.n, Number(n));
    else found.released.add(Number(n));
    newest.set(cohort, found);
  }
  return [...newest].filter(([, { n, released }]) => !released.has(n)).map(([cohort]) => cohort);
}

async function isHeld(
  store: ObjectStore,
  cohort: string,
  holder: HolderRecord,
  isOpen: IsOpen,
): Promise<boolean> {
  if (await store.hasRecord(storeKeys.holderReleased(cohort, holder.n))) return false;
  return isOpen(holder);
}

function isSameSweep(
  left: Omit<CohortHolder, 'firstRunId'>,
  right: Omit<CohortHolder, 'firstRunId'>,
): boolean {
  return (
    left.stack === right.stack &&
    left.namespace === right.namespace &&
    left.workflowId === right.workflowId
  );
}
