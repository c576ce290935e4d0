import { type MicroUsd } from '../money';
import { type Coverage } from '../statistics/coverage';
import { type FormatCompliance } from '../statistics/format-compliance';
import { type IntervalMethod } from '../statistics/interval';
import { type PairedDifference } from '../statistics/paired-difference';
import { type RepeatedSuccess } from '../statistics/repeated-success';
import { type SubmissionIdentity } from '../submission';
import { type WeightedShare } from '../statistics/weighted-share';

export type Bounds = readonly [low: number, high: number];

/**
 * Mean score and success rate of a group of runs, percent, unrounded. Absent without a scored run; intervals and their
 * methods also where only one task has one.
 */
export interface Headline {
  readonly tasks: number;
  readonly coverage: Coverage;
  readonly meanScore?: number;
  readonly meanScoreInterval?: Bounds;
  readonly meanScoreMethod?: IntervalMethod;
  /** Over scored runs. */
  readonly successRate?: number;
  readonly successRateInterval?: Bounds;
  readonly successRateMethod?: IntervalMethod;
  /** Over planned runs: whatever has no score counts as a failure. */
  readonly successRateOfPlanned: number;
}

export interface LaneCost {
  readonly agentMicroUsd: MicroUsd | undefined;
  readonly judgeMicroUsd: MicroUsd | undefined;
  readonly failedAttemptsMicroUsd: MicroUsd | undefined;
  readonly totalMicroUsd: MicroUsd | undefined;
  /** The sum is a lower bound: a lost attempt's traffic is not known whole. */
  readonly atLeast: boolean;
}

/** One task's scores in a lane, percent. */
export interface TaskScores {
  /** Over its scored repetitions; absent without one. */
  readonly meanScore?: number;
  /** By repetition; null where it has no score. */
  readonly scores: readonly (number | null)[];
}

export interface LaneReport extends Headline {
  readonly lane: string;
  readonly model: string;
  readonly harness: string;
  readonly provider: string | undefined;
  /** Where imported deliverables come from. */
  readonly submission?: SubmissionIdentity;
  /** Kind of the judge's provider; absent where the source does not say. */
  readonly judgeProvider?: string;
  readonly byDomain: Readonly<Record<string, Headline>>;
  readonly byTask: Readonly<Record<string, TaskScores>>;
  /** Over the judged items of scored runs. */
  readonly byLevel: Readonly<Record<string, WeightedShare>>;
  readonly byDimension: Readonly<Record<string, WeightedShare>>;
  readonly repeated?: RepeatedSuccess;
  readonly formatCompliance?: FormatCompliance;
  /** Percent of the judged weight that deterministic checks decided; absent where the source does not say. */
  readonly weightDecidedByChecks?: number;
  readonly stopReasons: Readonly<Record<string, number>>;
  readonly cost?: LaneCost;
  /**
   * Runs done again after they had a score, and the mean that first scores give where there are any; absent where
   * the source does not say.
   */
  readonly redone?: { readonly runs: number; readonly meanScoreOfFirst?: number };
}

export interface Comparison extends PairedDifference {
  readonly left: string;
  readonly right: string;
}

/** One model under several harnesses: largest minus smallest mean score. */
export interface HarnessSpread {
  readonly model: string;
  readonly meanScoreByHarness: Readonly<Record<string, number>>;
  readonly spread: number;
}

export interface ReportJudge {
  readonly model: string;
  readonly provider: string;
  readonly mode: string;
  readonly checks: boolean;
}

export interface ReportMethod {
  readonly confidenceLevel: number;
  readonly seed: number;
  readonly resamples: number;
  readonly meanScore: string;
  readonly successRate: string;
  readonly intervals: string;
}

/** `report --json`. Scores and rates in percent, unrounded. */
export interface Report {
  readonly v: 1;
  readonly sweep: string;
  /** Whose results these are; absent where they come from a table made elsewhere. */
  readonly cohort?: string;
  readonly generatedAt: string;
  readonly judge: ReportJudge | undefined;
  readonly coverage: Coverage;
  /**
   * How many of the coverage's unscored runs an open sweep works on at this moment; absent where it is not open or
   * nobody could be asked.
   */
  readonly running?: number;
  readonly lanes: readonly LaneReport[];
  readonly comparisons: readonly Comparison[];
  readonly harnessSpread: readonly HarnessSpread[];
  readonly method: ReportMethod;
  /** What a reader must know before quoting a number: replayed, simulated or imported results, incomplete coverage. */
  readonly notes: readonly string[];
}
