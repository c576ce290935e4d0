/** A scored run, as far as scores go. */
export interface ScoredRun {
  readonly taskId: string;
  /** Percent. */
  readonly score: number;
  readonly success: boolean;
}

/** Scored runs summed by task, in columns: all that resampling tasks needs. Tasks without a scored run are left out. */
export interface TaskSums {
  readonly taskIds: readonly string[];
  readonly runs: Float64Array;
  readonly scoreSums: Float64Array;
  readonly successes: Float64Array;
}

export function sumByTask(scored: Iterable<ScoredRun>): TaskSums {
  const index = new Map<string, number>();
  const runs: number[] = [];
  const scoreSums: number[] = [];
  const successes: number[] = [];
  for (const run of scored) {
    let at = index.get(run.taskId);
    if (at === undefined) {
      at = index.size;
      index.set(run.taskId, at);
      runs.push(0);
      scoreSums.push(0);
      successes.push(0);
    }
    runs[at] = (runs[at] ?? 0) + 1;
    scoreSums[at] = (scoreSums[at] ?? 0) + run.score;
    successes[at] = (successes[at] ?? 0) + (run.success ? 1 : 0);
  }
  return {
    taskIds: [...index.keys()],
    runs: Float64Array.from(runs),
    scoreSums: Float64Array.from(scoreSums),
    successes: Float64Array.from(successes),
  };
}

/** Mean score of each task over its scored repetitions, percent. */
export function taskMeans(sums: TaskSums): Float64Array {
  return sums.scoreSums.map((sum, task) => sum / (sums.runs[task] ?? 1));
}
