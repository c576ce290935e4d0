import { clusterBootstrap } from './cluster-bootstrap';
import { type Interval, MIN_BOOTSTRAP_TASKS } from './interval';
import { meanOfTaskMeans } from './mean-of-task-means';
import { pooledSuccess } from './pooled-success';
import { studentInterval } from './student-interval';
import { taskMeans, type TaskSums } from './task-sums';
import { wilsonInterval } from './wilson';

export interface LaneIntervals {
  readonly meanScore: Interval;
  readonly successRate: Interval;
}

/**
 * Intervals of a lane's (or a domain's) mean score and success rate. From ten tasks on the paper's bootstrap; with
 * fewer, Student's interval of the task means, and Wilson's of the rate with tasks as observations. A rate of 0 or
 * 100 % and means without any spread are always Wilson's: resampling would collapse them to a point.
 * `undefined` without a scored run.
 */
export function laneIntervals(sums: TaskSums, random: () => number): LaneIntervals | undefined {
  const mean = meanOfTaskMeans(sums);
  const rate = pooledSuccess(sums);
  if (mean === undefined || rate === undefined) return undefined;
  const tasks = sums.taskIds.length;
  const bootstrap = tasks >= MIN_BOOTSTRAP_TASKS ? clusterBootstrap(sums, random) : undefined;
  const means = taskMeans(sums);
  const spread = means.some((value) => value !== means[0]);
  return {
    meanScore: !spread
      ? wilsonInterval(mean, tasks)
      : (bootstrap?.meanScore ?? onScale(studentInterval(means))),
    successRate:
      bootstrap === undefined || rate === 0 || rate === 100
        ? wilsonInterval(rate, tasks)
        : bootstrap.successRate,
  };
}

function onScale(interval: Interval): Interval {
  return { ...interval, low: Math.max(0, interval.low), high: Math.min(100, interval.high) };
}
