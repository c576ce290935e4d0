import { join } from 'node:path';
import { type AttemptReference } from '../../core/activity-contract';
import { workflowIds } from '../../core/ids';
import { type PlannedLane, type SweepPlan } from '../../core/sweep';
import { type PlannedTask } from '../../core/task';
import { type HarnessAdapter } from '../harness/port';
import { createHarness } from '../harness/registry';
import { type PlanCache } from '../plan-cache';
import { identifyRun } from '../run-state';
import { attemptPaths, type AttemptPaths } from '../sandbox/attempt-paths';
import { AttemptState } from '../sandbox/attempt-state';
import { attemptIdOf, type SandboxLabels } from '../sandbox/port';

/** Everything an activity needs to know of the attempt it works on. */
export interface AttemptContext {
  readonly reference: AttemptReference;
  readonly plan: SweepPlan;
  readonly lane: PlannedLane;
  readonly task: PlannedTask;
  readonly harness: HarnessAdapter;
  readonly labels: SandboxLabels;
  readonly attemptId: string;
  readonly paths: AttemptPaths;
  readonly state: AttemptState;
}

/** Which host this is, and where its attempts lie. */
export interface HostIdentity {
  readonly stack: string;
  readonly hostId: string;
  /** `<data>/sandboxes`, absolute. */
  readonly sandboxesDir: string;
}

export type ResolveAttempt = (reference: AttemptReference) => Promise<AttemptContext>;

/** Loads plan, lane and task by reference; throws `Failure('InvalidInput')` when the plan has no such run. */
export function attemptResolver(plans: PlanCache, host: HostIdentity): ResolveAttempt {
  return async (reference) => {
    const { run, attempt, hostId } = reference;
    const plan = await plans.loadPlan(run.planKey);
    const { lane, task } = identifyRun(plan, run.laneId, run);
    const labels: SandboxLabels = {
      stack: host.stack,
      hostId,
      runKey: run.runKey,
      runId: run.runId,
      generation: run.generation,
      attempt,
      workflowId: workflowIds.run(plan.sweep, run.runId),
    };
    const attemptId = attemptIdOf(labels);
    const paths = attemptPaths(join(host.sandboxesDir, attemptId));
    return {
      reference,
      plan,
      lane,
      task,
      harness: createHarness(lane.harness),
      labels,
      attemptId,
      paths,
      state: new AttemptState(paths.control),
    };
  };
}
