import { clusterBootstrap } from './cluster-bootstrap';
import { type Interval, MIN_BOOTSTRAP_TASKS, MIN_INTERVAL_TASKS } from './interval';
import { meanOfTaskMeans } from './mean-of-task-means';
import { pooledSuccess } from './pooled-success';
import { studentInterval } from './student-interval';
import { haveSpread, taskMeans, type TaskSums } from './task-sums';
import { wilsonInterval } from './wilson';

export interface LaneIntervals {
  readonly meanScore: Interval;
  readonly successRate: Interval;
}

/**
 * Intervals of a lane's (or a domain's) mean score and success rate. From ten tasks on the paper's bootstrap; with
 * fewer, Student's interval of the task means, and Wilson's of the rate with tasks as observations. Where every task
 * has the same mean, or the same rate, both would collapse to a point; Wilson's stands in with the mean as a rate,
 * which is wide rather than narrow: no score between 0 and 100 % varies more than one that is either.
 * `undefined` with fewer than two tasks that have a scored run.
 */
export function laneIntervals(sums: TaskSums, random: () => number): LaneIntervals | undefined {
  const mean = meanOfTaskMeans(sums);
  const rate = pooledSuccess(sums);
  if (mean === undefined || rate === undefined) return undefined;
  const tasks = sums.taskIds.length;
  if (tasks < MIN_INTERVAL_TASKS) return undefined;
  const bootstrap = tasks >= MIN_BOOTSTRAP_TASKS ? clusterBootstrap(sums, random) : undefined;
  const means = taskMeans(sums);
  const rates = sums.successes.map((successes, task) => successes / (sums.runs[task] ?? 1));
  return {
    meanScore: haveSpread(means)
      ? (bootstrap?.meanScore ?? onScale(studentInterval(means)))
      : wilsonInterval(mean, tasks),
    successRate:
      bootstrap !== undefined && haveSpread(rates)
        ? bootstrap.successRate
        : wilsonInterval(rate, tasks),
  };
}

function onScale(interval: Interval): Interval {
  return { ...interval, low: Math.max(0, interval.low), high: Math.min(100, interval.high) };
}
