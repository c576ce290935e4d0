import { type SubmissionIdentity } from '../submission';
import { IMPORTANCE_LEVELS, DIMENSIONS } from '../rubric';
import { addCosts, NO_COST, type RunCost, totalCost } from '../run-cost';
import { DOMAINS } from '../task';
import { coverageOf, type CoverageState } from '../statistics/coverage';
import { formatCompliance } from '../statistics/format-compliance';
import { laneIntervals } from '../statistics/lane-intervals';
import { meanOfTaskMeans } from '../statistics/mean-of-task-means';
import { pooledSuccess } from '../statistics/pooled-success';
import { repeatedSuccess } from '../statistics/repeated-success';
import { type ScoredRun, sumByTask, type TaskSums } from '../statistics/task-sums';
import { WeightedShares } from '../statistics/weighted-share';
import { type Headline, type LaneCost, type LaneReport, type TaskScores } from './report';
import { type ReportRun } from './report-run';

/** What is kept of a run once its items are added up. */
interface KeptRun extends ScoredRun {
  readonly domain: string;
  readonly state: CoverageState;
  readonly repetition: number;
  readonly firstScore: number | null | undefined;
  readonly requiredFormats: readonly string[];
  readonly deliveredFormats: readonly string[];
}

/** Adds up one lane's runs; items are not kept, so memory is a few words a run. */
export class LaneBuilder {
  private readonly runs: KeptRun[] = [];
  private readonly levels = new WeightedShares();
  private readonly dimensions = new WeightedShares();
  private readonly stopReasons = new Map<string, number>();
  private weight = 0;
  /** `undefined` once the source has not said of an item who decided it. */
  private weightByChecks: number | undefined = 0;
  private cost: RunCost | undefined;

  constructor(
    private readonly model: string,
    private readonly harness: string,
    private readonly provider: string | undefined,
    private readonly submission?: SubmissionIdentity,
    private readonly judgeProvider?: string,
  ) {}

  add(run: ReportRun): void {
    this.runs.push({
      taskId: run.task,
      score: run.score ?? 0,
      success: run.success ?? false,
      domain: run.domain,
      state: run.state,
      repetition: run.repetition,
      firstScore: run.replacedScore,
      requiredFormats: run.requiredFormats,
      deliveredFormats: run.deliveredFormats,
    });
    if (run.cost !== undefined) this.cost = addCosts(this.cost ?? NO_COST, run.cost);
    if (run.stopReason !== undefined)
      this.stopReasons.set(run.stopReason, (this.stopReasons.get(run.stopReason) ?? 0) + 1);
    if (run.state !== 'scored') return;
    for (const item of run.items) {
      if (item.met === undefined) continue;
      this.levels.add(item.level ?? 'other', item.weight, item.met);
      this.dimensions.add(item.dimension, item.weight, item.met);
      this.weight += item.weight;
      if (item.decidedByCheck === undefined) this.weightByChecks = undefined;
      else if (item.decidedByCheck && this.weightByChecks !== undefined)
        this.weightByChecks += item.weight;
    }
  }

  /** Sums of the scored runs, for comparisons between lanes. */
  sums(): TaskSums {
    return sumByTask(this.scored());
  }

  build(repetitions: number, newRandom: () => () => number): LaneReport {
    const sums = this.sums();
    const compliance = formatCompliance(this.scored());
    const repeated = repetitions > 1 ? repeatedSuccess(sums, repetitions) : undefined;
    const redone = this.redone();
    return {
      lane: `${this.model}@${this.harness}`,
      model: this.model,
      harness: this.harness,
      provider: this.provider,
      ...(this.submission !== undefined && { submission: this.submission }),
      ...(this.judgeProvider !== undefined && { judgeProvider: this.judgeProvider }),
      ...headline(this.runs, newRandom()),
      byDomain: this.byDomain(newRandom),
      byTask: this.byTask(),
      byLevel: this.levels.result(IMPORTANCE_LEVELS),
      byDimension: this.dimensions.result(DIMENSIONS),
      ...(repeated === undefined ? {} : { repeated }),
      ...(compliance === undefined ? {} : { formatCompliance: compliance }),
      ...(this.weight === 0 || this.weightByChecks === undefined
        ? {}
        : { weightDecidedByChecks: (100 * this.weightByChecks) / this.weight }),
      stopReasons: Object.fromEntries([...this.stopReasons].sort()),
      ...(this.cost === undefined ? {} : { cost: laneCost(this.cost) }),
      ...(redone === undefined ? {} : { redone }),
    };
  }

  private scored(): KeptRun[] {
    return this.runs.filter(isScored);
  }

  private byDomain(newRandom: () => () => number): Record<string, Headline> {
    const present = DOMAINS.filter((domain) => this.runs.some((run) => run.domain === domain));
    return Object.fromEntries(
      present.map((domain) => [
        domain,
        headline(
          this.runs.filter((run) => run.domain === domain),
          newRandom(),
        ),
      ]),
    );
  }

  private byTask(): Record<string, TaskScores> {
    const tasks = [...new Set(this.runs.map((run) => run.taskId))];
    return Object.fromEntries(
      tasks.map((task) => {
        const runs = this.runs
          .filter((run) => run.taskId === task)
          .sort((left, right) => left.repetition - right.repetition);
        const meanScore = meanOfTaskMeans(sumByTask(runs.filter(isScored)));
        const scores = runs.map((run) => (isScored(run) ? run.score : null));
        return [task, { ...(meanScore !== undefined && { meanScore }), scores }];
      }),
    );
  }

  private redone(): LaneReport['redone'] {
    const scored = this.scored();
    if (scored.some((run) => run.firstScore === undefined)) return undefined;
    const runs = scored.filter((run) => run.firstScore !== null).length;
    if (runs === 0) return { runs };
    const first = scored.map((run) => ({ ...run, score: run.firstScore ?? run.score }));
    return { runs, meanScoreOfFirst: meanOfTaskMeans(sumByTask(first)) ?? 0 };
  }
}

function isScored(run: KeptRun): boolean {
  return run.state === 'scored';
}

function headline(runs: readonly KeptRun[], random: () => number): Headline {
  const sums = sumByTask(runs.filter((run) => run.state === 'scored'));
  const coverage = coverageOf(
    runs.length,
    runs.map((run) => run.state),
  );
  const succeeded = runs.filter((run) => run.state === 'scored' && run.success).length;
  const base = {
    tasks: new Set(runs.map((run) => run.taskId)).size,
    coverage,
    successRateOfPlanned: (100 * succeeded) / runs.length,
  };
  const intervals = laneIntervals(sums, random);
  const [meanScore, successRate] = [meanOfTaskMeans(sums), pooledSuccess(sums)];
  if (meanScore === undefined || successRate === undefined) return base;
  if (intervals === undefined) return { ...base, meanScore, successRate };
  return {
    ...base,
    meanScore,
    meanScoreInterval: [intervals.meanScore.low, intervals.meanScore.high],
    meanScoreMethod: intervals.meanScore.method,
    successRate,
    successRateInterval: [intervals.successRate.low, intervals.successRate.high],
    successRateMethod: intervals.successRate.method,
  };
}

function laneCost(cost: RunCost): LaneCost {
  const { agentMicroUsd, judgeMicroUsd, failedAttemptsMicroUsd, atLeast } = cost;
  return {
    agentMicroUsd,
    judgeMicroUsd,
    failedAttemptsMicroUsd,
    totalMicroUsd: totalCost(cost),
    atLeast,
  };
}
