import { type RunState } from '../run';

/** States a planned run can be in when a report is made. */
export type CoverageState = Exclude<RunState, 'running'>;

/** `planned = scored + incomplete + failed + missing`, always. */
export interface Coverage {
  readonly planned: number;
  readonly scored: number;
  readonly incomplete: number;
  readonly failed: number;
  readonly missing: number;
}

export const NO_COVERAGE: Coverage = {
  planned: 0,
  scored: 0,
  incomplete: 0,
  failed: 0,
  missing: 0,
};

/** Counts states against the plan. Throws a RangeError when the two do not add up: a run was lost or counted twice. */
export function coverageOf(planned: number, states: Iterable<CoverageState>): Coverage {
  const counts = { scored: 0, incomplete: 0, failed: 0, missing: 0 };
  for (const state of states) counts[state] += 1;
  const found = counts.scored + counts.incomplete + counts.failed + counts.missing;
  if (found !== planned)
    throw new RangeError(
      `coverage does not add up: ${planned} runs are planned, ${found} were found ` +
        `(${counts.scored} scored, ${counts.incomplete} incomplete, ${counts.failed} failed, ${counts.missing} missing)`,
    );
  return { planned, ...counts };
}

export function isComplete(coverage: Coverage): boolean {
  return coverage.scored === coverage.planned;
}
