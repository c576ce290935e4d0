import { createHash } from 'node:crypto';
import { runKey } from '../core/ids';
import { type Rubric } from '../core/rubric';
import { plannedRuns, type SweepPlan } from '../core/sweep';
import { mapConcurrently } from '../activities/read-json';
import {
  identifyRun,
  type IdentifiedRun,
  type LaunchState,
  RunStates,
} from '../activities/run-state';
import { type ObjectStore } from '../activities/store/port';
import { estimatePlan, type FoundRun, type PlanEstimate } from './plan-estimate';

const READS_AT_ONCE = 32;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Runs of a plan by what the store has of them. `planned = reused + toJudge + toRun`. */
export interface PlanCounts {
  readonly planned: number;
  /** Scored already, under this rubric and judge. */
  readonly reused: number;
  /** Delivered already; only verdicts are missing. */
  readonly toJudge: number;
  readonly toRun: number;
  /** Scored under the sweep's previous plan, and part of this plan no more. */
  readonly orphaned: number;
  /** Planned by the previous plan, not scored, and part of this plan no more: an open sweep ends them unfinished. */
  readonly dropped: number;
}

/** @param rubrics by task id; the store may not have them yet */
export async function countPlan(
  store: ObjectStore,
  plan: SweepPlan,
  previous: SweepPlan | undefined,
  rubrics: ReadonlyMap<string, Rubric>,
): Promise<{ readonly counts: PlanCounts; readonly estimate: PlanEstimate }> {
  const states = new RunStates(store, plan);
  const all = plan.lanes.flatMap((lane) =>
    plannedRuns(plan).map((position) => identifyRun(plan, lane.id, position)),
  );
  const found = await mapConcurrently(all, READS_AT_ONCE, async (run): Promise<FoundRun> => {
    return { run, ...(await states.launchState(run)) };
  });
  const count = (state: LaunchState['state']): number =>
    found.filter((entry) => entry.state === state).length;
  const counts: PlanCounts = {
    planned: found.length,
    reused: count('scored'),
    toJudge: count('delivered'),
    toRun: count('new'),
    ...(await countGone(store, plan, previous)),
  };
  return { counts, estimate: await estimatePlan({ store, plan, states, rubrics }, found) };
}

async function countGone(
  store: ObjectStore,
  plan: SweepPlan,
  previous: SweepPlan | undefined,
): Promise<Pick<PlanCounts, 'orphaned' | 'dropped'>> {
  if (previous === undefined || previous.revision === plan.revision)
    return { orphaned: 0, dropped: 0 };
  const keysOf = (of: SweepPlan): IdentifiedRun[] =>
    of.lanes.flatMap((lane) =>
      plannedRuns(of).map((position) => identifyRun(of, lane.id, position)),
    );
  const kept = new Set(keysOf(plan).map((run) => run.runKey));
  const gone = keysOf(previous).filter((run) => !kept.has(run.runKey));
  const states = new RunStates(store, previous);
  const scored = await mapConcurrently(
    gone,
    READS_AT_ONCE,
    async (run) => (await states.scoredGenerations(run)).length > 0,
  );
  const orphaned = scored.filter(Boolean).length;
  return { orphaned, dropped: gone.length - orphaned };
}

/** Two runs of one plan with the same key, by id; `undefined` when every key is its own. */
export function findEqualRuns(plan: SweepPlan): readonly [string, string] | undefined {
  const seen = new Map<string, string>();
  for (const lane of plan.lanes)
    for (const task of plan.tasks) {
      // The repetition is part of the key, so the first of each stands for all.
      const key = runKey(plan, lane, task, 1, sha256);
      const id = `${lane.id}/${task.id}`;
      const twin = seen.get(key);
      if (twin !== undefined) return [twin, id];
      seen.set(key, id);
    }
  return undefined;
}
