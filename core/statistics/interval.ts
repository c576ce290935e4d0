/** Confidence level of every interval (the paper's). */
export const CONFIDENCE_LEVEL = 0.95;

export type IntervalMethod = 'cluster-bootstrap' | 'wilson' | 'student';

/** Bounds in percent, and how they were found. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly method: IntervalMethod;
}

/** One task is one observation: how far tasks differ cannot be told from it, so no interval over tasks can be given. */
export const MIN_INTERVAL_TASKS = 2;

/** Below this number of tasks the percentile bootstrap is too narrow, and other methods are used. */
export const MIN_BOOTSTRAP_TASKS = 10;
