import { join } from 'node:path';
import { type Command } from 'commander';
import { lookAtSettings } from '../../config/environment';
import { printFault } from '../../config/located-yaml';
import { commaList } from '../render/flags';
import { escapeText } from '../render/escape';
import { plural } from '../../core/plural';
import { toJson } from '../render/json';

interface ImportFlags {
  readonly name?: string;
  readonly tasks?: readonly string[];
  readonly json?: boolean;
}

export function registerImport(submission: Command): void {
  submission
    .command('import')
    .argument('<folder>', 'system.yaml (product, date, operator) and <task>/r<k>/...')
    .description('Put deliverables made elsewhere into the store, for sweeps to judge.')
    .option(
      '--name <id>',
      "id of the submission (default: system.yaml's id, else the folder's name)",
    )
    .option(
      '--tasks <folders>',
      "task folders or globs, comma-separated (default: the project's tasks)",
      commaList,
    )
    .option('--json', 'print the submission as JSON')
    .action(async (folder: string, flags: ImportFlags) => {
      const { openClientServices } = await import('../../workers/client-services.js');
      const { importSubmission } = await import('../../workers/import-submission.js');
      const services = await openClientServices(lookAtSettings());
      const imported = await importSubmission(services.store, {
        folder,
        tasks: flags.tasks ?? [join(services.settings.projectDir, 'tasks', '*')],
        ...(flags.name !== undefined && { name: flags.name }),
      });
      const { submission: made, isNew, warnings } = imported;
      for (const warning of warnings)
        process.stderr.write(`warning: ${escapeText(printFault(warning))}\n`);
      if (flags.json === true) {
        process.stdout.write(`${toJson({ ...made, isNew })}\n`);
        return;
      }
      const { product, date, operator } = made.system;
      const files = made.runs.reduce((sum, run) => sum + run.files, 0);
      const tasks = new Set(made.runs.map(({ task }) => task)).size;
      process.stdout.write(
        `${made.id} (imported): ${escapeText(product)}, ${date}, run by ${escapeText(operator)}\n` +
          `${plural(made.runs.length, 'run')} of ${plural(tasks, 'task')}, ${plural(files, 'file')}, ` +
          `digest ${made.digest.slice(0, 12)}${isNew ? '' : '; the store had it already'}\n`,
      );
      process.stderr.write(`name it in a sweep file: submissions: [${made.id}]\n`);
    });
}
