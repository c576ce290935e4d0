import { type Interval, MIN_INTERVAL_TASKS } from './interval';
import { type TaskSums } from './task-sums';
import { wilsonInterval } from './wilson';

/** Rates over tasks whose k repetitions all have a score, percent. */
export interface RepeatedSuccess {
  readonly k: number;
  /** Tasks with k scored runs: what the rates are over. */
  readonly tasks: number;
  /** All k runs succeed. */
  readonly allK: number;
  /** Wilson's, as that of `bestOfK`; both absent for a single task. */
  readonly allKInterval?: Interval;
  /** At least one of k succeeds. */
  readonly bestOfK: number;
  readonly bestOfKInterval?: Interval;
}

/** `undefined` when no task has k scored runs. */
export function repeatedSuccess(sums: TaskSums, k: number): RepeatedSuccess | undefined {
  let tasks = 0;
  let all = 0;
  let any = 0;
  sums.runs.forEach((runs, task) => {
    if (runs < k) return;
    tasks += 1;
    if (sums.successes[task] === runs) all += 1;
    if ((sums.successes[task] ?? 0) > 0) any += 1;
  });
  if (tasks === 0) return undefined;
  const [allK, bestOfK] = [(100 * all) / tasks, (100 * any) / tasks];
  if (tasks < MIN_INTERVAL_TASKS) return { k, tasks, allK, bestOfK };
  return {
    ...{ k, tasks, allK, bestOfK },
    allKInterval: wilsonInterval(allK, tasks),
    bestOfKInterval: wilsonInterval(bestOfK, tasks),
  };
}
