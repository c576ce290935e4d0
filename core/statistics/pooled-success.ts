import { type TaskSums } from './task-sums';

/** Successful runs over scored runs, percent; `undefined` without a scored run. */
export function pooledSuccess(sums: TaskSums): number | undefined {
  const runs = sumOf(sums.runs);
  return runs === 0 ? undefined : (100 * sumOf(sums.successes)) / runs;
}

export function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
