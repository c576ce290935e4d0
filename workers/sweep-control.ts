import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  WithStartWorkflowOperation,
  type WorkflowExecutionStatusName,
  type WorkflowHandle,
  WorkflowNotFoundError,
  type WorkflowUpdateHandle,
} from '@temporalio/client';
import { type UpdateDefinition } from '@temporalio/common';
import { Failure } from '../core/failure';
import { workflowIds } from '../core/ids';
import { plural } from '../core/plural';
import { type SweepPlan } from '../core/sweep';
import {
  attachUpdate,
  searchAttributeKeys,
  SWEEP_TYPE,
  type CommandResult,
  type SweepInput,
} from '../workflows/messages';
import { type sweep as sweepWorkflow } from '../workflows/sweep';
import { workflowBuildId } from './build-id';
import { whileServerIsNew } from './new-server';

/** A sweep that ends in the moment in which it is told something cannot take it; the next one can. */
const TRIES = 10;
const TRY_AGAIN_MS = 300;

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
  /** Temporal's word: RUNNING, PAUSED, COMPLETED, CANCELLED, FAILED, TERMINATED. */
  readonly status: string;
  readonly planKey: string | undefined;
  readonly build: string | undefined;
  /** Started for single runs only. */
  readonly isPart: boolean;
  /** Of the chain's first execution: a sweep that continues as new keeps it. */
  readonly firstRunId: string;
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

/** A workflow that somebody paused in Temporal goes on when it is unpaused. */
export function isOpenStatus(status: WorkflowExecutionStatusName): boolean {
  return status === 'RUNNING' || status === 'PAUSED';
}

/** @param runId default: the newest execution */
export async function findById(
  client: Client,
  workflowId: string,
  runId?: string,
): Promise<SweepExecution | undefined> {
  try {
    const { status, memo, startTime, closeTime, ...found } = await client.workflow
      .getHandle(workflowId, runId)
      .describe();
    const { planKey, build, isPart = false } = (memo ?? {}) as SweepMemo;
    return {
      isOpen: isOpenStatus(status.name),
      status: status.name,
      planKey,
      build,
      isPart,
      firstRunId: found.raw.workflowExecutionInfo?.firstRunId || found.runId,
      startedAt: startTime,
      closedAt: closeTime,
    };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** @param firstRunId only this chain of executions; default: the newest execution */
export function sweepHandle(client: Client, sweep: string, firstRunId?: string): SweepHandle {
  const options = firstRunId === undefined ? {} : { firstExecutionRunId: firstRunId };
  const id = workflowIds.sweep(sweep);
  return client.workflow.getHandle<typeof sweepWorkflow>(id, undefined, options);
}

/** The execution that a launch came to, which may be that of another launch at the same time. */
export interface Attached {
  readonly handle: SweepHandle;
  readonly execution: SweepExecution;
}

/** Attaches to the open sweep, or starts it from what the store has. */
export async function attachOrStart(target: LaunchTarget): Promise<Attached> {
  const { client, plan } = target;
  const { runId } = await tellWithStart(target, attachUpdate, []);
  const id = workflowIds.sweep(plan.sweep);
  const execution = await findById(client, id, runId);
  if (execution === undefined) throw new WorkflowNotFoundError('it is gone', id, runId);
  // Of this very execution: what a later launch makes of the sweep is not this command's.
  return { handle: sweepHandle(client, plan.sweep, execution.firstRunId), execution };
}

/**
 * Sends a command to the open sweep, or starts it with the command; `only` limits what a started sweep runs. Throws
 * `Failure('Superseded')` with why where the sweep ended before it could answer.
 */
export async function commandWithStart<Args extends unknown[]>(
  target: LaunchTarget,
  update: UpdateDefinition<CommandResult, Args>,
  args: Args,
  only?: readonly string[],
): Promise<CommandResult> {
  return (await tellWithStart(target, update, args, only)).answer;
}

async function tellWithStart<Args extends unknown[]>(
  target: LaunchTarget,
  update: UpdateDefinition<CommandResult, Args>,
  args: Args,
  only?: readonly string[],
): Promise<{ readonly answer: CommandResult; readonly runId: string | undefined }> {
  const { client, plan } = target;
  for (let attempt = 1; ; attempt++) {
    try {
      const told = await whileServerIsNew(() =>
        client.workflow.startUpdateWithStart(update, {
          args,
          waitForStage: 'ACCEPTED',
          // An operation serves one call.
          startWorkflowOperation: startOperation(target, only),
        }),
      );
      const runId = told.workflowRunId;
      return { answer: await answerOf(client, plan.sweep, told), runId };
    } catch (error) {
      if (!isEnding(error) || attempt === TRIES) throw error;
      await sleep(TRY_AGAIN_MS);
    }
  }
}

function startOperation(
  { stack, plan, planKey }: LaunchTarget,
  only: readonly string[] | undefined,
): WithStartWorkflowOperation<typeof sweepWorkflow> {
  const input: SweepInput = { planKey, ...(only !== undefined && { only }) };
  const runs = plan.tasks.length * plan.repetitions;
  return new WithStartWorkflowOperation<typeof sweepWorkflow>(SWEEP_TYPE, {
    workflowId: workflowIds.sweep(plan.sweep),
    workflowIdConflictPolicy: 'USE_EXISTING',
    taskQueue: `${stack}/workflows`,
    args: [input],
    memo: { planKey, build: workflowBuildId(), isPart: only !== undefined },
    staticSummary: `${plural(plan.lanes.length, 'lane')} of ${plural(runs, 'run')}`,
    staticDetails: `cohort ${plan.cohort}, plan revision ${plan.revision}, judge ${plan.judge.model.id}`,
    typedSearchAttributes: [{ key: searchAttributeKeys.sweep, value: plan.sweep }],
  });
}

/** A sweep that was not let into its cohort, say, ends before it answers: its own word says more than the server's. */
async function answerOf(
  client: Client,
  sweep: string,
  told: WorkflowUpdateHandle<CommandResult>,
): Promise<CommandResult> {
  try {
    return await told.result();
  } catch (error) {
    const id = workflowIds.sweep(sweep);
    const execution = await findById(client, id, told.workflowRunId);
    if (execution?.status !== 'FAILED') throw error;
    const why = await client.workflow
      .getHandle(id, told.workflowRunId)
      .result()
      .then(
        () => undefined,
        (failed: unknown) => failed,
      );
    throw new Failure('Superseded', `sweep ${sweep} failed: ${innermostMessage(why)}`, {
      cause: error,
    });
  }
}

/** What the innermost cause of a failed execution says. */
export function innermostMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? innermostMessage(error.cause) : error.message;
}

/** Whether an execution ended between being found open and being told. */
function isEnding(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { details } = at as { readonly details?: unknown };
    const words = `${typeof details === 'string' ? details : ''} ${at.message}`;
    if (
      /Update-with-Start could not be executed|workflow execution already completed/iu.test(words)
    )
      return true;
  }
  return false;
}
