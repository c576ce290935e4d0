import { Failure } from '../core/failure';
import { storeKeys } from '../core/ids';
import { printLocator } from '../core/locator';
import { type MicroUsd } from '../core/money';
import { type AttemptRecord, type RunResult, type RunStage } from '../core/run';
import { type RunCost, totalCost } from '../core/run-cost';
import { scoreOf } from '../core/score';
import { type SubmissionIdentity } from '../core/submission';
import { resultProvider } from '../core/sweep';
import { type Verdict } from '../core/verdict';
import { openEvidenceByKey } from '../activities/evidence/evidence-reader';
import { type EvidenceReader } from '../activities/evidence/port';
import { type UnjudgedRound } from '../activities/judge/port';
import { readJson } from '../activities/read-json';
import { costOfGeneration, costOfRun, costOfVerdict } from '../activities/run-cost';
import { RunStates, type IdentifiedRun } from '../activities/run-state';
import { type RerunRequest } from '../activities/sweep-activities';
import { type ResultSource, type UnscoredState, verdictKeyOf } from './read-results';
import { stageOf } from './open-runs';
import { describeAttempt, describeStage } from './run-list';
import { undecidedCheck } from './undecided-check';

/** What a verdict points at, with the text that lies there now. */
export interface ShownCitation {
  readonly locator: string;
  readonly quote: string | undefined;
  /** Undefined where the view is gone or the place does not exist. */
  readonly text: string | undefined;
}

export interface ShownItem {
  readonly id: string;
  readonly text: string;
  readonly weight: number;
  readonly level: string | undefined;
  readonly dimension: string;
  readonly outcome: 'met' | 'unmet' | 'unjudged';
  readonly source: Verdict['source'] | undefined;
  readonly justification: string | undefined;
  readonly citations: readonly ShownCitation[];
  readonly searched: Verdict['searched'];
  /** Set when a repair changed what the judge first said. */
  readonly firstSubmission: Verdict['firstSubmission'];
  /** Why it is unjudged. */
  readonly reason: string | undefined;
  readonly turns: number | undefined;
  /** What judges spent on it, rounds without a verdict included: 0 for a check; undefined where it is not known. */
  readonly costMicroUsd: MicroUsd | undefined;
  /** Why the item's check left the decision to the judge. */
  readonly checkUndecided: string | undefined;
}

export interface ShownAttempt {
  readonly attempt: number;
  /** Undefined while it is open. */
  readonly record: AttemptRecord | undefined;
  /** True for the attempt whose deliverables are judged. */
  readonly counts: boolean;
}

/** Money by who spent it; undefined = unknown. */
export interface ShownCost extends RunCost {
  readonly totalMicroUsd: MicroUsd | undefined;
}

export interface RunDetails {
  readonly sweep: string;
  /** Whose results these are: by default named as the sweep. */
  readonly cohort: string;
  readonly runId: string;
  readonly runKey: string;
  /** A `ResultProvider`. */
  readonly provider: string;
  /** Where imported deliverables come from. */
  readonly submission?: SubmissionIdentity;
  readonly judgeProvider: string;
  readonly generation: number;
  /** All generations that were asked for. */
  readonly generations: number;
  readonly request: RerunRequest | undefined;
  /** Of the shown generation. */
  readonly state: 'scored' | 'running' | UnscoredState;
  /** Why it failed, or what it is at while it runs. */
  readonly why?: string;
  readonly stages: {
    readonly agent: 'waiting' | 'open' | 'done' | 'failed';
    readonly judging: 'waiting' | 'open' | 'done' | 'not reached';
  };
  /** Of all generations: what `run list` says too. */
  readonly cost: ShownCost;
  /** Of the shown generation. */
  readonly generationCost: ShownCost;
  readonly attempts: readonly ShownAttempt[];
  readonly result: RunResult | undefined;
  /** Percent: lowest and highest score that the verdicts so far allow. */
  readonly scoreInterval: readonly [number, number] | undefined;
  readonly success: boolean | undefined;
  readonly items: readonly ShownItem[];
}

/** All the store has of one run. Without `generation`: the newest scored one, else the newest. */
export async function runDetails(
  source: ResultSource,
  run: IdentifiedRun,
  wanted?: number,
): Promise<RunDetails> {
  const { store, plan } = source;
  const states = new RunStates(store, plan);
  const [scored] = await states.scoredGenerations(run);
  const newest = await states.newestGeneration(run);
  if (wanted !== undefined) requireGeneration(run, wanted, newest);
  const generation = wanted ?? scored ?? newest;
  const result = await readJson<RunResult>(store, storeKeys.result(run.runKey, generation));
  const attempts = await states.attempts(run, generation);
  const items = result === undefined ? [] : await shownItems(source, run, result);
  const spending = { ...source, states };
  const score = items.length === 0 ? undefined : scoreOf(items);
  return {
    sweep: plan.sweep,
    cohort: plan.cohort,
    runId: run.runId,
    runKey: run.runKey,
    provider: resultProvider(run.lane),
    ...(run.lane.model.submission !== undefined && { submission: run.lane.model.submission }),
    judgeProvider: plan.judge.model.provider,
    generation,
    generations: newest,
    request: await readJson<RerunRequest>(store, storeKeys.request(run.runKey, generation)),
    ...running(
      standing(result, score?.unjudged, attempts),
      generation === newest ? stageOf(source.open, run.runId) : undefined,
      items,
    ),
    cost: withTotal(await costOfRun(spending, run)),
    generationCost: withTotal(await costOfGeneration(spending, run, generation)),
    attempts: [...attempts].map(([attempt, record]) => ({
      attempt,
      record,
      counts: attempt === result?.attempt,
    })),
    result,
    scoreInterval: score?.interval,
    success: score?.success,
    items,
  };
}

