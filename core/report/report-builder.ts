import { type Coverage, isComplete, NO_COVERAGE } from '../statistics/coverage';
import { RESAMPLES } from '../statistics/cluster-bootstrap';
import { CONFIDENCE_LEVEL, MIN_BOOTSTRAP_TASKS } from '../statistics/interval';
import { pairedDifference } from '../statistics/paired-difference';
import { seededRandom } from '../statistics/seeded-random';
import { LaneBuilder } from './lane-builder';
import {
  type Comparison,
  type HarnessSpread,
  type LaneReport,
  type Report,
  type ReportJudge,
} from './report';
import { type ReportRun } from './report-run';

export interface ReportOptions {
  readonly sweep: string;
  /** UTC, ISO 8601. */
  readonly generatedAt: string;
  readonly cohort?: string;
  readonly judge: ReportJudge | undefined;
  /** Runs that the plan has; every one must be added, whatever its state. */
  readonly planned: number;
  readonly repetitions: number;
  /** Unscored runs that an open sweep works on; `undefined` where it is not open or nobody could be asked. */
  readonly running?: number | undefined;
  /** Of the bootstrap. @default 1 */
  readonly seed?: number;
}

/** Takes planned runs one by one and makes every table of a report. */
export class ReportBuilder {
  private readonly lanes = new Map<string, LaneBuilder>();
  private added = 0;

  add(run: ReportRun): void {
    const id = `${run.model}@${run.harness}`;
    let lane = this.lanes.get(id);
    if (lane === undefined) {
      lane = new LaneBuilder(
        run.model,
        run.harness,
        run.provider,
        run.submission,
        run.judgeProvider,
      );
      this.lanes.set(id, lane);
    }
    lane.add(run);
    this.added += 1;
  }

  /** Throws a RangeError when the runs added are not the runs planned. */
  build(options: ReportOptions): Report {
    if (this.added !== options.planned)
      throw new RangeError(
        `coverage does not add up: ${options.planned} runs are planned, ${this.added} were found`,
      );
    const seed = options.seed ?? 1;
    const newRandom = (): (() => number) => seededRandom(seed);
    const lanes = [...this.lanes.values()].map((lane) =>
      lane.build(options.repetitions, newRandom),
    );
    const coverage = lanes.map((lane) => lane.coverage).reduce(addCoverage, NO_COVERAGE);
    return {
      v: 1,
      sweep: options.sweep,
      ...(options.cohort !== undefined && { cohort: options.cohort }),
      generatedAt: options.generatedAt,
      judge: options.judge,
      coverage,
      ...(options.running !== undefined && { running: options.running }),
      lanes,
      comparisons: this.compare(newRandom),
      harnessSpread: spreads(lanes),
      method: methodOf(seed),
      notes: notesOf(lanes, coverage, options),
    };
  }

  private compare(newRandom: () => () => number): Comparison[] {
    const entries = [...this.lanes].map(([id, lane]) => ({ id, sums: lane.sums() }));
    return entries.flatMap((left, index) =>
      entries.slice(index + 1).flatMap((right) => {
        const found = pairedDifference(left.sums, right.sums, newRandom());
        return found === undefined ? [] : [{ left: left.id, right: right.id, ...found }];
      }),
    );
  }
}

function addCoverage(left: Coverage, right: Coverage): Coverage {
  return {
    planned: left.planned + right.planned,
    scored: left.scored + right.scored,
    incomplete: left.incomplete + right.incomplete,
    failed: left.failed + right.failed,
    missing: left.missing + right.missing,
  };
}

function spreads(lanes: readonly LaneReport[]): HarnessSpread[] {
  // Lanes without a model of ours bear a model's name at most by chance.
  const asked = lanes.filter(({ provider }) => provider !== 'none' && provider !== 'imported');
  const models = [...new Set(asked.map((lane) => lane.model))];
  return models.flatMap((model) => {
    const means = asked.flatMap((lane) =>
      lane.model === model && lane.meanScore !== undefined
        ? [[lane.harness, lane.meanScore] as const]
        : [],
    );
    if (means.length < 2) return [];
    const values = means.map(([, mean]) => mean);
    return [
      {
        model,
        meanScoreByHarness: Object.fromEntries(means),
        spread: Math.max(...values) - Math.min(...values),
      },
    ];
  });
}

