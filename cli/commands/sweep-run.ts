import { type Client } from '@temporalio/client';
import { type Command } from 'commander';
import { printFault } from '../../config/located-yaml';
import { type BuiltPlan } from '../../workers/build-plan';
import { type ClientServices } from '../../workers/client-services';
import { type SweepHandle } from '../../workers/sweep-control';
import { type SweepStatus } from '../../workers/sweep-progress';
import { ownCommand } from '../../config/own-command';
import {
  askFirst,
  type LaunchFlags,
  refuseUnboundedSpending,
  warnOfOtherCode,
} from '../before-launch';
import { confirm } from '../confirm';
import { type FollowEnd } from '../follow';
import { toJson } from '../render/json';
import { printPlan } from '../render/plan';
import { attachOrReplace, inBrackets, whyStartAgain } from '../launch-sweep';
import { refuseHeldCohort, releaseEndedCohort } from '../take-cohort';
import { planInput, type PlanInputFlags, planOptions } from './sweep-plan';
import { endWatching, markOf, say, sayWhere, watchSweep } from '../watch-sweep';
import { unknownAsNull } from './sweep-status';

export interface RunFlags extends PlanInputFlags, LaunchFlags {
  readonly detach?: boolean;
  readonly takeCohort?: boolean;
  readonly json?: boolean;
}

export function registerRun(sweep: Command): void {
  planOptions(
    sweep
      .command('run')
      .argument('<file>', 'sweep file (YAML)')
      .description(
        'Launch a sweep, attach to it where it is open, or go on with it from the store.',
      )
      .option('--yes', 'yes to every question: to the cost, and to resuming a sweep that is paused')
      .option('--no-budget', 'let paid models run without a budget')
      .option('--detach', 'start, and do not wait for the end')
      .option('--take-cohort', 'go on with runs that a stack held which is gone for good')
      .option('--json', 'print the end as JSON'),
  ).action(async (file: string, flags: RunFlags) => {
    await runSweep(file, flags);
    // At once: a look at a worker that went away would go on trying behind the sweep's end.
    process.exit();
  });
}

interface Begun {
  readonly handle: SweepHandle;
  /** Of a sweep that ended before it could be left alone. */
  readonly end?: FollowEnd;
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
    const { counts, plan } = planned;
    const toDo = counts.toRun + counts.toJudge;
    if (toDo > 0 && (await isOpenUnchanged(services, planned))) {
      await warnOfOtherCode(services.settings, say);
      await attach(services, planned, flags);
      return;
    }
    if (toDo === 0 && !planned.isNewRevision) {
      say(`every planned run has a score already: nothing to do${markOf(plan)}`);
      print(flags, await storedStatus(services, planned));
      return;
    }
    refuseUnboundedSpending(planned, flags);
    // Before anybody is asked: without a server there is nothing to say yes to.
    await services.temporal();
    await warnOfOtherCode(services.settings, say);
    await askFirst(planned, flags, () => isOpen(services, plan.sweep), say);
    await launch(services, await planned.write(), flags);
  } finally {
    await services.close();
  }
}

async function launch(services: ClientServices, built: BuiltPlan, flags: RunFlags): Promise<void> {
  const { client } = await services.temporal();
  const { untilLoaded } = await import('../follow.js');
  await refuseHeldCohort(services, built.plan, flags);
  await watch(services, built, flags, async () => {
    const { sweep } = built.plan;
    const attached = await attachOrReplace(services, built, say);
    const { handle } = attached;
    // Nobody follows it, so nobody else would say that it was not let into its cohort.
    const end = flags.detach === true ? await untilLoaded(client, sweep, attached) : undefined;
    if (end !== undefined) return { handle, end };
    // Another launch may have started it, and somebody paused it, in between.
    await endTrouble(client, handle, sweep);
    return { handle };
  });
}

/** Nothing new is started, so there is nothing to ask but whether a pause shall end. */
async function attach(services: ClientServices, built: BuiltPlan, flags: RunFlags): Promise<void> {
  const { client } = await services.temporal();
  const { sweepHandle } = await import('../../workers/sweep-control.js');
  const { sweep } = built.plan;
  say(`sweep ${sweep} is open: attaching to it, nothing new is started`);
  const handle = sweepHandle(client, sweep);
  await endPause(client, handle, sweep, flags);
  await watch(services, built, flags, async () => {
    await endTrouble(client, handle, sweep);
    return { handle };
  });
}

