import { type Command } from 'commander';
import { lookAtSettings } from '../../config/environment';
import { escapeText } from '../render/escape';
import { toJson } from '../render/json';
import { lanesMark } from '../render/marks';
import { renderTable } from '../render/table';
import { terminalWidth } from '../render/width';

const COLUMNS = [
  ...[
    'sweep',
    'cohort',
    'revision',
    'running',
    'scored',
    'incomplete',
    'failed',
    'state',
    'planned at',
  ],
];

export function registerList(sweep: Command): void {
  sweep
    .command('list')
    .description('All sweeps of the store, each as `sweep status` has it.')
    .option('--json', 'print as JSON')
    .action(async (flags: { json?: boolean }) => {
      const { openClientServices } = await import('../../workers/client-services.js');
      const { listSweeps } = await import('../../workers/find-sweep.js');
      const services = await openClientServices(lookAtSettings());
      try {
        const temporal = await services.temporal().catch(() => undefined);
        const sweeps = await listSweeps(services.store, temporal?.client);
        if (flags.json === true) {
          const kinds = sweeps.map((each) => ({
            ...each,
            providers: [...new Set(each.providers)],
          }));
          process.stdout.write(`${toJson(kinds)}\n`);
          return;
        }
        if (sweeps.length === 0) {
          process.stderr.write(`no sweep was launched yet in ${services.store.description}\n`);
          return;
        }
        const rows = sweeps.map((each) => [
          `${each.sweep}${lanesMark(each.providers)}`,
          each.cohort,
          String(each.revision),
          String(each.running),
          `${each.scored}/${each.planned}`,
          String(each.incomplete),
          String(each.failed),
          each.state,
          each.createdAt,
        ]);
        for (const { sweep: id, problem } of sweeps)
          if (problem !== undefined) process.stderr.write(escapeText(`${id}: ${problem}`) + '\n');
        process.stdout.write(
          `${renderTable(COLUMNS, rows, { width: terminalWidth(process.stdout) })}\n`,
        );
      } finally {
        await services.close();
      }
    });
}
