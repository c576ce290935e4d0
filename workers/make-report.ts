import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { ConfigurationError } from '../config/configuration-error';
import { makeFolder } from '../config/make-folder';
import { describeSystemError } from '../config/system-error';
import { Failure } from '../core/failure';
import { runId } from '../core/ids';
import { TidyError, TidyReader, type TidyRow } from '../core/report/from-tidy';
import { reportMarkdown } from '../core/report/markdown';
import { type Report } from '../core/report/report';
import { type ReportRun } from '../core/report/report-run';
import { ReportBuilder } from '../core/report/report-builder';
import { OPTIONAL_TIDY_COLUMNS, TIDY_COLUMNS, tidyHeader, tidyRows } from '../core/report/tidy';
import { stageOf } from './open-runs';
import { readResults, type ResultSource } from './read-results';

export interface MadeReport {
  readonly report: Report;
  /** Folder with report.md, report.json and report.csv. */
  readonly folder: string;
}

export interface MakeReportOptions {
  /** Where `report.{md,json,csv}` go; earlier ones are replaced. */
  readonly folder: string;
  readonly seed?: number;
  readonly now?: () => Date;
}

/**
 * Makes a sweep's report from the store, in one pass over its runs: the table of items is written as they come, so
 * memory does not grow with them.
 */
export async function makeReport(
  source: ResultSource,
  options: MakeReportOptions,
): Promise<MadeReport> {
  const { plan } = source;
  const origin = { sweep: plan.sweep, judgeProvider: plan.judge.model.provider };
  return intoFolder(options.folder, async (scratch) => {
    const builder = new ReportBuilder();
    const csv = createWriteStream(join(scratch, 'report.csv'));
    csv.write(tidyHeader());
    let running = 0;
    for await (const run of readResults(source)) {
      builder.add(run);
      if (run.state !== 'scored' && stageOf(source.open, idOf(run)) !== undefined) running += 1;
      if (!csv.write(tidyRows(origin, run))) await once(csv, 'drain');
    }
    csv.end();
    await finished(csv);
    return builder.build({
      sweep: plan.sweep,
      cohort: plan.cohort,
      generatedAt: (options.now ?? (() => new Date()))().toISOString(),
      judge: {
        model: plan.judge.model.id,
        provider: plan.judge.model.provider,
        mode: plan.judge.mode,
        checks: plan.judge.checks,
      },
      planned: plan.lanes.length * plan.tasks.length * plan.repetitions,
      repetitions: plan.repetitions,
      running: source.open?.sweep === 'open' ? running : undefined,
      ...(options.seed === undefined ? {} : { seed: options.seed }),
    });
  });
}

function idOf({ model, harness, task, repetition }: ReportRun): string {
  return runId(`${model}@${harness}`, task, repetition);
}

/** Makes a report whose table `make` writes as report.csv, and replaces an earlier one when all is there. */
async function intoFolder(
  folder: string,
  make: (scratch: string) => Promise<Report>,
): Promise<MadeReport> {
  makeFolder(folder);
  const scratch = await mkdtemp(join(folder, '.new-'));
  try {
    const report = await make(scratch);
    await writeFile(join(scratch, 'report.json'), `${JSON.stringify(report, undefined, 2)}\n`);
    await writeFile(join(scratch, 'report.md'), reportMarkdown(report));
    for (const name of ['report.csv', 'report.json', 'report.md'])
      await rename(join(scratch, name), join(folder, name));
    return { report, folder };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A report from a file in the tidy format, made elsewhere or by an earlier report. Throws `ConfigurationError`. */
export async function reportFromTidy(
  file: string,
  options: { readonly seed?: number; readonly now?: () => Date },
): Promise<Report> {
  const reader = await readTidyFile(file);
  const builder = new ReportBuilder();
  for (const run of reader.results()) builder.add(run);
  return builder.build({
    sweep: [...reader.sweeps].join(', '),
    generatedAt: (options.now ?? (() => new Date()))().toISOString(),
    judge: undefined,
    planned: reader.count,
    repetitions: reader.repetitions,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
  });
}

/** The same, written to a folder; its report.csv is the file itself. */
export async function makeReportFromTidy(
  file: string,
  options: MakeReportOptions,
): Promise<MadeReport> {
  // Before a folder is made: a file that cannot be read leaves none.
  const report = await reportFromTidy(file, options);
  return intoFolder(options.folder, async (scratch) => {
    await copyFile(file, join(scratch, 'report.csv'));
    return report;
  });
}

async function readTidyFile(file: string): Promise<TidyReader> {
  const reader = new TidyReader();
  const fail = (line: number | undefined, message: string): never => {
    throw new ConfigurationError([{ file, line, message }]);
  };
  const parser = parse({
    columns: (names: string[]) => checkColumns(names, fail),
    bom: true,
    info: true,
  });
  const rows = createReadStream(file)
    .on('error', (error) => parser.destroy(error))
    .pipe(parser);
  try {
    for await (const entry of rows as AsyncIterable<{ record: TidyRow; info: { lines: number } }>)
      reader.add(entry.record, entry.info.lines);
  } catch (error) {
    if (error instanceof TidyError) fail(error.line, error.message);
    if (error instanceof ConfigurationError) throw error;
    const unreadable = describeSystemError(error);
    if (unreadable !== undefined) throw new Failure('InvalidInput', unreadable, { cause: error });
    const { lines, message } = error as { lines?: number; message: string };
    fail(lines, message);
  }
  if (reader.count === 0) fail(undefined, 'has no rows');
  return reader;
}

function checkColumns(
  names: readonly string[],
  fail: (line: number, message: string) => never,
): string[] {
  const optional: readonly string[] = OPTIONAL_TIDY_COLUMNS;
  const missing = TIDY_COLUMNS.filter(
    (column) => !optional.includes(column) && !names.includes(column),
  );
  if (missing.length > 0) fail(1, `lacks the columns ${missing.join(', ')}`);
  return [...names];
}
