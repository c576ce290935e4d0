import { resolve } from 'node:path';
import { type Command } from 'commander';
import { type SweepFields } from '../../config/sweep-file';
import { laneId } from '../../core/ids';
import { IMPORTED } from '../../core/sweep';
import { CommandError, EXIT } from '../exit';
import { PATTERN_SWEEP, patternSweep } from '../pattern-sweep';
import { idFlag } from '../render/flags';
import { toJson } from '../render/json';
import { printRun } from '../render/run';
import { runSweep } from './sweep-run';

interface TryFlags {
  readonly sweep?: string;
  readonly lane?: string;
  readonly name?: string;
  readonly yes?: boolean;
  readonly budget: boolean;
  readonly json?: boolean;
}

export function registerTry(task: Command): void {
  task
    .command('try')
    .argument('<folder>', 'task folder')
    .description('One run of one task on the local stack, and its verdicts.')
    .option(
      '--sweep <file>',
      `take models, harnesses, limits and judge from this sweep file (default: ${PATTERN_SWEEP})`,
    )
    .option('--lanes, --lane <id>', 'the lane (model@harness) to run (default: the first one)')
    .option(
      '--name <id>',
      'keep results under this name (default: try-<task>); a new name runs anew',
      idFlag,
    )
    .option('--yes', 'do not ask')
    .option('--no-budget', 'let paid models run without a budget')
    .option('--json', 'print the run as JSON')
    .action(tryTask);
}

async function tryTask(folder: string, flags: TryFlags): Promise<void> {
  const { readTaskFolder } = await import('../../config/task-folder.js');
  const { ConfigurationError } = await import('../../config/configuration-error.js');
  const read = readTaskFolder(resolve(folder));
  if (read.task === undefined) throw new ConfigurationError(read.faults);
  const name = flags.name ?? `try-${read.task.id}`.slice(0, 60);
  const file = patternSweep(flags.sweep);
  // One run of one task, under a name of its own, so that it shares no result with that sweep.
  const instead = { sweep: name, cohort: name, tasks: [resolve(folder)], repetitions: 1 };
  const lane = flags.lane ?? (await firstLane(file, instead));
  let ended: CommandError | undefined;
  try {
    await runSweep(file, {
      lanes: [lane],
      instead,
      budget: flags.budget,
      ...(flags.yes === true && { yes: true }),
    });
  } catch (error) {
    // An incomplete run has verdicts too; they are shown before the command ends with its code.
    if (!(error instanceof CommandError)) throw error;
    if (error.code !== EXIT.incomplete && error.code !== EXIT.overBudget) throw error;
    ended = error;
    await cancelIfOpen(name);
  }
  await show(name, `${lane}/${read.task.id}/r1`, flags.json === true);
  if (ended !== undefined) throw ended;
}

/** A try that is stuck would stay open for ever, since nobody comes back to it. */
async function cancelIfOpen(sweep: string): Promise<void> {
  const { openClientServices } = await import('../../workers/client-services.js');
  const { findExecution, sweepHandle } = await import('../../workers/sweep-control.js');
  const services = await openClientServices();
  try {
    const { client } = await services.temporal();
    if ((await findExecution(client, sweep))?.isOpen !== true) return;
    process.stderr.write(`startupbench: ${sweep} cannot go on: cancelling it\n`);
    const handle = sweepHandle(client, sweep);
    await handle.cancel();
    await handle.result().catch(() => undefined);
  } finally {
    await services.close();
  }
}

async function firstLane(file: string, instead: SweepFields): Promise<string> {
  const { readSweepFile } = await import('../../config/sweep-file.js');
  const { ConfigurationError } = await import('../../config/configuration-error.js');
  const sweep = readSweepFile(file, instead);
  if ('faults' in sweep) throw new ConfigurationError(sweep.faults);
  const [model] = sweep.value.models;
  const [harness] = sweep.value.harnesses;
  const [submission] = sweep.value.submissions;
  if (model === undefined && submission !== undefined) return laneId(submission.id, IMPORTED);
  return `${model?.id ?? ''}@${harness ?? ''}`;
}

async function show(sweep: string, id: string, json: boolean): Promise<void> {
  const { openResults } = await import('../../workers/open-results.js');
  const { findRun } = await import('../../workers/find-run.js');
  const { runDetails } = await import('../../workers/run-details.js');
  const results = await openResults(sweep);
  const details = await runDetails(results, findRun(results.plan, id));
  process.stdout.write(json ? `${toJson(details)}\n` : printRun(details));
}
