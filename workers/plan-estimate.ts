import {
  addRanges,
  type CostRange,
  defaultAgentCost,
  NO_COST_RANGE,
  observedCost,
  sessionsCost,
  shareOfCost,
} from '../core/estimate';
import { storeKeys } from '../core/ids';
import { ownEntry } from '../core/own-entry';
import { type Rubric, type RubricItem } from '../core/rubric';
import { type RunResult, type ScoreRecord } from '../core/run';
import { asksModel, type PlannedLane, type SweepPlan } from '../core/sweep';
import { mapConcurrently, readJson } from '../activities/read-json';
import { type IdentifiedRun, type LaunchState, type RunStates } from '../activities/run-state';
import { type ObjectStore } from '../activities/store/port';
import { verdictKeyOf } from './read-results';

const READS_AT_ONCE = 32;

/** Cost of what remains, by role. */
export interface PlanEstimate {
  readonly agent: CostRange;
  readonly judge: CostRange;
  /** Items of delivered runs that have no verdict under this rubric and judge yet, and all their items. */
  readonly openItems: number;
  readonly deliveredItems: number;
  /** How many of the remaining runs are estimated from stored runs of their task, and from printed defaults. */
  readonly fromStoredRuns: number;
  readonly fromDefaults: number;
}

export interface FoundRun extends LaunchState {
  readonly run: IdentifiedRun;
}

export interface EstimatedPlan {
  readonly store: ObjectStore;
  readonly plan: SweepPlan;
  readonly states: RunStates;
  /** By task id; the store may not have them yet. */
  readonly rubrics: ReadonlyMap<string, Rubric>;
}

/**
 * What the runs that have no score will cost: agents where nothing was delivered, judges for the items without a verdict.
 * A check decides without a judge, except where it does not apply: such an item counts for the high end alone.
 */
export async function estimatePlan(
  of: EstimatedPlan,
  found: readonly FoundRun[],
): Promise<PlanEstimate> {
  const { plan } = of;
  const byTask = await scoredByTask(of, found);
  const prices = ownEntry(plan.prices, plan.judge.model.id);
  let agent = NO_COST_RANGE;
  let judge = NO_COST_RANGE;
  let [fromStoredRuns, openItems, deliveredItems] = [0, 0, 0];
  const remaining = found.filter((entry) => entry.state !== 'scored');
  const open = await mapConcurrently(remaining, READS_AT_ONCE, (entry) => openItemsOf(of, entry));
  for (const [index, { run, state }] of remaining.entries()) {
    const items = open[index] ?? [];
    const records = byTask.get(taskOf(run)) ?? [];
    const observed = {
      agent: observedCost(records.map((record) => record.agentCostMicroUsd)),
      judge: observedCost(records.map((record) => record.judgeCostMicroUsd)),
    };
    if (observed.agent !== undefined && observed.judge !== undefined) fromStoredRuns += 1;
    if (state === 'new') agent = addRanges(agent, observed.agent ?? agentDefault(plan, run.lane));
    else {
      openItems += items.length;
      deliveredItems += run.task.itemCount;
    }
    const sessions = sessionsFor(plan, items);
    const all = sessionsFor(plan, of.rubrics.get(run.task.id)?.items ?? []);
    judge = addRanges(
      judge,
      observed.judge === undefined
        ? sessionsCost(prices, sessions)
        : shareOfCost(observed.judge, sessions, all),
    );
  }
  const fromDefaults = remaining.length - fromStoredRuns;
  return { agent, judge, openItems, deliveredItems, fromStoredRuns, fromDefaults };
}

async function scoredByTask(
  { store, states }: EstimatedPlan,
  found: readonly FoundRun[],
): Promise<Map<string, ScoreRecord[]>> {
  const byTask = new Map<string, ScoreRecord[]>();
  const scored = found.filter((entry) => entry.state === 'scored');
  await mapConcurrently(scored, READS_AT_ONCE, async ({ run, generation }) => {
    const record = await readJson<ScoreRecord>(store, states.scoreKey(run, generation));
    const key = taskOf(run);
    if (record !== undefined) byTask.set(key, [...(byTask.get(key) ?? []), record]);
  });
  return byTask;
}

const taskOf = (run: IdentifiedRun): string => `${run.lane.id}/${run.task.id}`;

/** Items of a run that has no score which have no verdict either. */
async function openItemsOf(
  { store, plan, rubrics }: EstimatedPlan,
  { run, generation, state }: FoundRun,
): Promise<readonly RubricItem[]> {
  const items = rubrics.get(run.task.id)?.items ?? [];
  if (state === 'new') return items;
  // What was imported has a result only when its run has begun.
  const result = await readJson<RunResult>(store, storeKeys.result(run.runKey, generation));
  if (result === undefined) return items;
  const has = await Promise.all(
    items.map((item) => store.hasRecord(storeKeys.verdict(verdictKeyOf(result, item, plan)))),
  );
  return items.filter((_item, index) => has[index] !== true);
}

function sessionsFor({ judge }: SweepPlan, items: readonly RubricItem[]) {
  const asked = judge.checks ? items.filter((item) => item.check === undefined) : items;
  return { low: asked.length * judge.votes, high: items.length * judge.votes };
}

function agentDefault(plan: SweepPlan, lane: PlannedLane): CostRange {
  if (!asksModel(lane.harness)) return NO_COST_RANGE;
  return defaultAgentCost(ownEntry(plan.prices, lane.model.id), plan.limits.maxCostMicroUsd);
}
