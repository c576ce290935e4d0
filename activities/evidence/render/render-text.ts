import { parse } from 'csv-parse/sync';
import { type Rendering, type TextOptions } from './rendering';

/** Lines longer than this are cut in the view; the original stays whole. */
export const MAX_LINE_LETTERS = 20_000;
/** Uneven rows named in the record. */
const NAMED_ROWS = 10;

/** The lines of a text, whatever ends them; none behind the last line's end. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/u);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** What a line is. */
export interface LineOptions extends TextOptions {
  /** What a reader sees of the line, where that is not all of it. */
  readonly shown?: string;
  /** What a reader does not see of it, and the cause. */
  readonly unseen?: string;
}

/**
 * Plain text, Markdown and code: a segment per line, and one more for what of it is not shown.
 *
 * @param optionsOf what a line is, by its index from 0
 */
export function readText(
  text: string,
  rendering: Rendering,
  optionsOf: (index: number) => LineOptions = () => ({}),
): void {
  const lines = linesOf(text);
  rendering.counts['lines'] = lines.length;
  rendering.counts['letters'] = text.length;
  lines.forEach((line, index) => {
    const place = { kind: 'lines', from: index + 1, to: index + 1 } as const;
    const { shown = line, unseen, ...options } = optionsOf(index);
    rendering.addText(place, shownLine(shown, rendering), options);
    if (unseen !== undefined)
      rendering.addText(place, shownLine(unseen, rendering), { cause: 'markup', label: 'comment' });
  });
}

/** A line as it is shown: cut where it is too long, with a sign for a zero byte. */
export function shownLine(line: string, rendering: Rendering): string {
  if (line.length > MAX_LINE_LETTERS)
    rendering.truncate(`lines are cut after ${MAX_LINE_LETTERS} letters`);
  return line.slice(0, MAX_LINE_LETTERS).replaceAll('\0', '\u2400');
}

/** Delimited text: lines as they are, with the dialect and the size of the table as facts. */
export function readCsv(text: string, rendering: Rendering): void {
  readText(text, rendering);
  if (text.trim() === '') return;
  const delimiter = chooseDelimiter(text);
  rendering.facts['delimiter'] = delimiter === '\t' ? 'tab' : delimiter;
  if (/\r\n/u.test(text)) rendering.facts['lineEnds'] = 'CRLF';
  const rows = rowsOf(text, delimiter);
  rendering.counts['rows'] = rows.length;
  rendering.counts['columns'] = rows.reduce((widest, { fields }) => Math.max(widest, fields), 0);
  const usual = usualFields(rows);
  const uneven = rows.filter(({ fields }) => fields !== usual);
  if (uneven.length === 0) return;
  rendering.counts['unevenRows'] = uneven.length;
  const named =
    uneven
      .slice(0, NAMED_ROWS)
      .map(({ line }) => line)
      .join(', ') + (uneven.length > NAMED_ROWS ? ', ...' : '');
  rendering.warn(
    `${uneven.length} of ${rows.length} rows have another number of fields than the usual ${usual}: lines ${named}`,
  );
}

/** The number of fields that most rows have; of two as common, the one that comes first. */
function usualFields(rows: readonly Row[]): number {
  const counts = new Map<number, number>();
  for (const { fields } of rows) counts.set(fields, (counts.get(fields) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0])[0];
}

/** The delimiter under which the most rows have the same number of fields, at least two. */
function chooseDelimiter(text: string): string {
  const head = text.slice(0, 64 * 1024);
  const scored = [',', '\t', ';', '|'].map((delimiter) => {
    const rows = rowsOf(head, delimiter);
    const usual = usualFields(rows);
    return {
      delimiter,
      score: usual < 2 ? 0 : rows.filter(({ fields }) => fields === usual).length / rows.length,
    };
  });
  const best = scored.reduce((left, right) => (right.score > left.score ? right : left));
  return best.score === 0 ? ',' : best.delimiter;
}

interface Row {
  readonly fields: number;
  /** Of the text, from 1: a row may take several, and empty ones are no row. */
  readonly line: number;
}

/** The rows. Lenient: broken quotes end the reading where they are, and what was read counts. */
function rowsOf(text: string, delimiter: string): Row[] {
  const rows: Row[] = [];
  parse(text, {
    delimiter,
    bom: true,
    relaxColumnCount: true,
    relaxQuotes: true,
    skipEmptyLines: true,
    skipRecordsWithError: true,
    onRecord: (record: string[], { lines }: { readonly lines: number }) => {
      const within = record.reduce((sum, field) => sum + breaksIn(field), 0);
      rows.push({ fields: record.length, line: Math.max(1, lines - within) });
      return null;
    },
  });
  return rows;
}

function breaksIn(field: string): number {
  return field.includes('\n') ? field.split('\n').length - 1 : 0;
}
