import { existsSync } from 'node:fs';
import { type Command } from 'commander';
import { type ConfigurationFault, printFault } from '../../config/located-yaml';
import { type TaskFolder } from '../../config/task-folder';
import { CommandError, EXIT } from '../exit';
import { escapeText } from '../render/escape';
import { plural } from '../../core/plural';
import { toJson } from '../render/json';

export function registerLint(task: Command): void {
  task
    .command('lint')
    .argument('<folders...>', 'task folders')
    .description('Check task folders: every error with its place and its fix, then warnings.')
    .option('--json', 'print faults, warnings and rubric facts as JSON')
    .action(async (folders: string[], flags: { json?: boolean }) => {
      const { lintTasks } = await import('../../config/lint-tasks.js');
      for (const folder of folders)
        if (!existsSync(folder))
          throw new CommandError(EXIT.usage, `${folder}: there is no such folder`);
      const linted = lintTasks(folders);
      const { faults, warnings } = linted;
      const tasks = linted.tasks.map(factsOf);
      if (flags.json === true) process.stdout.write(`${toJson({ tasks, faults, warnings })}\n`);
      else print(tasks, faults, warnings);
      if (faults.length > 0)
        throw new CommandError(
          EXIT.usage,
          `${plural(faults.length, 'fault')} in ${plural(folders.length, 'task folder')}`,
        );
    });
}

interface TaskFacts {
  readonly id: string;
  readonly domain: string;
  readonly items: number;
  readonly totalWeight: number;
  /** Percent of the weight that checks may decide. */
  readonly weightWithCheck: number;
  /** Percent of the weight, by dimension. */
  readonly weightByDimension: Readonly<Record<string, number>>;
  readonly inputs: number;
  readonly references: number;
}

function factsOf(task: TaskFolder): TaskFacts {
  const { items } = task.rubric;
  const total = items.reduce((sum, item) => sum + item.weight, 0);
  const share = (chosen: typeof items): number =>
    (100 * chosen.reduce((sum, item) => sum + item.weight, 0)) / total;
  const dimensions = [...new Set(items.map((item) => item.dimension))].sort();
  return {
    id: task.id,
    domain: task.domain,
    items: items.length,
    totalWeight: total,
    weightWithCheck: share(items.filter((item) => item.check !== undefined)),
    weightByDimension: Object.fromEntries(
      dimensions.map((dimension) => [
        dimension,
        share(items.filter((item) => item.dimension === dimension)),
      ]),
    ),
    inputs: task.files.length,
    references: task.reference.length,
  };
}

function print(
  tasks: readonly TaskFacts[],
  faults: readonly ConfigurationFault[],
  warnings: readonly ConfigurationFault[],
): void {
  for (const task of tasks) {
    const dimensions = Object.entries(task.weightByDimension)
      .map(([dimension, share]) => `${dimension} ${share.toFixed(0)} %`)
      .join(', ');
    process.stdout.write(
      `${task.id} (${task.domain}): ${plural(task.items, 'item')}, weight ${task.totalWeight}, ` +
        `${task.weightWithCheck.toFixed(0)} % of it with checks; ` +
        `${plural(task.inputs, 'workspace file')}, ${plural(task.references, 'reference file')}\n  ${dimensions}\n`,
    );
  }
  for (const fault of faults) process.stdout.write(`error: ${escapeText(printFault(fault))}\n`);
  for (const warning of warnings)
    process.stdout.write(`warning: ${escapeText(printFault(warning))}\n`);
}
