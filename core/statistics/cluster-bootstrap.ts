import { CONFIDENCE_LEVEL, type Interval } from './interval';
import { quantileOfSorted } from './quantile';
import { taskMeans, type TaskSums } from './task-sums';

/** Resamples of the paper. */
export const RESAMPLES = 10_000;

export interface BootstrapIntervals {
  readonly meanScore: Interval;
  readonly successRate: Interval;
}

/**
 * The paper's percentile bootstrap: tasks are drawn with replacement, each with all its repetitions, since
 * repetitions of one task are not independent. Both statistics come from the same draws.
 * Throws a RangeError without a task.
 *
 * @param random numbers in [0, 1); the same sequence gives the same intervals
 */
export function clusterBootstrap(
  sums: TaskSums,
  random: () => number,
  resamples: number = RESAMPLES,
): BootstrapIntervals {
  const tasks = sums.taskIds.length;
  if (tasks === 0) throw new RangeError('clusterBootstrap requires at least one task');
  const means = taskMeans(sums);
  const { runs, successes } = sums;
  const scores = new Float64Array(resamples);
  const rates = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample++) {
    let score = 0;
    let succeeded = 0;
    let drawn = 0;
    for (let draw = 0; draw < tasks; draw++) {
      const task = (random() * tasks) | 0;
      score += means[task] ?? 0;
      succeeded += successes[task] ?? 0;
      drawn += runs[task] ?? 0;
    }
    scores[resample] = score / tasks;
    rates[resample] = (100 * succeeded) / drawn;
  }
  return { meanScore: percentileInterval(scores), successRate: percentileInterval(rates) };
}

/** Percentile bootstrap of a mean of one value a task. */
export function bootstrapMean(
  values: Float64Array,
  random: () => number,
  resamples: number = RESAMPLES,
): Interval {
  const count = values.length;
  if (count === 0) throw new RangeError('bootstrapMean requires at least one value');
  const means = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample++) {
    let sum = 0;
    for (let draw = 0; draw < count; draw++) sum += values[(random() * count) | 0] ?? 0;
    means[resample] = sum / count;
  }
  return percentileInterval(means);
}

function percentileInterval(values: Float64Array): Interval {
  const sorted = values.sort();
  const tail = (1 - CONFIDENCE_LEVEL) / 2;
  return {
    low: quantileOfSorted(sorted, tail),
    high: quantileOfSorted(sorted, 1 - tail),
    method: 'cluster-bootstrap',
  };
}
