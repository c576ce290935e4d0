import { meanOf } from './mean';
import { taskMeans, type TaskSums } from './task-sums';

/**
 * A lane's mean score: the mean over tasks of the mean over repetitions, percent. Equal to the mean over runs when
 * every task has the same number of scored runs. `undefined` without a scored run.
 *
 * @example scores 100, 50 for one task and 0 for another: (75 + 0) / 2 = 37.5
 */
export function meanOfTaskMeans(sums: TaskSums): number | undefined {
  return meanOf(taskMeans(sums));
}