function withTotal(cost: RunCost): ShownCost {
  return { ...cost, totalMicroUsd: totalCost(cost) };
}

function requireGeneration(run: IdentifiedRun, wanted: number, newest: number): void {
  if (wanted <= newest) return;
  const there = newest === 1 ? 'is only 1' : `are 1 to ${newest}`;
  throw new Failure('InvalidInput', `${run.runId} has no generation ${wanted}; there ${there}`);
}

type Standing = Pick<RunDetails, 'state' | 'why' | 'stages'>;

/** The open sweep knows better than the store what is at work. */
function running(
  stored: Standing,
  stage: RunStage | undefined,
  items: readonly ShownItem[],
): Standing {
  if (stored.state === 'scored' || stage === undefined) return stored;
  const judged = items.map(({ outcome }) => ({
    met: outcome === 'unjudged' ? undefined : outcome === 'met',
  }));
  const judging = stage === 'judging' || stage === 'done';
  return {
    state: 'running',
    why: describeStage(stage, judged),
    stages: judging
      ? { agent: 'done', judging: 'open' }
      : { agent: stage === 'agent' ? 'open' : 'waiting', judging: 'waiting' },
  };
}

/** How far it is, and why it went no further. */
function standing(
  result: RunResult | undefined,
  unjudged: number | undefined,
  attempts: ReadonlyMap<number, AttemptRecord | undefined>,
): Standing {
  if (result !== undefined) {
    const done = unjudged === 0;
    return {
      state: done ? 'scored' : 'incomplete',
      stages: { agent: 'done', judging: done ? 'done' : 'open' },
    };
  }
  const [number, last] = [...attempts].at(-1) ?? [0, undefined];
  if (last?.outcome === 'lost')
    return {
      state: 'failed',
      why: `attempt ${number} ${describeAttempt(last)}`,
      stages: { agent: 'failed', judging: 'not reached' },
    };
  const agent = number === 0 ? 'waiting' : 'open';
  return { state: 'missing', stages: { agent, judging: 'waiting' } };
}

async function shownItems(
  source: ResultSource,
  run: IdentifiedRun,
  result: RunResult,
): Promise<ShownItem[]> {
  const { items } = await source.plans.loadRubric(run.task);
  const evidence = await openView(source, run, result);
  return Promise.all(
    items.map(async (item): Promise<ShownItem> => {
      const key = verdictKeyOf(result, item, source.plan);
      const verdict = await readJson<Verdict>(source.store, storeKeys.verdict(key));
      return {
        id: item.id,
        text: item.text,
        weight: item.weight,
        level: item.level,
        dimension: item.dimension,
        outcome: verdict === undefined ? 'unjudged' : verdict.met ? 'met' : 'unmet',
        source: verdict?.source,
        justification: verdict?.justification,
        citations: verdict === undefined ? [] : await shownCitations(verdict, evidence),
        searched: verdict?.searched ?? [],
        firstSubmission: verdict?.firstSubmission,
        reason: verdict === undefined ? await lastReason(source, key) : undefined,
        turns: verdict?.turns,
        costMicroUsd: await costOfVerdict(source.store, key),
        checkUndecided: await undecidedCheck(item, verdict, source.plan.judge.checks, evidence),
      };
    }),
  );
}

async function openView(
  { store, plan }: ResultSource,
  run: IdentifiedRun,
  result: RunResult,
): Promise<EvidenceReader | undefined> {
  const planned = storeKeys.view(run.task.digest, result.deliverables.digest, plan.rendererRecipe);
  if (await store.hasRecord(planned)) return openEvidenceByKey(store, planned);
  // Runs of the simulated harness are read by another renderer.
  const prefix = `sealed/evidence/${run.task.digest}/${result.deliverables.digest}/`;
  for await (const key of store.list(prefix))
    if (key.endsWith('/view.json')) return openEvidenceByKey(store, key);
  return undefined;
}

async function shownCitations(
  verdict: Verdict,
  evidence: EvidenceReader | undefined,
): Promise<ShownCitation[]> {
  return Promise.all(
    verdict.citations.map(async ({ locator, quote }) => {
      const found = await evidence?.resolve(locator);
      return { locator: printLocator(locator), quote, text: found?.text };
    }),
  );
}

/** Reason of the latest round that gave no verdict. */
async function lastReason(source: ResultSource, key: string): Promise<string | undefined> {
  let reason: string | undefined;
  for (let number = 1; ; number++) {
    const round = await readJson<UnjudgedRound>(source.store, storeKeys.unjudgedRound(key, number));
    if (round === undefined) return reason;
    reason = round.reason;
  }
}
