import { type Command } from 'commander';
import { lookAtSettings } from '../../config/environment';
import { formatUsd } from '../../core/money';
import { providerMark } from '../../core/provider-mark';
import { type ClientServices } from '../../workers/client-services';
import { type LaneStatus, type SweepStatus } from '../../workers/sweep-progress';
import { refusalOf } from '../closed-sweep';
import { CommandError, EXIT, type ExitCode } from '../exit';
import { describeSeconds } from '../render/duration';
import { escapeText } from '../render/escape';
import { failureLines } from '../render/failures';
import { toJson } from '../render/json';
import { lanesMark } from '../render/marks';
import { renderTable } from '../render/table';
import { terminalWidth } from '../render/width';

interface StatusFlags {
  readonly json?: boolean;
  readonly watch?: boolean;
}

export function registerStatus(sweep: Command): void {
  sweep
    .command('status')
    .argument('<sweep>', 'id of the sweep')
    .description('How far a sweep is, what it costs, what blocks it.')
    .option('--watch', 'follow it to its end as `sweep run` does, with its exit codes')
    .option('--json', 'print as JSON')
    .action(async (id: string, flags: StatusFlags) => {
      const { openClientServices } = await import('../../workers/client-services.js');
      const { sweepStatus } = await import('../../workers/find-sweep.js');
      const services = await openClientServices(lookAtSettings());
      try {
        if (flags.watch === true) {
          await watchStatus(services, id, flags);
          return;
        }
        const temporal = await services.temporal().catch(() => undefined);
        show(await sweepStatus(services.store, id, temporal?.client), flags);
      } finally {
        await services.close();
      }
    });
}

/** Changes nothing, whatever state the sweep is in. */
async function watchStatus(services: ClientServices, id: string, flags: StatusFlags) {
  const { findPlan, sweepStatus } = await import('../../workers/find-sweep.js');
  const { findExecution, sweepHandle } = await import('../../workers/sweep-control.js');
  const { endWatching, sayWhere, watchSweep } = await import('../watch-sweep.js');
  const { detachOnInterrupt } = await import('../follow.js');
  const stored = await findPlan(services.store, id);
  const { plan } = stored;
  const { client } = await services.temporal();
  if ((await findExecution(client, plan.sweep))?.isOpen !== true) {
    const status = await sweepStatus(services.store, id, client);
    show(status, flags);
    const code = closedCode(status.state);
    if (code !== EXIT.done) throw new CommandError(code, refusalOf(status));
    return;
  }
  const detaching = detachOnInterrupt();
  try {
    const watched = { services, plan, handle: sweepHandle(client, plan.sweep) };
    await sayWhere(watched);
    const end = await Promise.race([watchSweep(watched, detaching.signal), detaching.happened]);
    await endWatching(watched, end, (status) => show(status, flags));
  } finally {
    detaching.forget();
  }
  // At once: a look at a worker that went away would go on trying behind the sweep's end.
  process.exit();
}

/** What `sweep run` would have ended with, had it followed a sweep to this state. */
export function closedCode(state: string): ExitCode {
  if (state === 'done') return EXIT.done;
  if (state === 'cancelled' || state === 'terminated') return EXIT.detached;
  return state === 'incomplete' || state === 'not open' ? EXIT.incomplete : EXIT.failed;
}

function show(status: SweepStatus, flags: StatusFlags): void {
  process.stdout.write(
    flags.json === true
      ? `${toJson(status, unknownAsNull)}\n`
      : printStatus(status, terminalWidth(process.stdout)),
  );
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

/** What a run costs counts when it ends. */
function costSoFar(costMicroUsd: LaneStatus['costMicroUsd'], running: number): string {
  const least = running > 0 && costMicroUsd !== undefined ? 'at least ' : '';
  return `${least}${formatUsd(costMicroUsd)}`;
}

/** Where a sweep stands, for a terminal `width` columns wide. */
export function printStatus(status: SweepStatus, width?: number): string {
  const columns = ['lane', ...COLUMNS, 'agent / judging', 'cost', 'blocked by'];
  const rows = status.lanes.map((lane) => [
    `${lane.lane}${providerMark(lane.provider)}`,
    ...COLUMNS.map((name) => String(lane[name])),
    `${lane.byStage.agent} / ${lane.byStage.judging}`,
    costSoFar(lane.costMicroUsd, lane.running),
    blockedBy(lane),
  ]);
  const reason = status.reason === undefined ? '' : ` (${status.reason})`;
  const budget =
    status.budgetMicroUsd === undefined ? '' : ` of ${formatUsd(status.budgetMicroUsd)}`;
  const eta =
    status.etaSeconds === undefined ? '' : `, about ${describeSeconds(status.etaSeconds)} left`;
  const total = (count: 'planned' | 'running' | 'scored') =>
    status.lanes.reduce((sum, lane) => sum + lane[count], 0);
  const cohort = status.cohort === status.sweep ? '' : `, cohort ${status.cohort}`;
  const head =
    `${status.sweep}${lanesMark(status.lanes.map((lane) => lane.provider))}${cohort}: ${status.state}${reason}, ` +
    `${total('scored')} of ${total('planned')} scored, ` +
    `${costSoFar(status.costMicroUsd, total('running'))}${budget}${eta}`;
  const right = (column: number): boolean => column > 0 && column < columns.length - 1;
  const failures = failureLines(status.lanes).map((line) => `${escapeText(line)}\n`);
  return `${escapeText(head)}\n${renderTable(columns, rows, { right, width })}\n${failures.join('')}`;
}
