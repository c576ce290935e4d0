import { type Outcome, hasStoppedProgram } from './outcome';

const STATUSES = [
  'rendered',
  'truncated',
  'unsupported',
  'encrypted',
  'corrupt',
  'refused',
  'crashed',
] as const;

/** Percentiles are of the sorted values at `ceil(p * n) - 1`. */
interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

export interface FormatSummary {
  readonly format: string;
  readonly files: number;
  readonly statuses: Readonly<Record<(typeof STATUSES)[number], number>>;
  /** Of all: those for which a program such as LibreOffice was stopped at its limit of time. */
  readonly stopped: number;
  readonly durationMs: Percentiles;
  readonly peakBytes: Percentiles | undefined;
  readonly disagreements: number;
  readonly faults: number;
}

/** A line for each format, most files first, then one for all. */
export function summarize(outcomes: readonly Outcome[]): FormatSummary[] {
  const names = [...new Set(outcomes.map(({ format }) => format))];
  const formats = names.map((name) =>
    summaryOf(
      name,
      outcomes.filter(({ format }) => format === name),
    ),
  );
  formats.sort((left, right) => right.files - left.files);
  return [...formats, summaryOf('all', outcomes)];
}

function summaryOf(format: string, outcomes: readonly Outcome[]): FormatSummary {
  const peaks = outcomes.flatMap(({ peakBytes }) => (peakBytes === undefined ? [] : [peakBytes]));
  const statuses = STATUSES.map((status) => [
    status,
    outcomes.filter((outcome) => outcome.status === status).length,
  ]);
  return {
    format,
    files: outcomes.length,
    statuses: Object.fromEntries(statuses) as FormatSummary['statuses'],
    stopped: outcomes.filter(hasStoppedProgram).length,
    durationMs: percentiles(outcomes.map(({ durationMs }) => durationMs)),
    peakBytes: peaks.length > 0 ? percentiles(peaks) : undefined,
    disagreements: outcomes.reduce((total, each) => total + each.disagreements.length, 0),
    faults: outcomes.reduce((total, each) => total + each.faults.length, 0),
  };
}

function percentiles(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (share: number): number =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}

export function printSummary(summaries: readonly FormatSummary[]): string {
  const header = [
    ...['format', 'files', ...STATUSES, 'stopped', 'differ', 'faults'],
    ...['s p50', 'p90', 'p99', 'max', 'MB p50', 'max'],
  ];
  const rows = summaries.map(({ format, files, statuses, durationMs, peakBytes, ...counts }) => [
    format,
    ...[files, ...STATUSES.map((status) => statuses[status])].map(String),
    ...[counts.stopped, counts.disagreements, counts.faults].map(String),
    ...[durationMs.p50, durationMs.p90, durationMs.p99, durationMs.max].map(seconds),
    ...[peakBytes?.p50, peakBytes?.max].map(megabytes),
  ]);
  const widths = header.map((_, at) =>
    Math.max(...[header, ...rows].map((row) => (row[at] ?? '').length)),
  );
  return [header, ...rows]
    .map((row) =>
      row
        .map((cell, at) =>
          at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2);
}

function megabytes(bytes: number | undefined): string {
  return bytes === undefined ? '-' : (bytes / 1024 / 1024).toFixed(0);
}
