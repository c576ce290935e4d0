import { canonicalJson, storeKeys } from '../core/ids';
import { readJson } from '../activities/read-json';
import { type ObjectStore } from '../activities/store/port';

/** Who may run a cohort's runs now: one open sweep workflow. Write-once record `holder-<n>.json`. */
export interface CohortHolder {
  readonly stack: string;
  readonly namespace: string;
  readonly workflowId: string;
}

export interface HolderRecord extends CohortHolder {
  readonly v: 1;
  readonly n: number;
  readonly takenAt: string;
}

export type TakenCohort =
  | { readonly taken: true; readonly holder: HolderRecord }
  | { readonly taken: false; readonly heldBy: HolderRecord };

/**
 * Takes a cohort before its sweep starts, so that two sweeps never run the same runs at once. The newest holder must
 * be the same workflow, or be found closed by `isOpen` (which answers false only when that is certain; for a
 * workflow that cannot be looked at, in another stack say, it answers true).
 */
export async function takeCohort(
  store: ObjectStore,
  cohort: string,
  holder: CohortHolder,
  isOpen: (holder: HolderRecord) => Promise<boolean>,
  now: () => Date = () => new Date(),
): Promise<TakenCohort> {
  for (;;) {
    const current = await newestHolder(store, cohort);
    if (current !== undefined) {
      if (isSame(current, holder)) return { taken: true, holder: current };
      if (await isOpen(current)) return { taken: false, heldBy: current };
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

export async function newestHolder(
  store: ObjectStore,
  cohort: string,
): Promise<HolderRecord | undefined> {
  let newest = 0;
  for await (const key of store.list(`open/cohorts/${cohort}/`))
    newest = Math.max(newest, Number(/\/holder-(\d+)\.json$/u.exec(key)?.[1] ?? 0));
  return newest === 0 ? undefined : readJson<HolderRecord>(store, storeKeys.holder(cohort, newest));
}

function isSame(left: CohortHolder, right: CohortHolder): boolean {
  return (
    left.stack === right.stack &&
    left.namespace === right.namespace &&
    left.workflowId === right.workflowId
  );
}
