import { userInfo } from 'node:os';
import { InvalidArgumentError, type Command } from 'commander';
import { type UpdateDefinition } from '@temporalio/common';
import { ownCommand } from '../../config/own-command';
import { formatUsd, type MicroUsd, microUsd } from '../../core/money';
import { type SweepPlan } from '../../core/sweep';
import { type ClientServices } from '../../workers/client-services';
import { type CommandResult } from '../../workflows/messages';
import { CommandError, EXIT } from '../exit';
import { escapeText } from '../render/escape';

interface JsonFlag {
  readonly json?: boolean;
}

/** Commands to an open sweep. `resume` and `rerun` also start one that is closed. */
export function registerControl(sweep: Command): void {
  const command = (name: string, parameters: string, description: string) =>
    sweep
      .command(`${name} <sweep>${parameters}`)
      .description(description)
      .option('--json', 'print the answer as JSON');
  command('pause', '', 'Start nothing more; open runs go on to their end, or wait too (--hold).')
    .requiredOption('--reason <text>', 'shown wherever the sweep is shown')
    .option('--lanes, --lane <lane>', 'only this lane')
    .option('--hold', 'open runs wait too, at their next model request')
    .action(
      async (
        id: string,
        {
          reason,
          lane,
          hold,
          ...flags
        }: JsonFlag & { reason: string; lane?: string; hold?: boolean },
      ) => {
        const { pauseUpdate } = await messages();
        await tell(id, flags, pauseUpdate, [
          { reason, ...(lane !== undefined && { lane }), ...(hold === true && { hold }) },
        ]);
      },
    );
  command('resume', '', 'Go on after a pause, provider trouble, or a closed sweep.')
    .option('--lanes, --lane <lane>', 'only this lane')
    .action(async (id: string, { lane, ...flags }: JsonFlag & { lane?: string }) => {
      const { resumeUpdate } = await messages();
      await tell(id, flags, resumeUpdate, [lane === undefined ? {} : { lane }], {
        start: true,
        unlessDone: true,
      });
    });
  command('window', ' <lane>', 'Change how many runs a lane keeps open.')
    .argument('<n>', 'open runs', openRuns)
    .action(async (id: string, lane: string, window: number, flags: JsonFlag) => {
      const { setWindowUpdate } = await messages();
      await tell(id, flags, setWindowUpdate, [{ lane, window }]);
    });
  command('budget', '', "Raise the sweep's budget to this total.")
    .argument('<usd>', 'US dollars', positive)
    .action(async (id: string, usd: number, flags: JsonFlag) => {
      await raiseBudget(id, microUsd(usd), flags);
    });
  command('rerun', ' <run>', 'Do one run again as a new generation; older ones are kept.')
    .requiredOption('--reason <text>', 'kept with the new generation')
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
          { start: true, only: (plan) => [explainRun(plan, undefined, run).runId] },
        );
      },
    );
  command('cancel', ' [run]', 'End a sweep, or one run of it; finished runs are kept.').action(
    async (id: string, run: string | undefined, flags: JsonFlag) => {
      if (run === undefined) return cancelSweep(id, flags);
      const { cancelRunUpdate } = await messages();
      const { explainRun } = await import('../../workers/explain-run.js');
      return tell(id, flags, cancelRunUpdate, (plan) => [
        { runId: explainRun(plan, undefined, run).runId },
      ]);
    },
  );
}

const messages = () => import('../../workflows/messages.js');

interface StartWhenClosed {
  readonly start: true;
  /** Nothing is started when every planned run is scored. */
  readonly unlessDone?: true;
  readonly only?: (plan: SweepPlan) => readonly string[];
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
    const { plan, planKey } = await findPlan(services.store, id);
    const given = typeof args === 'function' ? args(plan) : args;
    const open = (await control.findExecution(client, plan.sweep))?.isOpen === true;
    if (!open && whenClosed === undefined)
      throw new CommandError(
        EXIT.failed,
        `sweep ${plan.sweep} is not open: ${ownCommand()} sweep run FILE, or sweep resume ${plan.sweep}, starts it`,
      );
    if (!open && whenClosed?.unlessDone === true) {
      const { closedStatus } = await import('../../workers/sweep-progress.js');
      if ((await closedStatus(services.store, plan, planKey, 'not open')).state === 'done') {
        const message = `every planned run of sweep ${plan.sweep} is scored: nothing is to be resumed`;
        report({ accepted: true, message }, flags);
        return;
      }
    }
    const stack = services.settings.stackId;
    const answer = open
      ? await control.sweepHandle(client, plan.sweep).executeUpdate(update, { args: given })
      : await control.commandWithStart(
          { client, stack, plan, planKey },
          update,
          given,
          whenClosed?.only?.(plan),
        );
    report(answer, flags);
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
    const { client } = await services.temporal();
    const { plan } = await findPlan(services.store, id);
    if ((await findExecution(client, plan.sweep))?.isOpen !== true)
      throw new CommandError(EXIT.failed, `sweep ${plan.sweep} is not open`);
    const handle = sweepHandle(client, plan.sweep);
    await handle.cancel();
    process.stderr.write('startupbench: cancelling; containers are being removed\n');
    await handle.result().catch(() => undefined);
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
  if (flags.json === true) process.stdout.write(`${JSON.stringify(answer)}\n`);
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

function openRuns(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 500)
    throw new InvalidArgumentError('give a whole number from 1 to 500');
  return value;
}
