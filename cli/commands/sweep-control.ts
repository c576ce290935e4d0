import { userInfo } from 'node:os';
import { InvalidArgumentError, type Command } from 'commander';
import { type UpdateDefinition } from '@temporalio/common';
import { ownCommand } from '../../config/own-command';
import { formatUsd, type MicroUsd, microUsd } from '../../core/money';
import { type SweepPlan } from '../../core/sweep';
import { type ClientServices } from '../../workers/client-services';
import { type CommandResult } from '../../workflows/messages';
import { refusedAsClosed } from '../closed-sweep';
import { CommandError, EXIT } from '../exit';
import { escapeText } from '../render/escape';
import { refuseHeldCohort, releaseEndedCohort } from '../take-cohort';
import { toJson } from '../render/json';

interface JsonFlag {
  readonly json?: boolean;
}

/** A worker that runs answers within milliseconds. */
const ANSWER_MS = 5_000;
const MAX_REASON = 500;
const LANE = ['--lane, --lanes <lane>', 'only this lane (model@harness)'] as const;
const RUN = 'id of a run, or its last parts (task/r1) where no other run has them';

/** Commands to an open sweep. `rerun` also starts one that is closed, for its run alone. */
export function registerControl(sweep: Command): void {
  const command = (name: string, description: string) =>
    sweep
      .command(name)
      .argument('<sweep>', 'id of the sweep')
      .description(description)
      .option('--json', 'print the answer as JSON');
  command('pause', 'Start nothing more; open runs go on to their end, or wait too (--hold).')
    .requiredOption('--reason <text>', 'shown wherever the sweep is shown (required)', reasonText)
    .option(...LANE)
    .option('--hold', 'open runs wait too, at their next model request')
    .action(
      async (
        id: string,
        {
          reason,
          lanes: lane,
          hold,
          ...flags
        }: JsonFlag & { reason: string; lanes?: string; hold?: boolean },
      ) => {
        const { pauseUpdate } = await messages();
        await tell(id, flags, pauseUpdate, [
          { reason, ...(lane !== undefined && { lane }), ...(hold === true && { hold }) },
        ]);
      },
    );
  command(
    'resume',
    'Go on after a pause; requests that wait for their provider try at once. Starts no closed sweep: `sweep run` does.',
  )
    .option(...LANE)
    .action(async (id: string, { lanes, ...flags }: JsonFlag & { lanes?: string }) => {
      await resumeSweep(id, lanes, flags);
    });
  command('window', 'Change how many runs a lane keeps open.')
    .argument('<lane>', 'id of the lane (model@harness)')
    .argument('<n>', 'open runs', openRuns)
    .action(async (id: string, lane: string, window: number, flags: JsonFlag) => {
      const { setWindowUpdate } = await messages();
      await tell(id, flags, setWindowUpdate, [{ lane, window }]);
    });
  command('budget', "Raise the sweep's budget to this total.")
    .argument('<usd>', 'US dollars', positive)
    .action(async (id: string, usd: number, flags: JsonFlag) => {
      await raiseBudget(id, microUsd(usd), flags);
    });
  command('rerun', 'Do one run again as a new generation; older ones are kept.')
    .argument('<run>', RUN)
    .requiredOption('--reason <text>', 'kept with the new generation (required)', reasonText)
    .option('--force', 'also a run that has a score', false)
    .action(
      async (id: string, run: string, flags: JsonFlag & { reason: string; force: boolean }) => {
        const { rerunUpdate } = await messages();
        const { explainRun } = await import('../../workers/explain-run.js');
        const { reason, force } = flags;
        await tell(
          id,
          flags,
          rerunUpdate,
          (plan) => {
            const { runId } = explainRun(plan, undefined, run);
            return [{ runId, who: userInfo().username, reason, force }];
          },
          { only: (plan) => [explainRun(plan, undefined, run).runId] },
        );
      },
    );
  command('cancel', 'End a sweep, or one run of it; finished runs are kept.')
    .argument('[run]', `${RUN}; without it the whole sweep ends`)
    .action(async (id: string, run: string | undefined, flags: JsonFlag) => {
      if (run === undefined) return cancelSweep(id, flags);
      const { cancelRunUpdate } = await messages();
      const { explainRun } = await import('../../workers/explain-run.js');
      return tell(id, flags, cancelRunUpdate, (plan) => [
        { runId: explainRun(plan, undefined, run).runId },
      ]);
    });
}

const messages = () => import('../../workflows/messages.js');

interface StartWhenClosed {
  /** What a started sweep runs. */
  readonly only: (plan: SweepPlan) => readonly string[];
}

async function tell<Args extends [unknown]>(
  id: string,
  flags: JsonFlag,
  update: UpdateDefinition<CommandResult, Args>,
  args: Args | ((plan: SweepPlan) => Args),
  whenClosed?: StartWhenClosed,
): Promise<void> {
  await withServices(async (services) => {
    const { findPlan } = await import('../../workers/find-sweep.js');
    const control = await import('../../workers/sweep-control.js');
    const { client } = await services.temporal();
    const stored = await findPlan(services.store, id);
    const { plan } = stored;
    const given = typeof args === 'function' ? args(plan) : args;
    const execution = await control.findExecution(client, plan.sweep);
    if (execution?.isOpen === true) {
      report(
        await control.sweepHandle(client, plan.sweep).executeUpdate(update, { args: given }),
        flags,
      );
      return;
    }
    if (whenClosed === undefined) throw await refusedAsClosed(services, stored, execution);
    await refuseHeldCohort(services, plan);
    const stack = services.settings.stackId;
    const only = whenClosed.only(plan);
    report(
      await control.commandWithStart({ client, stack, ...stored }, update, given, only),
      flags,
    );
  });
}

