import { createHash } from 'node:crypto';
import { canonicalJson, keyOf, runId, runKeyParts } from '../core/ids';
import { ownEntry } from '../core/own-entry';
import { type PlannedLane, type SweepPlan } from '../core/sweep';
import { type PlannedTask } from '../core/task';
import { findRun } from './find-run';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** One part of a run key that differs between two revisions. Values are canonical JSON; undefined = absent. */
export interface KeyDifference {
  /** `limits.maxSteps`, `harness.image.recipe`, `task.files.routes.csv`. */
  readonly part: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface RunExplanation {
  readonly runId: string;
  readonly runKey: string;
  /** Revision it was compared with; undefined when no earlier revision plans this run. */
  readonly comparedWith: number | undefined;
  readonly previousRunKey: string | undefined;
  /** Empty when the key is the same: a stored result is reused. */
  readonly differences: readonly KeyDifference[];
}

interface Planned {
  readonly lane: PlannedLane;
  readonly task: PlannedTask;
  readonly repetition: number;
}

/**
 * Says which part of a run's key differs from the previous revision. `id` is the run's id or the last parts of
 * it where no other run has them. Throws `Failure('InvalidInput')` for an unknown or ambiguous id.
 */
export function explainRun(
  plan: SweepPlan,
  previous: SweepPlan | undefined,
  id: string,
): RunExplanation {
  const planned = findRun(plan, id);
  const fullId = planned.runId;
  const parts = runKeyParts(plan, planned.lane, planned.task, planned.repetition);
  const earlier = previous === undefined ? undefined : lookUp(previous).get(fullId);
  const base = { runId: fullId, runKey: keyOf(parts, sha256) };
  if (previous === undefined || earlier === undefined)
    return { ...base, comparedWith: undefined, previousRunKey: undefined, differences: [] };
  const before = runKeyParts(previous, earlier.lane, earlier.task, earlier.repetition);
  return {
    ...base,
    comparedWith: previous.revision,
    previousRunKey: keyOf(before, sha256),
    differences: [
      ...diff('', { ...before, task: undefined }, { ...parts, task: undefined }),
      ...(before.task === parts.task
        ? []
        : diff('task', contentOf(earlier.task), contentOf(planned.task))),
    ],
  };
}

/** A task's part of the key in the open: which file, which output. */
function contentOf(task: PlannedTask): object {
  return {
    files: Object.fromEntries(task.files.map((file) => [file.path, file.sha256])),
    outputs: Object.fromEntries(task.outputs.map((output) => [output.path, output.format])),
  };
}

function lookUp(plan: SweepPlan): Map<string, Planned> {
  const runs = new Map<string, Planned>();
  for (const lane of plan.lanes)
    for (const task of plan.tasks)
      for (let repetition = 1; repetition <= plan.repetitions; repetition++)
        runs.set(runId(lane.id, task.id, repetition), { lane, task, repetition });
  return runs;
}

function diff(part: string, before: unknown, after: unknown): KeyDifference[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.flatMap((name) =>
      diff(part === '' ? name : `${part}.${name}`, ownEntry(before, name), ownEntry(after, name)),
    );
  }
  const [left, right] = [print(before), print(after)];
  return left === right ? [] : [{ part, before: left, after: right }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function print(value: unknown): string | undefined {
  return value === undefined ? undefined : canonicalJson(value);
}
