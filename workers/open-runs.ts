import { type Client } from '@temporalio/client';
import { type Settings } from '../config/environment';
import { storeKeys, workflowIds } from '../core/ids';
import { RUN_STAGES, type RunStage } from '../core/run';
import { type SweepPlan } from '../core/sweep';
import { isWorkerAway } from './away';
import { findExecution } from './sweep-control';
import { connectClient, temporalTarget } from './temporal-connection';
import { searchAttributeKeys } from '../workflows/messages';

/**
 * What Temporal says of a sweep's runs at this moment; the store alone cannot tell a run that works from one that was
 * cut off.
 */
export type OpenRuns =
  | { readonly sweep: 'open'; readonly stages: ReadonlyMap<string, RunStage> }
  | { readonly sweep: 'closed' }
  /** No server answers. */
  | { readonly sweep: 'unknown' };

/** Asks the server of these settings. Never throws where none answers: what the store has is shown then. */
export async function askOpenRuns(
  settings: Pick<Settings, 'dataDir' | 'temporalAddress' | 'temporalNamespace'>,
  plan: SweepPlan,
): Promise<OpenRuns> {
  const client = await temporalTarget(settings)
    .then(connectClient)
    .catch(() => undefined);
  if (client === undefined) return { sweep: 'unknown' };
  try {
    return await openRuns(client, plan);
  } finally {
    await client.connection.close().catch(() => undefined);
  }
}

/** Stages of running runs by run id. A sweep that is open with another plan works on other runs than these. */
export async function openRuns(client: Client, plan: SweepPlan): Promise<OpenRuns> {
  const { sweep, revision } = plan;
  try {
    const execution = await findExecution(client, sweep);
    if (execution?.isOpen !== true || execution.planKey !== storeKeys.plan(sweep, revision))
      return { sweep: 'closed' };
    const stages = new Map<string, RunStage>();
    const query = `EvalSweep = '${sweep}' AND WorkflowType = 'run' AND ExecutionStatus = 'Running'`;
    const prefix = workflowIds.run(sweep, '');
    for await (const { workflowId, typedSearchAttributes } of client.workflow.list({ query })) {
      const named = typedSearchAttributes.get(searchAttributeKeys.stage);
      const stage = RUN_STAGES.find((known) => known === named) ?? 'waiting';
      if (workflowId.startsWith(prefix)) stages.set(workflowId.slice(prefix.length), stage);
    }
    return { sweep: 'open', stages };
  } catch (error) {
    if (isWorkerAway(error)) return { sweep: 'unknown' };
    throw error;
  }
}

/** Stage of a run that an open sweep works on; `undefined` where it does not, or nobody says. */
export function stageOf(open: OpenRuns | undefined, runId: string): RunStage | undefined {
  return open?.sweep === 'open' ? open.stages.get(runId) : undefined;
}
