import { createHash } from 'node:crypto';
import { storeKeys, verdictKey } from '../core/ids';
import { type Rubric } from '../core/rubric';
import { type RunResult, type ScoreRecord } from '../core/run';
import { costOfScore } from '../core/run-cost';
import { formatsOf } from '../core/report/formats';
import { type ReportItem, type ReportRun } from '../core/report/report-run';
import { plannedRuns, resultProvider, type SweepPlan } from '../core/sweep';
import { type Verdict } from '../core/verdict';
import { type PlanCache } from '../activities/plan-cache';
import { readJson } from '../activities/read-json';
import { costOfRun } from '../activities/run-cost';
import { identifyRun, type IdentifiedRun, RunStates } from '../activities/run-state';
import { type ObjectStore } from '../activities/store/port';
import { type OpenRuns } from './open-runs';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
/** Runs read ahead of the reader. */
const READ_AHEAD = 32;

export interface ResultSource {
  readonly store: ObjectStore;
  readonly plans: PlanCache;
  readonly plan: SweepPlan;
  /** What the open sweep says of its runs; without it everything is as the store has it. */
  readonly open?: OpenRuns;
}

/** Why a run has no score yet, and what it has. */
export type UnscoredState = 'incomplete' | 'failed' | 'missing';

/** Every planned run with its verdicts, lane by lane in plan order, read ahead but never all at once. */
export async function* readResults(source: ResultSource): AsyncIterable<ReportRun> {
  const { plan } = source;
  const reader = new ResultReader(source);
  const planned = plan.lanes.flatMap((lane) =>
    plannedRuns(plan).map((position) => identifyRun(plan, lane.id, position)),
  );
  const pending: Promise<ReportRun>[] = [];
  let next = 0;
  while (next < planned.length || pending.length > 0) {
    while (pending.length < READ_AHEAD && next < planned.length) {
      const run = planned[next];
      next += 1;
      if (run === undefined) continue;
      const read = reader.read(run);
      // Reported when its turn comes; until then it must not count as unhandled.
      read.catch(() => undefined);
      pending.push(read);
    }
    const first = pending.shift();
    if (first !== undefined) yield await first;
  }
}

/** Reads one planned run's result. */
export class ResultReader {
  readonly states: RunStates;

  constructor(private readonly source: ResultSource) {
    this.states = new RunStates(source.store, source.plan);
  }

  async read(run: IdentifiedRun): Promise<ReportRun> {
    const generations = await this.states.scoredGenerations(run);
    const [newest] = generations;
    const score = newest === undefined ? undefined : await this.score(run, newest);
    return score === undefined ? this.unscored(run) : this.scored(run, score, generations);
  }

  score(run: IdentifiedRun, generation: number): Promise<ScoreRecord | undefined> {
    return readJson<ScoreRecord>(this.source.store, this.states.scoreKey(run, generation));
  }

  /** State of a run without a score, from its newest generation. */
  async unscoredState(run: IdentifiedRun, generation: number): Promise<UnscoredState> {
    if (await this.source.store.hasRecord(storeKeys.result(run.runKey, generation)))
      return 'incomplete';
    const attempts = [...(await this.states.attempts(run, generation)).values()];
    return attempts.at(-1)?.outcome === 'lost' ? 'failed' : 'missing';
  }

  private async scored(
    run: IdentifiedRun,
    score: ScoreRecord,
    generations: readonly number[],
  ): Promise<ReportRun> {
    const first = generations.at(-1) ?? score.generation;
    // A generation that is done again has a cost already, and no score yet.
    const only = generations.length === 1 && score.generation === 1;
    const { store } = this.source;
    const alone = only && !(await store.hasRecord(storeKeys.request(run.runKey, 2)));
    const replaced = first === score.generation ? undefined : await this.score(run, first);
    return {
      ...identityOf(run),
      state: 'scored',
      score: score.score,
      success: score.success,
      items: score.items.map((item) => ({
        id: item.itemId,
        weight: item.weight,
        level: item.level,
        dimension: item.dimension,
        met: item.outcome === 'unjudged' ? undefined : item.outcome === 'met',
        decidedByCheck: item.source === 'check',
      })),
      stopReason: score.stopReason,
      deliveredFormats: formatsOf(score.deliveredPaths),
      // Other generations were paid for too.
      cost: alone ? costOfScore(score) : await this.cost(run),
      replacedScore: replaced?.score ?? null,
    };
  }

  private async unscored(run: IdentifiedRun): Promise<ReportRun> {
    const { store, plans } = this.source;
    const rubric = await plans.loadRubric(run.task);
    const generation = await this.states.newestGeneration(run);
    const state = await this.unscoredState(run, generation);
    const result =
      state === 'incomplete'
        ? await readJson<RunResult>(store, storeKeys.result(run.runKey, generation))
        : undefined;
    return {
      ...identityOf(run),
      state,
      score: undefined,
      success: undefined,
      items: await this.partialItems(rubric, result),
      stopReason: result?.stopReason,
      deliveredFormats: formatsOf(result?.deliverables.files.map((file) => file.path) ?? []),
      cost: await this.cost(run),
      replacedScore: null,
    };
  }

  private cost(run: IdentifiedRun): ReturnType<typeof costOfRun> {
    return costOfRun({ ...this.source, states: this.states }, run);
  }

  private async partialItems(rubric: Rubric, result: RunResult | undefined): Promise<ReportItem[]> {
    const verdicts = await Promise.all(
      rubric.items.map(async (item) => {
        if (result === undefined) return undefined;
        const key = verdictKeyOf(result, item, this.source.plan);
        return readJson<Verdict>(this.source.store, storeKeys.verdict(key));
      }),
    );
    return rubric.items.map((item, index) => ({
      id: item.id,
      weight: item.weight,
      level: item.level,
      dimension: item.dimension,
      met: verdicts[index]?.met,
      decidedByCheck: verdicts[index]?.source === 'check',
    }));
  }
}

/** Key of the (first vote's) verdict on an item of a result. */
export function verdictKeyOf(
  result: RunResult,
  item: Rubric['items'][number],
  plan: Pick<SweepPlan, 'judge'>,
): string {
  const subject = {
    runKey: result.runKey,
    generation: result.generation,
    deliverablesDigest: result.deliverables.digest,
  };
  return verdictKey(subject, item, plan.judge, 1, sha256);
}

function identityOf(
  run: IdentifiedRun,
): Pick<
  ReportRun,
  | 'model'
  | 'harness'
  | 'provider'
  | 'submission'
  | 'task'
  | 'domain'
  | 'repetition'
  | 'requiredFormats'
> {
  return {
    model: run.lane.model.id,
    harness: run.lane.harness.id,
    provider: resultProvider(run.lane),
    submission: run.lane.model.submission,
    task: run.task.id,
    domain: run.task.domain,
    repetition: run.repetition,
    requiredFormats: [...new Set(run.task.outputs.map((output) => output.format))].sort(),
  };
}
