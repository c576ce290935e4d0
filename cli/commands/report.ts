import { join } from 'node:path';
import { type Command } from 'commander';
import { type Report } from '../../core/report/report';
import { reportMarkdown } from '../../core/report/markdown';
import { CommandError, EXIT } from '../exit';
import { onlyOneOf } from '../render/flags';
import { toJson } from '../render/json';
import { printReport } from '../render/report';
import { terminalWidth } from '../render/width';

interface ReportFlags {
  readonly from?: string;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly csv?: boolean;
  readonly seed: string;
  readonly out?: string;
}

export function register(program: Command): void {
  program
    .command('report')
    .argument('[sweep]', 'id of a sweep')
    .description(
      'Tables of a sweep: terminal, Markdown, JSON and a tidy CSV, also written to a folder.',
    )
    .option('--from <file.csv>', 'make the tables from a tidy CSV instead of a sweep')
    .option('--json', 'print the report as JSON')
    .option('--markdown', 'print the report as Markdown')
    .option('--csv', 'print the tidy table: a row per planned run and item')
    .option('--seed <n>', 'seed of the bootstrap', '1')
    .option(
      '--out <folder>',
      'where to write report.md, .json and .csv (default: <data>/reports/<sweep>; with --from: nowhere)',
    )
    .action(async (sweep: string | undefined, flags: ReportFlags) => {
      const seed = Number(flags.seed);
      if (!Number.isSafeInteger(seed))
        throw new CommandError(EXIT.usage, `--seed ${flags.seed}: give a whole number`);
      const { json, markdown, csv } = flags;
      onlyOneOf({ '--json': json, '--markdown': markdown, '--csv': csv });
      if ((sweep === undefined) === (flags.from === undefined))
        throw new CommandError(EXIT.usage, 'name a sweep, or a file with --from');
      if (flags.from !== undefined) {
        if (flags.csv === true) throw new CommandError(EXIT.usage, '--csv of a CSV is that file');
        await reportFile(flags.from, seed, flags);
      } else if (sweep !== undefined) await reportSweep(sweep, seed, flags);
    });
}

/** Written only where `--out` says so: a file has no place of its own among the reports of sweeps. */
async function reportFile(file: string, seed: number, flags: ReportFlags): Promise<void> {
  const { makeReportFromTidy, reportFromTidy } = await import('../../workers/make-report.js');
  if (flags.out === undefined) {
    print(await reportFromTidy(file, { seed }), flags);
    return;
  }
  const { report, folder } = await makeReportFromTidy(file, { folder: flags.out, seed });
  print(report, flags);
  process.stderr.write(`report written to ${folder}\n`);
}

async function reportSweep(sweep: string, seed: number, flags: ReportFlags): Promise<void> {
  const { openResults } = await import('../../workers/open-results.js');
  const { askOpenRuns } = await import('../../workers/open-runs.js');
  const { makeReport } = await import('../../workers/make-report.js');
  const results = await openResults(sweep);
  const folder = flags.out ?? join(results.settings.dataDir, 'reports', results.plan.sweep);
  const open = await askOpenRuns(results.settings, results.plan);
  const made = await makeReport({ ...results, open }, { folder, seed });
  if (flags.csv === true) {
    const { createReadStream } = await import('node:fs');
    const { pipeline } = await import('node:stream/promises');
    await pipeline(createReadStream(join(folder, 'report.csv')), process.stdout, { end: false });
  } else print(made.report, flags);
  process.stderr.write(`report written to ${folder}\n`);
}

function print(report: Report, flags: ReportFlags): void {
  if (flags.json === true) process.stdout.write(`${toJson(report)}\n`);
  else if (flags.markdown === true) process.stdout.write(reportMarkdown(report));
  else process.stdout.write(printReport(report, terminalWidth(process.stdout)));
}