/** Starts nothing: what a closed sweep's remaining runs cost is said, and asked, by `sweep run`. */
async function resumeSweep(id: string, lane: string | undefined, flags: JsonFlag): Promise<void> {
  await withServices(async (services) => {
    const { findPlan } = await import('../../workers/find-sweep.js');
    const { findExecution, sweepHandle } = await import('../../workers/sweep-control.js');
    const { readProgress } = await import('../../workers/sweep-progress.js');
    const { heldBy } = await import('../../workers/held-sweep.js');
    const { resumeUpdate } = await messages();
    const { client } = await services.temporal();
    const stored = await findPlan(services.store, id);
    const { sweep } = stored.plan;
    const execution = await findExecution(client, sweep);
    if (execution?.isOpen !== true) throw await refusedAsClosed(services, stored, execution);
    const progress = await readProgress(client, sweep);
    const held = heldBy(progress, lane);
    if (held === undefined && progress.state === 'over-budget')
      throw new CommandError(
        EXIT.usage,
        `sweep ${sweep} is not paused, its budget is used up: ${ownCommand()} sweep budget ${sweep} USD raises it`,
      );
    const { accepted, message } = await sweepHandle(client, sweep).executeUpdate(resumeUpdate, {
      args: [lane === undefined ? {} : { lane }],
    });
    const unseen = `sweep ${sweep} is ${progress.state}: nothing of it was seen to be paused or held, and it goes on`;
    report({ accepted, message: held === undefined ? unseen : message }, flags);
  });
}

/** Kept in the store first, so that later launches hold to it whatever becomes of this command and of the server. */
async function raiseBudget(id: string, maxCostMicroUsd: MicroUsd, flags: JsonFlag): Promise<void> {
  await withServices(async (services) => {
    const { findPlan } = await import('../../workers/find-sweep.js');
    const { findExecution } = await import('../../workers/sweep-control.js');
    const { budgetOf, keepRaisedBudget } = await import('../../activities/sweep-budget.js');
    const { raiseBudgetUpdate } = await messages();
    const { client } = await services.temporal();
    const { plan } = await findPlan(services.store, id);
    const before = await budgetOf(services.store, plan);
    const who = userInfo().username;
    await keepRaisedBudget(services.store, plan, { maxCostMicroUsd, who }, new Date());
    if ((await findExecution(client, plan.sweep))?.isOpen === true) {
      await tell(id, flags, raiseBudgetUpdate, [{ maxCostMicroUsd }]);
      return;
    }
    report(answerOfClosed(plan.sweep, before, maxCostMicroUsd), flags);
  });
}

function answerOfClosed(sweep: string, before: MicroUsd | undefined, now: MicroUsd): CommandResult {
  if (before === undefined)
    return { accepted: false, message: 'the sweep has no budget, so nothing limits it' };
  if (now <= before)
    return {
      accepted: false,
      message: `the budget is ${formatUsd(before)} already; it can only be raised`,
    };
  const message = `budget raised from ${formatUsd(before)} to ${formatUsd(now)}; sweep ${sweep} is not open: it holds from its next launch`;
  return { accepted: true, message };
}

async function cancelSweep(id: string, flags: JsonFlag): Promise<void> {
  await withServices(async (services) => {
    const { findPlan } = await import('../../workers/find-sweep.js');
    const { findExecution, sweepHandle } = await import('../../workers/sweep-control.js');
    const { readProgress } = await import('../../workers/sweep-progress.js');
    const { client } = await services.temporal();
    const stored = await findPlan(services.store, id);
    const { plan } = stored;
    const execution = await findExecution(client, plan.sweep);
    if (execution?.isOpen !== true) throw await refusedAsClosed(services, stored, execution);
    const handle = sweepHandle(client, plan.sweep);
    await handle.cancel();
    const isServed = await client
      .withDeadline(Date.now() + ANSWER_MS, () => readProgress(client, plan.sweep))
      .then(
        () => true,
        () => false,
      );
    process.stderr.write(
      isServed
        ? 'startupbench: cancelling; containers are being removed\n'
        : `startupbench: no worker answers: it ends when one is there (${ownCommand()} up). Ctrl-C ends this wait, and not the order\n`,
    );
    await handle.result().catch(() => undefined);
    await releaseEndedCohort(services, plan.cohort);
    report(
      { accepted: true, message: `sweep ${plan.sweep} is cancelled; finished runs are kept` },
      flags,
    );
  });
}

async function withServices(work: (services: ClientServices) => Promise<void>): Promise<void> {
  const { openClientServices } = await import('../../workers/client-services.js');
  const services = await openClientServices();
  try {
    await work(services);
  } finally {
    await services.close();
  }
}

function report(answer: CommandResult, flags: JsonFlag): void {
  if (flags.json === true) process.stdout.write(`${toJson(answer, undefined, 0)}\n`);
  else if (answer.accepted) process.stdout.write(`${escapeText(answer.message)}\n`);
  // Refused as it was asked: nothing has changed, and asking the same again would be refused again.
  if (!answer.accepted) throw new CommandError(EXIT.usage, escapeText(answer.message));
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('give an amount in dollars, above 0');
  return value;
}

/** As the open sweep checks it too, but there it is too late to say which option is meant. */
function reasonText(text: string): string {
  if (text.trim() === '' || text.length > MAX_REASON)
    throw new InvalidArgumentError(`give a reason of 1 to ${MAX_REASON} characters`);
  return text;
}

function openRuns(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 500)
    throw new InvalidArgumentError('give a whole number from 1 to 500');
  return value;
}
