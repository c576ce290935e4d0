import { canonicalJson, storeKeys } from '../core/ids';
import { type MicroUsd } from '../core/money';
import { type SweepPlan } from '../core/sweep';
import { readJson } from './read-json';
import { type ObjectStore } from './store/port';

/** Write-once record `open/sweeps/<sweep>/budget-<revision>-<n>.json`: a person raised the budget of a plan. */
export interface BudgetRaise {
  readonly v: 1;
  readonly revision: number;
  readonly n: number;
  readonly maxCostMicroUsd: MicroUsd;
  readonly who: string;
  readonly raisedAt: string;
}

type Planned = Pick<SweepPlan, 'sweep' | 'revision' | 'budget'>;

/** What the sweep may spend: the plan's budget, or what it was raised to since. `undefined` = no budget. */
export async function budgetOf(store: ObjectStore, plan: Planned): Promise<MicroUsd | undefined> {
  if (plan.budget === undefined) return undefined;
  return (await newestRaise(store, plan)).maxCostMicroUsd;
}

/**
 * Keeps a raised budget, so that it holds for later launches of the same plan as well, whatever Temporal remembers.
 * A sum that is not above the present one changes nothing.
 */
export async function keepRaisedBudget(
  store: ObjectStore,
  plan: Planned,
  raise: Pick<BudgetRaise, 'maxCostMicroUsd' | 'who'>,
  now: Date,
): Promise<void> {
  for (;;) {
    const newest = await newestRaise(store, plan);
    if (newest.maxCostMicroUsd === undefined || raise.maxCostMicroUsd <= newest.maxCostMicroUsd)
      return;
    const n = newest.n + 1;
    const record: BudgetRaise = {
      v: 1,
      revision: plan.revision,
      n,
      ...raise,
      raisedAt: now.toISOString(),
    };
    const key = storeKeys.budgetRaise(plan.sweep, plan.revision, n);
    if ((await store.putRecord(key, canonicalJson(record))) === 'created') return;
  }
}

async function newestRaise(
  store: ObjectStore,
  plan: Planned,
): Promise<{ readonly n: number; readonly maxCostMicroUsd: MicroUsd | undefined }> {
  let newest = { n: 0, maxCostMicroUsd: plan.budget?.maxCostMicroUsd };
  for (;;) {
    const key = storeKeys.budgetRaise(plan.sweep, plan.revision, newest.n + 1);
    const raise = await readJson<BudgetRaise>(store, key);
    if (raise === undefined) return newest;
    newest = raise;
  }
}
