import { type ReportRun } from './report-run';

/** Columns of the tidy table, in order: a row per planned run and item. */
export const TIDY_COLUMNS = [
  'sweep',
  'model',
  'harness',
  'task',
  'domain',
  'repetition',
  'run_state',
  'item',
  'weight',
  'level',
  'dimension',
  'met',
  'stop_reason',
  'required_formats',
  'delivered_formats',
  'provider',
  'decided_by',
  'judge_provider',
] as const;
export type TidyColumn = (typeof TIDY_COLUMNS)[number];

/** Columns that a table made elsewhere need not have: what they say is then not known. */
export const OPTIONAL_TIDY_COLUMNS = ['provider', 'decided_by', 'judge_provider'] as const;

/** What a run's rows say that belongs to its whole sweep. */
export interface TidyOrigin {
  readonly sweep: string;
  /** Kind of the judge's provider. */
  readonly judgeProvider: string;
}

/** The header line of the table. */
export function tidyHeader(): string {
  return `${TIDY_COLUMNS.join(',')}\r\n`;
}

/** A run's rows as CSV (RFC 4180), formats joined by `;`. */
export function tidyRows({ sweep, judgeProvider }: TidyOrigin, run: ReportRun): string {
  const before = [sweep, run.model, run.harness, run.task, run.domain, run.repetition, run.state];
  const after = [
    run.stopReason ?? '',
    run.requiredFormats.join(';'),
    run.deliveredFormats.join(';'),
    run.provider ?? '',
  ];
  return run.items
    .map((item) => {
      const met = item.met === undefined ? '' : item.met ? '1' : '0';
      const own = [item.id, item.weight, item.level ?? '', item.dimension, met];
      const judged = [decidedBy(item), judgeProvider];
      return `${[...before, ...own, ...after, ...judged].map(csvField).join(',')}\r\n`;
    })
    .join('');
}

function decidedBy({ met, decidedByCheck }: ReportRun['items'][number]): string {
  if (met === undefined || decidedByCheck === undefined) return '';
  return decidedByCheck ? 'check' : 'judge';
}

/**
 * Quoted where needed. A text that a spreadsheet would run as a formula gets a leading apostrophe, one that looks as if
 * it had got it another one: {@link fromCsvCell} takes it away again.
 */
export function csvField(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^'*[=+\-@\t\r]/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell without the apostrophe that {@link csvField} put before it. */
export function fromCsvCell(cell: string): string {
  return /^'+[=+\-@\t\r]/u.test(cell) ? cell.slice(1) : cell;
}
