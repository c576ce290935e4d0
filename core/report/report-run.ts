import { type RunCost } from '../run-cost';
import { type SubmissionIdentity } from '../submission';
import { type Domain } from '../task';
import { type CoverageState } from '../statistics/coverage';

/** One item of a planned run; `met` is undefined where no verdict is. */
export interface ReportItem {
  readonly id: string;
  readonly weight: number;
  readonly level: string | undefined;
  readonly dimension: string;
  readonly met: boolean | undefined;
  /** `undefined` where the source does not say who decided. */
  readonly decidedByCheck: boolean | undefined;
}

/** One planned run as tables see it. Results made elsewhere come in the same shape (`report --from`). */
export interface ReportRun {
  readonly model: string;
  readonly harness: string;
  /** A `ResultProvider`: what no model gave here is marked wherever it is shown; undefined = not stated. */
  readonly provider: string | undefined;
  /** Kind of the judge's provider, where the source says it by run. */
  readonly judgeProvider?: string | undefined;
  /** Where imported deliverables come from, as far as the source says. */
  readonly submission?: SubmissionIdentity | undefined;
  readonly task: string;
  readonly domain: Domain;
  readonly repetition: number;
  readonly state: CoverageState;
  /** Percent; set when `state` is `scored`. */
  readonly score: number | undefined;
  readonly success: boolean | undefined;
  readonly items: readonly ReportItem[];
  readonly stopReason: string | undefined;
  readonly requiredFormats: readonly string[];
  readonly deliveredFormats: readonly string[];
  /** `undefined` where the source has no money in it. */
  readonly cost: RunCost | undefined;
  /**
   * Score of the first generation that had one, where a later one counts; null where none was replaced, `undefined`
   * where the source does not say.
   */
  readonly replacedScore: number | null | undefined;
}
