import { type Command } from 'commander';
import { lookAtSettings } from '../../config/environment';
import { toJson } from '../render/json';
import { renderTable } from '../render/table';
import { terminalWidth } from '../render/width';

export function registerList(submission: Command): void {
  submission
    .command('list')
    .description('What was imported into the store.')
    .option('--json', 'print as JSON')
    .action(async (flags: { json?: boolean }) => {
      const { openClientServices } = await import('../../workers/client-services.js');
      const { listSubmissions } = await import('../../workers/plan-submissions.js');
      const { store } = await openClientServices(lookAtSettings());
      const submissions = await listSubmissions(store);
      if (flags.json === true) {
        process.stdout.write(`${toJson(submissions)}\n`);
        return;
      }
      if (submissions.length === 0) {
        process.stderr.write(`nothing was imported yet into ${store.description}\n`);
        return;
      }
      const rows = submissions.map(({ id, system, runs, digest, importedAt }) => [
        id,
        system.product,
        system.date,
        system.operator,
        String(runs.length),
        digest.slice(0, 12),
        importedAt,
      ]);
      const columns = [
        'submission',
        'product',
        'date',
        'operator',
        'runs',
        'digest',
        'imported at',
      ];
      process.stdout.write(
        `${renderTable(columns, rows, { right: (column) => column === 4, width: terminalWidth(process.stdout) })}\n`,
      );
    });
}
