import { type RenderActivities, type RunReference } from '../core/activity-contract';
import { Failure } from '../core/failure';
import { storeKeys } from '../core/ids';
import { type RunResult } from '../core/run';
import { type PlannedLane, type SweepPlan } from '../core/sweep';
import { buildView } from './evidence/evidence-service';
import { IN_PROCESS_RECIPE } from './evidence/in-process-renderer';
import { type Renderer } from './evidence/port';
import { RenderingsUnderWay } from './evidence/renderings-under-way';
import { withHeartbeat } from './failure-mapping';
import { parseAttachments, parserDigest } from './parse-attachments';
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
  const underWay = new RenderingsUnderWay();
  return {
    renderEvidence: ({ run }) =>
      withHeartbeat(async ({ signal }) => {
        const { deliverables } = await loadResult(deps.store, run);
        const plan = await deps.plans.loadPlan(run.planKey);
        const { lane, task } = identifyRun(plan, run.laneId, run);
        const renderer = deps.rendererFor(lane);
        requirePlannedRecipe(plan, renderer);
        const { viewKey } = await buildView(
          { store: deps.store, renderer, scratchDir: deps.scratchDir, underWay },
          { task, deliverables, signal },
        );
        return { viewKey, deliverableCount: deliverables.files.length };
      }, deps.heartbeatIntervalMs),
    parseAttachments: ({ run }) =>
      withHeartbeat(async ({ signal }) => {
        const plan = await deps.plans.loadPlan(run.planKey);
        const { lane, task } = identifyRun(plan, run.laneId, run);
        if (plan.parser === undefined) return;
        const renderer = deps.rendererFor(lane);
        if (parserDigest(renderer.recipe) !== plan.parser) throw otherVersion(plan, renderer);
        const { store, scratchDir } = deps;
        await parseAttachments({ store, renderer, scratchDir }, task, plan.parser, signal);
      }, deps.heartbeatIntervalMs),
  };
}

/**
 * Verdict keys hold the plan's renderer recipe: evidence by another one would be filed under a false identity.
 * Runs of the simulated provider are read in this process, whose recipe no plan states.
 */
function requirePlannedRecipe(plan: SweepPlan, renderer: Renderer): void {
  if (renderer.recipe === plan.rendererRecipe || renderer.recipe === IN_PROCESS_RECIPE) return;
  throw otherVersion(plan, renderer);
}

function otherVersion(plan: SweepPlan, renderer: Renderer): Failure {
  return new Failure(
    'ConfigMissing',
    `plan revision ${plan.revision} of sweep ${plan.sweep} has the renderer ${plan.rendererRecipe.slice(0, 16)}, ` +
      `this worker has ${renderer.recipe.slice(0, 16)}: start a worker of the plan's version, or run the sweep again for a new revision`,
  );
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