/** Follows the sweep to its end, unless the command shall not wait; Ctrl-C lets go of it at any time. */
async function watch(
  services: ClientServices,
  built: BuiltPlan,
  flags: RunFlags,
  begin: () => Promise<Begun>,
): Promise<void> {
  const { plan } = built;
  const { sweep } = plan;
  const { detachOnInterrupt } = await import('../follow.js');
  const detaching = detachOnInterrupt();
  const following = async (): Promise<FollowEnd | undefined> => {
    const { handle, end } = await begin();
    if (end !== undefined) return end;
    const watched = { services, plan, handle };
    await sayWhere(watched);
    if (flags.detach !== true) return watchSweep(watched, detaching.signal);
    print(flags, await storedStatus(services, built, 'running'));
    say(
      `sweep ${sweep} is open; look with: ${ownCommand()} sweep status ${sweep}, or follow it with --watch`,
    );
    return undefined;
  };
  try {
    const end = await Promise.race([following(), detaching.happened]);
    if (end !== undefined && end.kind !== 'detached')
      await releaseEndedCohort(services, plan.cohort);
    if (end !== undefined)
      await endWatching({ services, plan }, end, (status) => print(flags, status));
  } finally {
    detaching.forget();
  }
}

async function isOpen(services: ClientServices, sweep: string): Promise<boolean> {
  const { findExecution } = await import('../../workers/sweep-control.js');
  const { client } = await services.temporal();
  return (await findExecution(client, sweep))?.isOpen === true;
}

/** Whether an execution with this plan and this code is open already. Where no server answers, none is. */
async function isOpenUnchanged(
  services: ClientServices,
  { isNewRevision, planKey, plan }: BuiltPlan,
): Promise<boolean> {
  if (isNewRevision) return false;
  const temporal = await services.temporal().catch(() => undefined);
  if (temporal === undefined) return false;
  const { findExecution } = await import('../../workers/sweep-control.js');
  const open = await findExecution(temporal.client, plan.sweep);
  return open?.isOpen === true && (await whyStartAgain(open, planKey)) === undefined;
}

/** A pause is somebody's word: only another word ends it. */
async function endPause(
  client: Client,
  handle: SweepHandle,
  sweep: string,
  flags: RunFlags,
): Promise<void> {
  const { readProgress } = await import('../../workers/sweep-progress.js');
  const { heldBy } = await import('../../workers/held-sweep.js');
  const progress = await readProgress(client, sweep).catch(() => undefined);
  const held = progress && heldBy(progress);
  if (held?.by !== 'pause') return;
  const why = `sweep ${sweep} is paused${inBrackets(held.reason)}`;
  const ends = flags.yes === true || (process.stdin.isTTY && (await confirm(`${why}. Resume it?`)));
  if (!ends) {
    say(`${why}, and stays so: ${ownCommand()} sweep resume ${sweep} ends that`);
    return;
  }
  const { resumeUpdate } = await import('../../workflows/messages.js');
  const { message } = await handle.executeUpdate(resumeUpdate, { args: [{}] });
  say(`${why}: ${message}`);
}

/** Running a blocked sweep means that it shall try again at once. */
async function endTrouble(client: Client, handle: SweepHandle, sweep: string): Promise<void> {
  const { readProgress } = await import('../../workers/sweep-progress.js');
  const { heldBy } = await import('../../workers/held-sweep.js');
  const progress = await readProgress(client, sweep).catch(() => undefined);
  const held = progress && heldBy(progress);
  if (held?.by !== 'trouble') return;
  const { resumeUpdate } = await import('../../workflows/messages.js');
  const { message } = await handle.executeUpdate(resumeUpdate, { args: [{}] });
  say(`${message}: what waited${inBrackets(held.reason)} tries again at once`);
}

/** The same shape whether there was work or not: that of `sweep status --json`. */
function print(flags: RunFlags, status: SweepStatus): void {
  if (flags.json === true) process.stdout.write(`${toJson(status, unknownAsNull)}\n`);
}

async function storedStatus(
  services: ClientServices,
  { plan, planKey }: BuiltPlan,
  state = 'not open',
): Promise<SweepStatus> {
  const { closedStatus } = await import('../../workers/sweep-progress.js');
  return closedStatus(services.store, plan, planKey, state);
}
