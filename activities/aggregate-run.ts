import { type AggregateRunResult } from '../core/activity-contract';
import { Failure } from '../core/failure';
import { canonicalJson, judgeDigest, storeKeys } from '../core/ids';
import { addCost, addUsage, type MicroUsd, NO_USAGE } from '../core/money';
import { type RubricItem } from '../core/rubric';
import { type AttemptRecord, type RunResult, type ScoreRecord } from '../core/run';
import { isCostAtLeast } from '../core/run-cost';
import { scoreOf } from '../core/score';
import { type ItemOutcome, type Verdict } from '../core/verdict';
import { createHash } from 'node:crypto';
import { type UnjudgedRound } from './judge/port';
import { type JudgedRun } from './judged-run';
import { mapConcurrently, readJson } from './read-json';
import { RunStates } from './run-state';
import { type ObjectStore } from './store/port';

const READS_AT_ONCE = 16;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface DecidedItem {
  readonly outcome: ItemOutcome;
  readonly verdicts: readonly Verdict[];
  /** Spent by judges, verdict or not. */
  readonly costMicroUsd: MicroUsd | undefined;
}

/**
 * Adds a run's verdicts up. The score record is written once, and only when every item has its verdicts; a run
 * with unjudged items has a score interval and no record.
 */
export async function aggregateRun(
  store: ObjectStore,
  run: JudgedRun,
  now: () => number,
): Promise<AggregateRunResult> {
  const { identity, generation, plan } = run;
  const states = new RunStates(store, plan);
  const result = await readJson<RunResult>(store, storeKeys.result(identity.runKey, generation));
  if (result === undefined)
    throw new Failure('InvalidInput', `run ${identity.runId} has no result.json to aggregate`);
  const items = await mapConcurrently(run.rubric.items, READS_AT_ONCE, (item) =>
    decidedItem(store, run, item),
  );
  const score = scoreOf(items.map(({ outcome }) => ({ ...outcome })));
  const attempts = [...(await states.attempts(identity, generation)).values()].filter(
    (record) => record !== undefined,
  );
  const costs = {
    agentCostMicroUsd: result.traffic === undefined ? 0 : result.traffic.costMicroUsd,
    judgeCostMicroUsd: items.map((item) => item.costMicroUsd).reduce(addCost, 0),
    failedAttemptsCostMicroUsd: failedAttemptsCost(attempts, result.attempt),
  };
  const total = Object.values(costs).reduce(addCost, 0);
  const common = {
    scoreInterval: score.interval,
    unjudged: score.unjudged,
    costMicroUsd: total,
    ...(score.success === undefined ? {} : { success: score.success }),
  };
  if (score.score === undefined) return { state: 'incomplete', ...common };
  const record: ScoreRecord = {
    v: 1,
    runKey: identity.runKey,
    runId: identity.runId,
    generation,
    taskId: identity.task.id,
    laneId: identity.lane.id,
    repetition: identity.repetition,
    rubricDigest: identity.task.rubric.sha256,
    judgeDigest: judgeDigest(plan.judge, sha256),
    score: score.score,
    success: score.success ?? false,
    items: items.map(({ outcome }) => outcome),
    stopReason: result.stopReason,
    deliveredPaths: result.deliverables.files.map(({ path }) => path),
    ...costs,
    ...(isCostAtLeast(attempts) && { costIsAtLeast: true as const }),
    judgeUsage: items
      .flatMap(({ verdicts }) => verdicts)
      .reduce((sum, verdict) => addUsage(sum, verdict.usage ?? NO_USAGE), NO_USAGE),
    scoredAt: new Date(now()).toISOString(),
  };
  await store.putRecord(states.scoreKey(identity, generation), canonicalJson(record));
  return { state: 'scored', score: score.score, ...common };
}

/** The majority of an item's votes; unjudged as long as one of them is missing. */
async function decidedItem(
  store: ObjectStore,
  run: JudgedRun,
  item: RubricItem,
): Promise<DecidedItem> {
  const keys = run.votes.map((vote) => run.verdictKey(item, vote));
  const [firstKey = ''] = keys;
  const found = await Promise.all(
    keys.map((key) => readJson<Verdict>(store, storeKeys.verdict(key))),
  );
  const verdicts = found.filter((verdict) => verdict !== undefined);
  const missing = keys.filter((_, at) => found[at] === undefined);
  const base = {
    itemId: item.id,
    weight: item.weight,
    ...(item.level === undefined ? {} : { level: item.level }),
    dimension: item.dimension,
    verdictKey: firstKey,
  };
  const rounds = (await Promise.all(missing.map((key) => unjudgedRounds(store, key)))).flat();
  const costMicroUsd = [
    ...verdicts.map((verdict) => (verdict.source === 'judge' ? verdict.costMicroUsd : 0)),
    ...rounds.map((round) => round.costMicroUsd),
  ].reduce<MicroUsd | undefined>(addCost, 0);
  if (missing.length > 0) {
    const reason = rounds.at(-1)?.reason ?? 'no judge session has ended';
    return { outcome: { ...base, outcome: 'unjudged', reason }, verdicts, costMicroUsd };
  }
  const met = verdicts.filter((verdict) => verdict.met).length;
  return {
    outcome: {
      ...base,
      outcome: 2 * met > verdicts.length ? 'met' : 'unmet',
      ...(verdicts[0] === undefined ? {} : { source: verdicts[0].source }),
    },
    verdicts,
    costMicroUsd,
  };
}

async function unjudgedRounds(store: ObjectStore, key: string): Promise<UnjudgedRound[]> {
  const rounds: UnjudgedRound[] = [];
  for (;;) {
    const round = await readJson<UnjudgedRound>(
      store,
      storeKeys.unjudgedRound(key, rounds.length + 1),
    );
    if (round === undefined) return rounds;
    rounds.push(round);
  }
}

/** Attempts that do not count; one without any traffic record adds nothing, and the sum is then "at least". */
function failedAttemptsCost(
  attempts: readonly AttemptRecord[],
  counting: number,
): MicroUsd | undefined {
  return attempts
    .filter(({ attempt }) => attempt !== counting)
    .map(({ traffic }) => (traffic === undefined ? 0 : traffic.costMicroUsd))
    .reduce<MicroUsd | undefined>(addCost, 0);
}
