import {
  type Client,
  WithStartWorkflowOperation,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { type UpdateDefinition } from '@temporalio/common';
import { workflowIds } from '../core/ids';
import { plural } from '../core/plural';
import { type SweepPlan } from '../core/sweep';
import {
  attachUpdate,
  pauseUpdate,
  searchAttributeKeys,
  SWEEP_TYPE,
  type CommandResult,
  type SweepInput,
} from '../workflows/messages';
import { type sweep as sweepWorkflow } from '../workflows/sweep';
import { workflowBuildId } from './build-id';
import { whileServerIsNew } from './new-server';

/** For as long as a workflow's children are terminated before it is itself. */
const END_CHILDREN_MS = 60_000;
const LOOK_AGAIN_MS = 50;

export type SweepHandle = WorkflowHandle<typeof sweepWorkflow>;

/** What a sweep's memo tells the next launch. */
interface SweepMemo {
  readonly planKey?: string;
  readonly build?: string;
  readonly isPart?: boolean;
}

/** The newest execution of a sweep. */
export interface SweepExecution {
  readonly isOpen: boolean;
  /** Temporal's word: RUNNING, COMPLETED, CANCELLED, FAILED, TERMINATED. */
  readonly status: string;
  readonly planKey: string | undefined;
  readonly build: string | undefined;
  /** Started for single runs only. */
  readonly isPart: boolean;
  readonly startedAt: Date;
  readonly closedAt: Date | undefined;
}

export interface LaunchTarget {
  readonly client: Client;
  readonly stack: string;
  readonly plan: SweepPlan;
  readonly planKey: string;
}

/** `undefined` when Temporal knows no such sweep. */
export async function findExecution(
  client: Client,
  sweep: string,
): Promise<SweepExecution | undefined> {
  return findById(client, workflowIds.sweep(sweep));
}

export async function findById(
  client: Client,
  workflowId: string,
): Promise<SweepExecution | undefined> {
  try {
    const { status, memo, startTime, closeTime } = await client.workflow
      .getHandle(workflowId)
      .describe();
    const { planKey, build, isPart = false } = (memo ?? {}) as SweepMemo;
    return {
      isOpen: status.name === 'RUNNING',
      status: status.name,
      planKey,
      build,
      isPart,
      startedAt: startTime,
      closedAt: closeTime,
    };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

export function sweepHandle(client: Client, sweep: string): SweepHandle {
  return client.workflow.getHandle<typeof sweepWorkflow>(workflowIds.sweep(sweep));
}

/** Attaches to the open sweep, or starts it from what the store has. */
export async function attachOrStart(target: LaunchTarget): Promise<SweepHandle> {
  await commandWithStart(target, attachUpdate, []);
  return sweepHandle(target.client, target.plan.sweep);
}

/** Sends a command to the open sweep, or starts it with the command; `only` limits what a started sweep runs. */
export async function commandWithStart<Args extends unknown[]>(
  target: LaunchTarget,
  update: UpdateDefinition<CommandResult, Args>,
  args: Args,
  only?: readonly string[],
): Promise<CommandResult> {
  const { client, stack, plan, planKey } = target;
  const input: SweepInput = { planKey, ...(only !== undefined && { only }) };
  const runs = plan.tasks.length * plan.repetitions;
  // An operation serves one call.
  const operation = () =>
    new WithStartWorkflowOperation<typeof sweepWorkflow>(SWEEP_TYPE, {
      workflowId: workflowIds.sweep(plan.sweep),
      workflowIdConflictPolicy: 'USE_EXISTING',
      taskQueue: `${stack}/workflows`,
      args: [input],
      memo: { planKey, build: workflowBuildId(), isPart: only !== undefined },
      staticSummary: `${plural(plan.lanes.length, 'lane')} of ${plural(runs, 'run')}`,
      staticDetails: `cohort ${plan.cohort}, plan revision ${plan.revision}, judge ${plan.judge.model.id}`,
      typedSearchAttributes: [{ key: searchAttributeKeys.sweep, value: plan.sweep }],
    });
  return whileServerIsNew(() =>
    client.workflow.executeUpdateWithStart(update, { args, startWorkflowOperation: operation() }),
  );
}

/**
 * Ends an open sweep without ending its work: nothing new starts, then runs, lanes and sweep are terminated in this
 * order, so that no close policy reaches a run. Activities detach, sandboxes run on, and the next start adopts them.
 */
export async function endWithoutCancelling(client: Client, sweep: string): Promise<void> {
  const handle = sweepHandle(client, sweep);
  const reason = 'the sweep starts again with another plan or other code';
  // A sweep that cannot answer (its code is gone) starts nothing either.
  await handle.executeUpdate(pauseUpdate, { args: [{ reason }] }).catch(() => undefined);
  const lanes = await openChildren(client, workflowIds.sweep(sweep));
  for (const lane of lanes) await endChildren(client, lane, reason);
  await terminateListed(client, sweep, 'run', reason);
  for (const lane of lanes) await terminate(client, lane, reason);
  await terminateListed(client, sweep, 'lane', reason);
  await terminate(client, workflowIds.sweep(sweep), reason);
}

/** Until a workflow has none; one that was about to start is met in the next round. */
async function endChildren(client: Client, workflowId: string, reason: string): Promise<void> {
  const giveUpMs = performance.now() + END_CHILDREN_MS;
  for (;;) {
    const children = await openChildren(client, workflowId);
    if (children.length === 0 || performance.now() > giveUpMs) return;
    await Promise.all(children.map((child) => terminate(client, child, reason)));
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/**
 * Children that a workflow has open, by its own record. The list of workflows lags behind, by seconds on a busy
 * machine: a run missing there would be cancelled by its lane's end, its sandbox removed and its steps paid again.
 */
async function openChildren(client: Client, workflowId: string): Promise<string[]> {
  try {
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    return (raw.pendingChildren ?? []).map((child) => child.workflowId ?? '').filter(Boolean);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return [];
    throw error;
  }
}

/** What an earlier execution of the sweep may have left open. */
async function terminateListed(
  client: Client,
  sweep: string,
  type: 'run' | 'lane',
  reason: string,
): Promise<void> {
  for await (const { workflowId } of client.workflow.list({
    query: `EvalSweep = '${sweep}' AND WorkflowType = '${type}' AND ExecutionStatus = 'Running'`,
  }))
    await terminate(client, workflowId, reason);
}

async function terminate(client: Client, workflowId: string, reason: string): Promise<void> {
  await client.workflow
    .getHandle(workflowId)
    .terminate(reason)
    .catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    });
}
