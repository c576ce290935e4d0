import { bootstrapMean } from './cluster-bootstrap';
import { type Interval, MIN_BOOTSTRAP_TASKS, MIN_INTERVAL_TASKS } from './interval';
import { meanOf } from './mean';
import { studentInterval } from './student-interval';
import { haveSpread, taskMeans, type TaskSums } from './task-sums';

/** Difference of two lanes' mean scores over the tasks that both have scored, in percentage points. */
export interface PairedDifference {
  readonly tasks: number;
  readonly difference: number;
  /** Absent for a single common task, and where every task differs by the same: it would be a point. */
  readonly interval?: Interval;
}

/** Left minus right, task by task; `undefined` without a common task. */
export function pairedDifference(
  left: TaskSums,
  right: TaskSums,
  random: () => number,
): PairedDifference | undefined {
  const rightMeans = taskMeans(right);
  const rightIndex = new Map(right.taskIds.map((id, index) => [id, index]));
  const leftMeans = taskMeans(left);
  const differences: number[] = [];
  left.taskIds.forEach((id, index) => {
    const other = rightIndex.get(id);
    if (other !== undefined) differences.push((leftMeans[index] ?? 0) - (rightMeans[other] ?? 0));
  });
  const values = Float64Array.from(differences);
  const difference = meanOf(values);
  if (difference === undefined) return undefined;
  if (values.length < MIN_INTERVAL_TASKS || !haveSpread(values))
    return { tasks: values.length, difference };
  const interval =
    values.length >= MIN_BOOTSTRAP_TASKS ? bootstrapMean(values, random) : studentInterval(values);
  return { tasks: values.length, difference, interval };
}
