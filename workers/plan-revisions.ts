import { canonicalJson, storeKeys } from '../core/ids';
import { type SweepPlan } from '../core/sweep';
import { readJson } from '../activities/read-json';
import { type ObjectStore } from '../activities/store/port';

/** A plan that is not yet numbered. */
export type PlanDraft = Omit<SweepPlan, 'revision' | 'createdAt'>;

/** Write-once record `lock-<revision>.json`: what was frozen when the revision was made. */
export interface PlanLock {
  readonly v: 1;
  readonly sweep: string;
  readonly revision: number;
  readonly lockedAt: string;
  readonly prices: SweepPlan['prices'];
  readonly gatewayProtocolDigest: string;
  readonly judgeProtocolDigest: string;
  readonly rendererRecipe: string;
  readonly inspectorRecipe: string;
  /** Recipe of each harness's image. */
  readonly imageRecipes: Readonly<Record<string, string>>;
}

/** The newest revision of a sweep; `undefined` when it was never launched. */
export async function latestPlan(
  store: ObjectStore,
  sweep: string,
): Promise<SweepPlan | undefined> {
  let newest = 0;
  for await (const key of store.list(`open/sweeps/${sweep}/`)) {
    const revision = Number(/\/plan-(\d+)\.json$/u.exec(key)?.[1] ?? 0);
    newest = Math.max(newest, revision);
  }
  return newest === 0 ? undefined : readJson<SweepPlan>(store, storeKeys.plan(sweep, newest));
}

/** True when the draft says what the plan says. */
export function samePlan(draft: PlanDraft, plan: SweepPlan | undefined): boolean {
  if (plan === undefined) return false;
  const { revision: _revision, createdAt: _createdAt, ...content } = plan;
  return canonicalJson(content) === canonicalJson(draft);
}

/** The draft under its number: the newest revision's where it says the same, else the next one's. */
export function numberPlan(
  draft: PlanDraft,
  newest: SweepPlan | undefined,
  now: () => Date,
): SweepPlan {
  if (newest !== undefined && samePlan(draft, newest)) return newest;
  return { ...draft, revision: (newest?.revision ?? 0) + 1, createdAt: now().toISOString() };
}

/** Writes lock and plan once. Where another launch took the number, its plan is adopted or the next number taken. */
export async function writePlan(
  store: ObjectStore,
  draft: PlanDraft,
  newest: SweepPlan | undefined,
  now: () => Date,
): Promise<SweepPlan> {
  for (let before = newest; ;) {
    const plan = numberPlan(draft, before, now);
    if (plan === before) return plan;
    await store.putRecord(storeKeys.lock(plan.sweep, plan.revision), canonicalJson(lockOf(plan)));
    const key = storeKeys.plan(plan.sweep, plan.revision);
    if ((await store.putRecord(key, canonicalJson(plan))) === 'created') return plan;
    before = await readJson<SweepPlan>(store, key);
  }
}

function lockOf(plan: SweepPlan): PlanLock {
  const images = plan.lanes.flatMap(({ harness }) =>
    harness.image === undefined ? [] : [[harness.image.name, harness.image.recipe] as const],
  );
  return {
    v: 1,
    sweep: plan.sweep,
    revision: plan.revision,
    lockedAt: plan.createdAt,
    prices: plan.prices,
    gatewayProtocolDigest: plan.gatewayProtocolDigest,
    judgeProtocolDigest: plan.judge.protocolDigest,
    rendererRecipe: plan.rendererRecipe,
    inspectorRecipe: plan.inspectorRecipe,
    imageRecipes: Object.fromEntries(images),
  };
}
