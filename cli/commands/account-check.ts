import { type Command } from 'commander';
import { readSettings } from '../../config/environment';
import { formatUsd } from '../../core/money';
import { CommandError, EXIT } from '../exit';
import { escapeText } from '../render/escape';
import { commaList } from '../render/flags';
import { toJson } from '../render/json';
import { renderTable } from '../render/table';
import { terminalWidth } from '../render/width';
import { type AccountFinding } from '../../workers/check-accounts';

interface CheckFlags {
  readonly models?: readonly string[];
  readonly json?: boolean;
}

export function registerCheck(account: Command): void {
  account
    .command('check')
    .argument('[name]', 'an account; without, all')
    .description('Make one tiny, paid call to each model and say what works.')
    .option('--models <list>', 'models to ask; without, those of the account', commaList)
    .option('--json', 'print the findings as JSON')
    .action(async (name: string | undefined, { models, json }: CheckFlags) => {
      const { checkAccounts } = await import('../../workers/check-accounts.js');
      const checks: AccountFinding[] = [];
      await checkAccounts(
        readSettings(),
        {
          ...(name !== undefined && { account: name }),
          ...(models !== undefined && { models }),
          asking: (account, model) => process.stderr.write(`asking ${account}/${model}\n`),
        },
        (check) => checks.push(check),
      );
      process.stdout.write(json === true ? `${toJson(checks)}\n` : printChecks(checks));
      const complaint = complaintAbout(checks);
      if (complaint !== undefined) throw new CommandError(EXIT.failed, complaint);
    });
}

/** What stands in the way of running agents; nothing where every model called its tool. */
function complaintAbout(checks: readonly AccountFinding[]): string | undefined {
  const parts = [
    ['not asked', namesOf(checks, ({ model }) => model === undefined)],
    ['no answer', namesOf(checks, ({ answered, model }) => !answered && model !== undefined)],
    [
      'cannot run agents, which need tools',
      namesOf(checks, ({ answered, tools }) => answered && tools === 'no'),
    ],
    [
      'did not show that it can use tools',
      namesOf(checks, ({ answered, tools }) => answered && tools === 'unclear'),
    ],
  ].flatMap(([what = '', who = '']) => (who === '' ? [] : [`${what}: ${who}`]));
  return parts.length === 0 ? undefined : parts.join('; ');
}

function printChecks(checks: readonly AccountFinding[]): string {
  const columns = [
    ...['account', 'model', 'answers', 'tools', 'images', 'streams', 'usage'],
    ...['cost', 'time', 'says it is'],
  ];
  const rows = checks.map((check) => [
    check.account,
    check.model ?? '-',
    yesNo(check.answered),
    check.answered ? check.tools : '-',
    check.answered ? check.images : '-',
    check.answered ? yesNo(check.streamed) : '-',
    check.answered ? yesNo(check.usage) : '-',
    check.answered ? formatUsd(check.costMicroUsd) : '-',
    check.durationMs === undefined ? '-' : `${(check.durationMs / 1_000).toFixed(1)} s`,
    escapeText(check.reportedModel ?? '-'),
  ]);
  const remarks = problemLines(checks);
  const uncounted = namesOf(checks, ({ answered, usage }) => answered && !usage);
  if (uncounted !== '')
    remarks.push(`no token counts, so no cost or token limit can be kept: ${uncounted}\n`);
  const unpriced = namesOf(checks, (check) => check.usage && check.costMicroUsd === undefined);
  if (unpriced !== '')
    remarks.push(`price unknown, to be stated under prices in providers.yaml: ${unpriced}\n`);
  const right = (column: number): boolean => column === 7 || column === 8;
  return `${renderTable(columns, rows, { right, width: terminalWidth(process.stdout) })}\n${remarks.join('')}`;
}

/** One line for each problem, however many models have it: a missing key is the whole account's. */
function problemLines(checks: readonly AccountFinding[]): string[] {
  const problems = new Set(checks.flatMap(({ problem }) => problem ?? []));
  return [...problems].map(
    (text) => `${namesOf(checks, ({ problem }) => problem === text)}: ${escapeText(text)}\n`,
  );
}

function namesOf(
  checks: readonly AccountFinding[],
  fits: (check: AccountFinding) => boolean,
): string {
  return checks
    .filter(fits)
    .map(({ account, model }) => (model === undefined ? account : `${account}/${model}`))
    .join(', ');
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
