import { type Report } from '../../core/report/report';
import { reportTables, type ReportTable } from '../../core/report/tables';
import { escapeText } from './escape';
import { renderTable } from './table';
import { displayWidth } from './width';

/**
 * A report for a terminal: notes first, then every table, then how the figures were made.
 *
 * @param width of the terminal
 */
export function printReport(report: Report, width?: number): string {
  const { coverage, method } = report;
  return [
    `${escapeText(report.sweep)}${cohortText(report)}: ${coverage.planned} planned = ${coverage.scored} scored + ` +
      `${coverage.incomplete} incomplete + ${coverage.failed} failed + ${coverage.missing} missing`,
    ...report.notes.map((note) => `! ${escapeText(note)}`),
    ...reportTables(report).flatMap((table) => [
      '',
      table.title,
      ...(table.note === undefined ? [] : [escapeText(table.note)]),
      drawTable(table, width),
    ]),
    '',
    `Intervals: ${method.confidenceLevel * 100} %, ${method.intervals}; ${method.resamples} resamples, seed ` +
      `${method.seed}.`,
    '',
  ].join('\n');
}

function drawTable({ columns, rows, narrowRows }: ReportTable, width: number | undefined): string {
  const right = (column: number): boolean => column > 0;
  const whole = renderTable(columns, rows, { right });
  if (width === undefined || whole.split('\n').every((line) => displayWidth(line) <= width))
    return whole;
  return renderTable(columns, narrowRows ?? rows, { right, width });
}

/** Named where the sweep alone does not say whose results these are. */
function cohortText({ sweep, cohort }: Report): string {
  return cohort === undefined || cohort === sweep ? '' : ` (cohort ${escapeText(cohort)})`;
}
