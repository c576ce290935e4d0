import { type Command } from 'commander';
import { formatUsd } from '../../core/money';
import { percentText } from '../../core/percent-text';
import { providerMark } from '../../core/provider-mark';
import { type SweepPlan } from '../../core/sweep';
import { type OpenRuns } from '../../workers/open-runs';
import { type ListedRun } from '../../workers/run-list';
import { escapeText } from '../render/escape';
import { commaList } from '../render/flags';
import { toJson } from '../render/json';
import { renderTable } from '../render/table';
import { terminalWidth } from '../render/width';

interface ListFlags {
  readonly outcome?: readonly string[];
  readonly lanes?: readonly string[];
  readonly tasks?: readonly string[];
  readonly json?: boolean;
}

export function registerList(run: Command): void {
  run
    .command('list')
    .argument('<sweep>', 'id of a sweep')
    .description('Runs of a sweep, each with the reason for its outcome in a line.')
    .option(
      '--outcome <list>',
      'scored, running, incomplete, failed, missing, success, no-success, or a stop reason such as step_cap',
      commaList,
    )
    .option('--lane, --lanes <list>', 'lanes (model@harness); * stands for any part', commaList)
    .option('--task, --tasks <list>', 'task ids; * stands for any part', commaList)
    .option('--json', 'print the runs as JSON')
    .action(async (sweep: string, flags: ListFlags) => {
      const { openResults } = await import('../../workers/open-results.js');
      const { listRuns } = await import('../../workers/run-list.js');
      const { askOpenRuns } = await import('../../workers/open-runs.js');
      const { outcome, lanes, tasks } = flags;
      const results = await openResults(sweep);
      const open = await askOpenRuns(results.settings, results.plan);
      const runs = await listRuns(
        { ...results, open },
        {
          ...(outcome !== undefined && { outcomes: outcome }),
          ...(lanes !== undefined && { lanes }),
          ...(tasks !== undefined && { tasks }),
        },
      );
      sayIfNobodyWasAsked(open, runs);
      if (flags.json === true) {
        process.stdout.write(`${toJson(runs)}\n`);
        return;
      }
      process.stdout.write(printRunList(results.plan, runs, terminalWidth(process.stdout)));
    });
}

const COLUMNS = ['run', 'state', 'score', 'agent ended', 'cost', 'why'];

/** Runs for a terminal `width` columns wide; the cohort is named where it is not the sweep's own, as in a report. */
export function printRunList(
  { sweep, cohort }: Pick<SweepPlan, 'sweep' | 'cohort'>,
  runs: readonly ListedRun[],
  width?: number,
): string {
  const rows = runs.map((each) => [
    `${each.runId}${providerMark(each.provider)}`,
    each.state,
    each.score === undefined ? '-' : percentText(each.score, 2),
    each.stopReason ?? '-',
    `${each.costIsAtLeast ? 'at least ' : ''}${formatUsd(each.costMicroUsd)}`,
    each.why,
  ]);
  const right = (column: number): boolean => column === 2 || column === 4;
  const wrap = (column: number): boolean => column === 5;
  const head = cohort === sweep ? '' : `${escapeText(`${sweep} (cohort ${cohort})`)}\n`;
  return `${head}${renderTable(COLUMNS, rows, { right, wrap, width })}\n`;
}

/** Without the sweep's word, what runs looks like what was cut off. */
function sayIfNobodyWasAsked(open: OpenRuns, runs: readonly ListedRun[]): void {
  if (open.sweep === 'unknown' && runs.some(({ state }) => state !== 'scored'))
    process.stderr.write(
      'no Temporal server answers: where the sweep is open, runs that it works on are shown as incomplete or missing\n',
    );
}
