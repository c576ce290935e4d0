import { type Client } from '@temporalio/client';
import { type Command } from 'commander';
import { resultProvider } from '../../core/sweep';
import { printFault } from '../../config/located-yaml';
import { type BuiltPlan } from '../../workers/build-plan';
import { type ClientServices } from '../../workers/client-services';
import { type SweepHandle } from '../../workers/sweep-control';
import { type SweepStatus } from '../../workers/sweep-progress';
import { type SweepProgress } from '../../workflows/messages';
import { ownCommand } from '../../config/own-command';
import {
  askFirst,
  type LaunchFlags,
  refuseUnboundedSpending,
  warnOfOtherCode,
} from '../before-launch';
import { CommandError, EXIT, type ExitCode } from '../exit';
import { type FollowEnd } from '../follow';
import { escapeText } from '../render/escape';
import { lanesMark } from '../render/marks';
import { printPlan } from '../render/plan';
import { takeCohortOrFail } from '../take-cohort';
import { planInput, type PlanInputFlags, planOptions } from './sweep-plan';
import { failureLines, unknownAsNull } from './sweep-status';

export interface RunFlags extends PlanInputFlags, LaunchFlags {
  readonly detach?: boolean;
  readonly json?: boolean;
}

export function registerRun(sweep: Command): void {
  planOptions(
    sweep
      .command('run')
      .argument('<file>', 'sweep file (YAML)')
      .description('Launch a sweep, attach to it where it is open, or resume it from the store.')
      .option('--yes', 'do not ask')
      .option('--no-budget', 'let paid models run without a budget')
      .option('--detach', 'start, and do not wait for the end')
      .option('--json', 'print the end as JSON'),
  ).action(async (file: string, flags: RunFlags) => {
    await runSweep(file, flags);
    // At once: a look at a worker that went away would go on trying behind the sweep's end.
    process.exit();
  });
}

/** Launches, attaches or resumes, and waits for the end. */
export async function runSweep(file: string, flags: RunFlags): Promise<void> {
  const { openClientServices } = await import('../../workers/client-services.js');
  const { buildPlan } = await import('../../workers/build-plan.js');
  const services = await openClientServices();
  try {
    const planned = await buildPlan(planInput(file, flags), services.planDependencies());
    for (const warning of planned.warnings) say(`warning: ${printFault(warning)}`);
    process.stderr.write(`${printPlan(planned)}\n`);
    refuseUnboundedSpending(planned, flags);
    const { counts } = planned;
    if (counts.toRun + counts.toJudge === 0 && !planned.isNewRevision) {
      say(`every planned run has a score already: nothing to do${markOf(planned)}`);
      await print(flags, () => storedStatus(services, planned));
      return;
    }
    await warnOfOtherCode(services.settings, say);
    await askFirst(planned, flags, () => isOpen(services, planned.plan.sweep), say);
    await launch(services, await planned.write(), flags);
  } finally {
    await services.close();
  }
}

async function launch(services: ClientServices, built: BuiltPlan, flags: RunFlags): Promise<void> {
  const { client, target } = await services.temporal();
  await takeCohortOrFail(services, built.plan, client, target.namespace);
  await makeWay(client, built);
  const { detachOnInterrupt } = await import('../follow.js');
  const detaching = detachOnInterrupt();
  try {
    const following = startAndFollow(services, built, flags, detaching.signal);
    const end = await Promise.race([following, detaching.happened]);
    if (end !== undefined) await finish(services, built, end, flags);
  } finally {
    detaching.forget();
  }
}

/** `undefined` with `--detach`. */
async function startAndFollow(
  services: ClientServices,
  built: BuiltPlan,
  flags: RunFlags,
  signal: AbortSignal,
): Promise<FollowEnd | undefined> {
  const { client, target } = await services.temporal();
  const { attachOrStart, findExecution } = await import('../../workers/sweep-control.js');
  const { followSweep } = await import('../follow.js');
  const { plan, planKey } = built;
  const { sweep } = plan;
  const stack = services.settings.stackId;
  const handle = await attachOrStart({ client, stack, plan, planKey });
  await wakeUp(client, handle, sweep);
  const startedAt = (await findExecution(client, sweep))?.startedAt ?? new Date();
  if (target.uiUrl !== undefined)
    say(
      `watch it at ${target.uiUrl}/namespaces/${target.namespace}/workflows/${encodeURIComponent(handle.workflowId)}`,
    );
  if (flags.detach === true) {
    await print(flags, () => storedStatus(services, built, 'running'));
    say(`sweep ${sweep} runs; look with: ${ownCommand()} sweep status ${sweep}`);
    return undefined;
  }
  const mark = markOf(built);
  return followSweep({ client, sweep, handle, startedAt, output: process.stderr, mark, signal });
}

async function isOpen(services: ClientServices, sweep: string): Promise<boolean> {
  const { findExecution } = await import('../../workers/sweep-control.js');
  const { client } = await services.temporal();
  return (await findExecution(client, sweep))?.isOpen === true;
}

