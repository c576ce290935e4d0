import { type RenderActivities, type RunReference } from '../core/activity-contract';
import { Failure } from '../core/failure';
import { storeKeys } from '../core/ids';
import { type RunResult } from '../core/run';
import { type PlannedLane } from '../core/sweep';
import { buildView } from './evidence/evidence-service';
import { type Renderer } from './evidence/port';
import { withHeartbeat } from './failure-mapping';
import { type PlanCache } from './plan-cache';
import { readJson } from './read-json';
import { identifyRun } from './run-state';
import { type ObjectStore } from './store/port';

export interface RenderActivitiesDependencies {
  readonly store: ObjectStore;
  readonly plans: PlanCache;
  /** The renderer for a lane's runs: a container, or this process for runs of the simulated provider. */
  rendererFor(lane: PlannedLane): Renderer;
  readonly scratchDir: string;
  /** @default 2000 */
  readonly heartbeatIntervalMs?: number;
}

/** Activities of the queue `render`. */
export function createRenderActivities(deps: RenderActivitiesDependencies): RenderActivities {
  return {
    renderEvidence: ({ run }) =>
      withHeartbeat(async ({ signal }) => {
        const { deliverables } = await loadResult(deps.store, run);
        const plan = await deps.plans.loadPlan(run.planKey);
        const { lane, task } = identifyRun(plan, run.laneId, run);
        const renderer = deps.rendererFor(lane);
        const { viewKey } = await buildView(
          { store: deps.store, renderer, scratchDir: deps.scratchDir },
          { task, deliverables, signal },
        );
        return { viewKey, deliverableCount: deliverables.files.length };
      }, deps.heartbeatIntervalMs),
  };
}

async function loadResult(store: ObjectStore, run: RunReference): Promise<RunResult> {
  const key = storeKeys.result(run.runKey, run.generation);
  const result = await readJson<RunResult>(store, key);
  if (!result)
    throw new Failure(
      'InvalidInput',
      `run ${run.runId} has no result ${key} in ${store.description}`,
    );
  return result;
}