function methodOf(seed: number): Report['method'] {
  return {
    confidenceLevel: CONFIDENCE_LEVEL,
    seed,
    resamples: RESAMPLES,
    meanScore: 'mean over tasks of the mean over scored repetitions, percent',
    successRate: 'runs with at least 90 % of their weight over scored runs, percent',
    intervals:
      `percentile bootstrap of whole tasks with all their repetitions; with fewer than ${MIN_BOOTSTRAP_TASKS} tasks ` +
      "Student's of task means and differences, and Wilson's of rates with tasks as observations; Wilson's also of " +
      'means that are the same in every task, and of rates over k repetitions; none for a single task, nor for ' +
      'differences that are the same in every task',
  };
}

function notesOf(
  lanes: readonly LaneReport[],
  coverage: Coverage,
  { judge, running }: Pick<ReportOptions, 'judge' | 'running'>,
): string[] {
  const notes: string[] = [];
  const of = (provider: string): string[] =>
    lanes.filter((lane) => lane.provider === provider).map((lane) => lane.lane);
  const [replayed, simulated] = [of('replay'), of('simulated')];
  if (replayed.length > 0)
    notes.push(`Replayed recordings, not results of a model: ${replayed.join(', ')}.`);
  if (simulated.length > 0)
    notes.push(`Simulated, not results of a model: ${simulated.join(', ')}.`);
  const imported = lanes.filter((lane) => lane.provider === 'imported');
  if (imported.length > 0)
    notes.push(`Imported, made outside this system: ${imported.map(originText).join('; ')}.`);
  notes.push(...judgeNotes(lanes, judge), ...unstatedNotes(lanes, judge));
  if (!isComplete(coverage))
    notes.push(
      `Not complete: ${coverage.scored} of ${coverage.planned} runs are scored ` +
        `(${coverage.incomplete} incomplete, ${coverage.failed} failed, ${coverage.missing} missing).` +
        (running === undefined ? '' : ` The sweep is open: ${running} of them running.`),
    );
  return notes;
}

const UNREAL_VERDICTS = { replay: 'replayed recordings', simulated: 'simulated' };

/** Lanes are named where they were not all judged by one kind of judge. */
function judgeNotes(lanes: readonly LaneReport[], judge: ReportJudge | undefined): string[] {
  return Object.entries(UNREAL_VERDICTS).flatMap(([provider, word]) => {
    const judged = lanes.filter((lane) => judgeProviderOf(lane, judge) === provider);
    if (judged.length === 0) return [];
    const all = judged.length === lanes.length;
    return [`The verdicts of the judge${all ? '' : ` on ${namesOf(judged)}`} are ${word}.`];
  });
}

/** A table made elsewhere may leave out what ours must say; that it does so must be said too. */
function unstatedNotes(lanes: readonly LaneReport[], judge: ReportJudge | undefined): string[] {
  const unknown = lanes.filter((lane) => lane.provider === undefined);
  const unjudged = lanes.filter((lane) => judgeProviderOf(lane, judge) === undefined);
  return [
    ...(unknown.length === 0
      ? []
      : [`Not stated whether a model gave these results (column provider): ${namesOf(unknown)}.`]),
    ...(unjudged.length === 0
      ? []
      : [`Not stated whose verdicts these are (column judge_provider): ${namesOf(unjudged)}.`]),
  ];
}

function judgeProviderOf(lane: LaneReport, judge: ReportJudge | undefined): string | undefined {
  return lane.judgeProvider ?? judge?.provider;
}

function namesOf(lanes: readonly LaneReport[]): string {
  return lanes.map(({ lane }) => lane).join(', ');
}

function originText({ lane, submission }: LaneReport): string {
  if (submission === undefined) return lane;
  const { product, date, operator } = submission;
  return `${lane} (${product}, ${date}, run by ${operator})`;
}
