import { type Report } from '../../core/report/report';
import { reportTables } from '../../core/report/tables';
import { escapeText } from './escape';
import { renderTable } from './table';

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
    ...reportTables(report).flatMap(({ title, note, columns, rows }) => [
      '',
      title,
      ...(note === undefined ? [] : [escapeText(note)]),
      renderTable(columns, rows, { right: (column) => column > 0, width }),
    ]),
    '',
    `Intervals: ${method.confidenceLevel * 100} %, ${method.intervals}; ${method.resamples} resamples, seed ` +
      `${method.seed}.`,
    '',
  ].join('\n');
}

/** Named where the sweep alone does not say whose results these are. */
function cohortText({ sweep, cohort }: Report): string {
  return cohort === undefined || cohort === sweep ? '' : ` (cohort ${escapeText(cohort)})`;
}
