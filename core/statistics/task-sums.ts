/** A scored run, as far as scores go. */
export interface ScoredRun {
  readonly taskId: string;
  /** Percent. */
  readonly score: number;
  readonly success: boolean;
}

/**
 * Scored runs summed by task, in columns: all that resampling tasks needs. Tasks without a scored run are left out.
 * Tasks are in the order of their ids, so that a seed gives the same draws however the runs came.
 */
export interface TaskSums {
  readonly taskIds: readonly string[];
  readonly runs: Float64Array;
  readonly scoreSums: Float64Array;
  readonly successes: Float64Array;
}

export function sumByTask(scored: Iterable<ScoredRun>): TaskSums {
  const sums = new Map<string, { runs: number; score: number; successes: number }>();
  for (const { taskId, score, success } of scored) {
    let sum = sums.get(taskId);
    if (sum === undefined) {
      sum = { runs: 0, score: 0, successes: 0 };
      sums.set(taskId, sum);
    }
    sum.runs += 1;
    sum.score += score;
    if (success) sum.successes += 1;
  }
  const tasks = [...sums].sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    taskIds: tasks.map(([id]) => id),
    runs: Float64Array.from(tasks, ([, sum]) => sum.runs),
    scoreSums: Float64Array.from(tasks, ([, sum]) => sum.score),
    successes: Float64Array.from(tasks, ([, sum]) => sum.successes),
  };
}

/** Mean score of each task over its scored repetitions, percent. */
export function taskMeans(sums: TaskSums): Float64Array {
  return sums.scoreSums.map((sum, task) => sum / (sums.runs[task] ?? 1));
}

/** Values that differ by less than this differ by rounding only. */
const ROUNDING = 1e-9;

/** Whether values differ: without that, no method but Wilson's tells how sure their mean is. */
export function haveSpread(values: Float64Array): boolean {
  const first = values[0] ?? 0;
  return values.some((value) => Math.abs(value - first) > ROUNDING);
}
