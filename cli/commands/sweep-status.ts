import { type Command } from 'commander';
import { lookAtSettings } from '../../config/environment';
import { formatUsd } from '../../core/money';
import { providerMark } from '../../core/provider-mark';
import { type LaneStatus, type SweepStatus } from '../../workers/sweep-progress';
import { describeSeconds } from '../render/duration';
import { escapeText } from '../render/escape';
import { failureLines } from '../render/failures';
import { lanesMark } from '../render/marks';
import { renderTable } from '../render/table';
import { terminalWidth } from '../render/width';

export function registerStatus(sweep: Command): void {
  sweep
    .command('status')
    .argument('<sweep>', 'id of a sweep')
    .description('How far a sweep is, what it costs, what blocks it.')
    .option('--json', 'print as JSON')
    .action(async (id: string, flags: { json?: boolean }) => {
      const { openClientServices } = await import('../../workers/client-services.js');
      const { sweepStatus } = await import('../../workers/find-sweep.js');
      const services = await openClientServices(lookAtSettings());
      try {
        const temporal = await services.temporal().catch(() => undefined);
        const status = await sweepStatus(services.store, id, temporal?.client);
        process.stdout.write(
          flags.json === true
            ? `${JSON.stringify(status, unknownAsNull, 2)}\n`
            : printStatus(status, terminalWidth(process.stdout)),
        );
      } finally {
        await services.close();
      }
    });
}

/** A field that is not known is there and null, so that readers need not guess. */
export function unknownAsNull(_key: string, value: unknown): unknown {
  return value === undefined ? null : value;
}

const COLUMNS = ['planned', 'waiting', 'running', 'scored', 'incomplete', 'failed'] as const;

/** What keeps a lane from starting runs, or its open ones from getting on. */
function blockedBy({ blockedBy: cause, holding, reason }: LaneStatus): string {
  const held = holding === undefined ? [] : [`holding ${holding.runs}`];
  const words = cause === undefined || cause === 'holding' ? held : [cause, ...held];
  if (words.length === 0) return '';
  return `${words.join(', ')}${reason === undefined ? '' : `: ${reason}`}`;
}

/** Where a sweep stands, for a terminal `width` columns wide. */
export function printStatus(status: SweepStatus, width?: number): string {
  const columns = ['lane', ...COLUMNS, 'agent / judging', 'cost', 'blocked by'];
  const rows = status.lanes.map((lane) => [
    `${lane.lane}${providerMark(lane.provider)}`,
    ...COLUMNS.map((name) => String(lane[name])),
    `${lane.byStage.agent} / ${lane.byStage.judging}`,
    formatUsd(lane.costMicroUsd),
    blockedBy(lane),
  ]);
  const reason = status.reason === undefined ? '' : ` (${status.reason})`;
  const budget =
    status.budgetMicroUsd === undefined ? '' : ` of ${formatUsd(status.budgetMicroUsd)}`;
  const eta =
    status.etaSeconds === undefined ? '' : `, about ${describeSeconds(status.etaSeconds)} left`;
  const total = (count: 'planned' | 'scored') =>
    status.lanes.reduce((sum, lane) => sum + lane[count], 0);
  const head =
    `${status.sweep}${lanesMark(status.lanes.map((lane) => lane.provider))}: ${status.state}${reason}, ` +
    `${total('scored')} of ${total('planned')} scored, ${formatUsd(status.costMicroUsd)}${budget}${eta}`;
  const right = (column: number): boolean => column > 0 && column < columns.length - 1;
  const failures = failureLines(status.lanes).map((line) => `${escapeText(line)}\n`);
  return `${escapeText(head)}\n${renderTable(columns, rows, { right, width })}\n${failures.join('')}`;
}