/** An open sweep of another plan or of other code ends first; its sandboxes run on and are adopted. */
async function makeWay(client: Client, { plan, planKey }: BuiltPlan): Promise<void> {
  const control = await import('../../workers/sweep-control.js');
  const { workflowBuildId } = await import('../../workers/build-id.js');
  const open = await control.findExecution(client, plan.sweep);
  if (open?.isOpen !== true) return;
  const why =
    open.planKey !== planKey
      ? 'another plan'
      : open.build !== workflowBuildId()
        ? 'other code'
        : open.isPart
          ? 'single runs only'
          : undefined;
  if (why === undefined) {
    say(`sweep ${plan.sweep} is open: attaching`);
    return;
  }
  say(`sweep ${plan.sweep} is open with ${why}: it starts again from the store, sandboxes run on`);
  await control.endWithoutCancelling(client, plan.sweep);
}

/** Running a paused or blocked sweep means that it shall go on. */
async function wakeUp(client: Client, handle: SweepHandle, sweep: string): Promise<void> {
  const { readProgress } = await import('../../workers/sweep-progress.js');
  const { resumeUpdate } = await import('../../workflows/messages.js');
  const progress = await readProgress(client, sweep).catch(() => undefined);
  const held =
    progress?.state === 'paused' ||
    progress?.state === 'blocked' ||
    progress?.lanes.some(
      ({ blockedBy, holding }) =>
        blockedBy === 'breaker' || blockedBy === 'paused' || holding !== undefined,
    );
  if (held !== true) return;
  const { message } = await handle.executeUpdate(resumeUpdate, { args: [{}] });
  say(message);
}

async function finish(
  services: ClientServices,
  built: BuiltPlan,
  end: FollowEnd,
  flags: RunFlags,
): Promise<void> {
  const { sweep } = built.plan;
  const status = async () => {
    const { sweepStatus } = await import('../../workers/find-sweep.js');
    return sweepStatus(services.store, sweep, (await services.temporal()).client);
  };
  switch (end.kind) {
    case 'closed':
      await print(flags, status);
      closed(sweep, end.progress, markOf(built));
      return;
    case 'stuck':
      await print(flags, status);
      stuck(sweep, end.progress);
      return;
    case 'detached':
      throw new CommandError(
        EXIT.detached,
        `detached: sweep ${sweep} goes on without this command. Look: ${ownCommand()} sweep status ${sweep}. ` +
          `End it: ${ownCommand()} sweep cancel ${sweep}`,
      );
    case 'cancelled':
      throw new CommandError(EXIT.detached, `sweep ${sweep} was cancelled; finished runs are kept`);
    case 'terminated':
      throw new CommandError(
        EXIT.detached,
        `this execution of sweep ${sweep} was ended by another launch or by an operator; finished runs are kept`,
      );
    case 'failed':
      throw new CommandError(EXIT.failed, `sweep ${sweep} failed: ${escapeText(end.message)}`);
  }
}

function closed(sweep: string, progress: SweepProgress, mark: string): void {
  const total = (field: 'scored' | 'incomplete' | 'failed' | 'cancelled' | 'planned') =>
    progress.lanes.reduce((sum, lane) => sum + lane[field], 0);
  const counts = `${total('scored')} scored, ${total('incomplete')} incomplete, ${total('failed')} failed, ${total('cancelled')} cancelled of ${total('planned')}`;
  for (const lane of progress.lanes)
    if (lane.endedLane === 'failed')
      say(`lane ${lane.lane} failed: ${lane.reason ?? 'no reason given'}`);
  failureLines(progress.lanes).forEach(say);
  if (total('scored') < total('planned'))
    throw new CommandError(
      EXIT.incomplete,
      `sweep ${sweep} ended incomplete: ${counts}${mark}. Run it again to resume`,
    );
  say(`sweep ${sweep} is done: ${counts}${mark}. Tables: ${ownCommand()} report ${sweep}`);
}

function stuck(sweep: string, progress: SweepProgress): void {
  const code: ExitCode = progress.state === 'over-budget' ? EXIT.overBudget : EXIT.incomplete;
  const help =
    progress.state === 'over-budget'
      ? `raise it with: ${ownCommand()} sweep budget ${sweep} USD`
      : `go on with: ${ownCommand()} sweep resume ${sweep}`;
  const reason = progress.reason === undefined ? '' : ` (${escapeText(progress.reason)})`;
  throw new CommandError(
    code,
    `sweep ${sweep} is ${progress.state}${reason} and waits; finished runs are kept; ${help}`,
  );
}

/** The same shape whether there was work or not: that of `sweep status --json`. */
async function print(flags: RunFlags, status: () => Promise<SweepStatus>): Promise<void> {
  if (flags.json === true)
    process.stdout.write(`${JSON.stringify(await status(), unknownAsNull, 2)}\n`);
}

async function storedStatus(
  services: ClientServices,
  { plan, planKey }: BuiltPlan,
  state = 'not open',
): Promise<SweepStatus> {
  const { closedStatus } = await import('../../workers/sweep-progress.js');
  return closedStatus(services.store, plan, planKey, state);
}

function markOf({ plan }: BuiltPlan): string {
  return lanesMark(plan.lanes.map(resultProvider));
}

function say(line: string): void {
  process.stderr.write(`startupbench: ${escapeText(line)}\n`);
}
