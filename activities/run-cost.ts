import { createHash } from 'node:crypto';
import { storeKeys, verdictKey } from '../core/ids';
import { addCost, type MicroUsd } from '../core/money';
import { type AttemptRecord, type RunResult, type ScoreRecord } from '../core/run';
import { addCosts, costOfScore, isCostAtLeast, NO_COST, type RunCost } from '../core/run-cost';
import { type SweepPlan } from '../core/sweep';
import { type Verdict } from '../core/verdict';
import { type PlanCache } from './plan-cache';
import { readJson } from './read-json';
import { type IdentifiedRun, type RunStates } from './run-state';
import { type ObjectStore } from './store/port';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export interface RunCostDependencies {
  readonly store: ObjectStore;
  readonly plans: PlanCache;
  readonly plan: SweepPlan;
  readonly states: RunStates;
}

/** All that a run's generations cost so far, scored or not. */
export async function costOfRun(deps: RunCostDependencies, run: IdentifiedRun): Promise<RunCost> {
  const newest = await deps.states.newestGeneration(run);
  let cost = NO_COST;
  for (let generation = 1; generation <= newest; generation++)
    cost = addCosts(cost, await costOfGeneration(deps, run, generation));
  return cost;
}

/** The same, of one generation. */
export async function costOfGeneration(
  deps: RunCostDependencies,
  run: IdentifiedRun,
  generation: number,
): Promise<RunCost> {
  const score = await readJson<ScoreRecord>(deps.store, deps.states.scoreKey(run, generation));
  if (score !== undefined) return costOfScore(score);
  const attempts = await deps.states.attempts(run, generation);
  const result = await readJson<RunResult>(deps.store, storeKeys.result(run.runKey, generation));
  if (attempts.size === 0 && result === undefined) return NO_COST;
  const records = [...attempts.values()].filter((record) => record !== undefined);
  const [counting, failed] = [
    records.filter((record) => record.attempt === result?.attempt),
    records.filter((record) => record.attempt !== result?.attempt),
  ];
  return {
    agentMicroUsd: sumOf(counting),
    failedAttemptsMicroUsd: sumOf(failed),
    judgeMicroUsd: result === undefined ? 0 : await costOfJudging(deps, run, result),
    atLeast: isCostAtLeast(records),
  };
}

function sumOf(records: readonly AttemptRecord[]): MicroUsd | undefined {
  return records
    .map((record) => (record.traffic === undefined ? 0 : record.traffic.costMicroUsd))
    .reduce(addCost, 0);
}

async function costOfJudging(
  deps: RunCostDependencies,
  run: IdentifiedRun,
  result: RunResult,
): Promise<MicroUsd | undefined> {
  const rubric = await deps.plans.loadRubric(run.task);
  const subject = {
    runKey: run.runKey,
    generation: result.generation,
    deliverablesDigest: result.deliverables.digest,
  };
  const { judge } = deps.plan;
  const keys = rubric.items.flatMap((item) =>
    Array.from({ length: judge.votes }, (_, vote) =>
      verdictKey(subject, item, judge, vote + 1, sha256),
    ),
  );
  const costs = await Promise.all(keys.map((key) => costOfVerdict(deps.store, key)));
  return costs.reduce(addCost, 0);
}

/** What judges spent on one item, rounds that gave no verdict included; 0 where a check decided. */
export async function costOfVerdict(
  store: ObjectStore,
  key: string,
): Promise<MicroUsd | undefined> {
  const verdict = await readJson<Verdict>(store, storeKeys.verdict(key));
  let cost = verdict?.usage === undefined ? 0 : verdict.costMicroUsd;
  for (let number = 1; ; number++) {
    const round = await readJson<{ readonly costMicroUsd?: MicroUsd }>(
      store,
      storeKeys.unjudgedRound(key, number),
    );
    if (round === undefined) return cost;
    // Earlier rounds' sessions are part of a later verdict's sum.
    cost = verdict === undefined ? addCost(cost, round.costMicroUsd) : cost;
  }
}
