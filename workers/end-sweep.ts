import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { workflowIds } from '../core/ids';
import { pauseUpdate } from '../workflows/messages';
import { findById, sweepHandle } from './sweep-control';

/** For as long as a workflow's children are waited for and terminated before it is itself. */
const END_CHILDREN_MS = 60_000;
const LOOK_AGAIN_MS = 50;

/** A workflow and its continuations, by the id of the first execution. */
interface Chain {
  readonly workflowId: string;
  readonly firstRunId: string;
}

/** The id of its first execution is empty while it is about to start. */
type Child = Chain;

/**
 * Ends an open sweep without ending its work: nothing new starts, then runs, lanes and sweep are terminated in this
 * order, so that no close policy reaches a run. Activities detach, sandboxes run on, and the next start adopts them.
 * What another launch starts under the same ids meanwhile is left alone.
 */
export async function endWithoutCancelling(
  client: Client,
  sweep: string,
  firstRunId: string,
): Promise<void> {
  const own: Chain = { workflowId: workflowIds.sweep(sweep), firstRunId };
  const reason = 'the sweep starts again with another plan or other code';
  if (!(await isNewest(client, own))) return;
  // A sweep that cannot answer (its code is gone) starts nothing either.
  await sweepHandle(client, sweep, firstRunId)
    .executeUpdate(pauseUpdate, { args: [{ reason }] })
    .catch(() => undefined);
  const lanes = await begunChildren(client, own);
  for (const lane of lanes) await endChildren(client, lane, reason);
  await terminateListed(client, own, sweep, 'run', reason);
  // A sweep whose last lane has ended ends by itself, as if that were its result.
  await Promise.all(lanes.map((lane) => terminate(client, lane, reason)));
  await terminate(client, own, reason);
  await terminateListed(client, own, sweep, 'lane', reason);
}

/** All that a workflow has open, once none is about to start: nobody could say what that one has begun. */
async function begunChildren(client: Client, parent: Chain): Promise<Chain[]> {
  const giveUpMs = performance.now() + END_CHILDREN_MS;
  for (;;) {
    const children = await openChildren(client, parent);
    const begun = children.filter(hasBegun);
    if (begun.length === children.length || performance.now() > giveUpMs) return begun;
    await sleep(LOOK_AGAIN_MS);
  }
}

/** Until a workflow has none; one that was about to start is met in the next round. */
async function endChildren(client: Client, lane: Chain, reason: string): Promise<void> {
  const giveUpMs = performance.now() + END_CHILDREN_MS;
  for (;;) {
    const children = await openChildren(client, lane);
    if (children.length === 0 || performance.now() > giveUpMs) return;
    await Promise.all(children.filter(hasBegun).map((child) => terminate(client, child, reason)));
    await sleep(LOOK_AGAIN_MS);
  }
}

function hasBegun({ firstRunId }: Child): boolean {
  return firstRunId !== '';
}

/**
 * Children that a workflow has open or is about to start, by its own record. The list of workflows lags behind, by
 * seconds on a busy machine: a run missing there would be cancelled by its lane's end, its sandbox removed and its steps
 * paid again.
 */
async function openChildren(client: Client, { workflowId, firstRunId }: Chain): Promise<Child[]> {
  try {
    const { raw, runId } = await client.workflow.getHandle(workflowId).describe();
    if ((raw.workflowExecutionInfo?.firstRunId || runId) !== firstRunId) return [];
    return (raw.pendingChildren ?? []).flatMap((child) =>
      child.workflowId ? [{ workflowId: child.workflowId, firstRunId: child.runId ?? '' }] : [],
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return [];
    throw error;
  }
}

/** What an earlier execution of the sweep may have left open. */
async function terminateListed(
  client: Client,
  own: Chain,
  sweep: string,
  type: 'run' | 'lane',
  reason: string,
): Promise<void> {
  const listed: { readonly workflowId: string; readonly runId: string }[] = [];
  for await (const { workflowId, runId } of client.workflow.list({
    query: `EvalSweep = '${sweep}' AND WorkflowType = '${type}' AND ExecutionStatus = 'Running'`,
  }))
    listed.push({ workflowId, runId });
  // While no later launch has begun, none of what was listed is that one's.
  if (listed.length === 0 || !(await isNewest(client, own))) return;
  for (const { workflowId, runId } of listed)
    await client.workflow.getHandle(workflowId, runId).terminate(reason).catch(unlessGone);
}

async function isNewest(client: Client, { workflowId, firstRunId }: Chain): Promise<boolean> {
  const newest = await findById(client, workflowId);
  return newest?.firstRunId === firstRunId;
}

async function terminate(
  client: Client,
  { workflowId, firstRunId }: Chain,
  reason: string,
): Promise<void> {
  await client.workflow
    .getHandle(workflowId, undefined, { firstExecutionRunId: firstRunId })
    .terminate(reason)
    .catch(unlessGone);
}

function unlessGone(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
