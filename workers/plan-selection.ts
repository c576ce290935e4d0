import { type PlannedLane } from '../core/sweep';

/** A part of a sweep: `--tasks`, `--lanes`, `--limit`. */
export interface Selection {
  /** Task ids; `*` stands for any part. */
  readonly tasks?: readonly string[];
  /** Lane ids (`model@harness`); `*` stands for any part. */
  readonly lanes?: readonly string[];
  /** The first so many of the selected tasks. */
  readonly limit?: number;
}

export function selectFrom<Task extends { readonly id: string }>(
  tasks: readonly Task[],
  lanes: readonly PlannedLane[],
  selection: Selection,
  fault: (message: string) => void,
): { readonly tasks: readonly Task[]; readonly lanes: readonly PlannedLane[] } {
  const { limit } = selection;
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1))
    fault(`--limit ${limit}: give a whole number of tasks, at least 1`);
  return {
    tasks: pick('--tasks', tasks, selection.tasks, fault).slice(0, limit),
    lanes: pick('--lanes', lanes, selection.lanes, fault),
  };
}

function pick<Entry extends { readonly id: string }>(
  option: string,
  entries: readonly Entry[],
  patterns: readonly string[] | undefined,
  fault: (message: string) => void,
): readonly Entry[] {
  if (patterns === undefined) return entries;
  const expressions = patterns.map((pattern) => ({ pattern, matches: matcher(pattern) }));
  for (const { pattern, matches } of expressions)
    if (!entries.some((entry) => matches(entry.id)))
      fault(
        `${option} ${pattern}: nothing matches; there are ${entries.map((entry) => entry.id).join(', ')}`,
      );
  return entries.filter((entry) => expressions.some(({ matches }) => matches(entry.id)));
}

function matcher(pattern: string): (id: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/gu, '\\$&'));
  const expression = new RegExp(`^${parts.join('.*')}$`, 'u');
  return (id) => expression.test(id);
}
