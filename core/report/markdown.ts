import { type Report } from './report';
import { reportTables, type ReportTable } from './tables';

/** The report as Markdown. Names from files are escaped, so that none can become a link, markup or HTML. */
export function reportMarkdown(report: Report): string {
  const { coverage, method } = report;
  const judge =
    report.judge === undefined
      ? []
      : [
          `Judge: ${escapeMarkdown(report.judge.model)}, ${report.judge.mode}, checks ` +
            `${report.judge.checks ? 'on' : 'off'}.`,
        ];
  return [
    `# ${escapeMarkdown(report.sweep)}`,
    '',
    `${coverage.planned} planned = ${coverage.scored} scored + ${coverage.incomplete} incomplete + ` +
      `${coverage.failed} failed + ${coverage.missing} missing. ` +
      `${report.cohort === undefined ? '' : `Cohort ${escapeMarkdown(report.cohort)}. `}Made ${report.generatedAt}.`,
    ...judge.flatMap((line) => ['', line]),
    ...report.notes.flatMap((note) => ['', `**${escapeMarkdown(note)}**`]),
    ...reportTables(report).flatMap((table) => ['', ...tableLines(table)]),
    '',
    '## Method',
    '',
    `- Mean score: ${method.meanScore}.`,
    `- Success rate: ${method.successRate}.`,
    `- Intervals in brackets, ${method.confidenceLevel * 100} %: ${method.intervals}. ${method.resamples} ` +
      `resamples, seed ${method.seed}.`,
    '',
  ].join('\n');
}

function tableLines({ title, note, columns, rows }: ReportTable): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  const rule = columns.map((_column, index) => (index === 0 ? '---' : '---:'));
  return [
    `## ${escapeMarkdown(title)}`,
    '',
    ...(note === undefined ? [] : [escapeMarkdown(note), '']),
    line(columns),
    `| ${rule.join(' | ')} |`,
    ...rows.map(line),
  ];
}

/** Joins words and is not seen: where it stands, readers of Markdown find no address. Entities and escapes hide none. */
const JOINER = '&#8288;';

export function escapeMarkdown(text: string): string {
  return withoutAddresses(escapeMarkup(text));
}

/** Bare web addresses, addresses of mail and mentions become links without any markup. */
function withoutAddresses(text: string): string {
  return text
    .replaceAll('://', `:${JOINER}//`)
    .replaceAll(/www\./giu, (start) => `${start.slice(0, -1)}${JOINER}.`)
    .replaceAll(/(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}])/gu, `@${JOINER}`)
    .replaceAll(/@(?:&#8288;)?(?=[^\s@]*\.)/gu, `${JOINER}@${JOINER}`);
}

function escapeMarkup(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_{}[\]#|~!]/gu, '\\$&');
}
