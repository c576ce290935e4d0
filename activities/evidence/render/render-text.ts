import { parse } from 'csv-parse/sync';
import { decodeText } from './decode-text';
import { type Rendering } from './rendering';

/** Lines longer than this are cut in the view; the original stays whole. */
const MAX_LINE_LETTERS = 20_000;

/** Plain text, Markdown and code: a segment per line. */
export function readText(bytes: Uint8Array, rendering: Rendering): void {
  addLines(decode(bytes, rendering), rendering);
}

/** Delimited text: lines as they are, with the delimiter and the size of the table as facts. */
export function readCsv(bytes: Uint8Array, rendering: Rendering): void {
  const text = decode(bytes, rendering);
  addLines(text, rendering);
  if (text.trim() === '') return;
  const { delimiter, records } = chooseDialect(text);
  rendering.facts['delimiter'] = delimiter === '\t' ? 'tab' : delimiter;
  const widths = records.map((record) => record.length);
  rendering.counts['rows'] = records.length;
  rendering.counts['columns'] = widths.reduce((widest, width) => Math.max(widest, width), 0);
  const uneven = widths.filter((width) => width !== widths[0]).length;
  if (uneven > 0)
    rendering.warn(
      `${uneven} rows have another number of fields than the first row's ${widths[0] ?? 0}`,
    );
}

function decode(bytes: Uint8Array, rendering: Rendering): string {
  const { text, encoding, replacements } = decodeText(bytes);
  rendering.facts['encoding'] = encoding;
  if (replacements > 0) {
    rendering.counts['replacementCharacters'] = replacements;
    rendering.warn(`${replacements} bytes fit no character of ${encoding}`);
  }
  if (bytes.length === 0) rendering.warn('the file is empty');
  return text;
}

function addLines(text: string, rendering: Rendering): void {
  const lines = text.split(/\r\n|\n|\r/u);
  if (lines.at(-1) === '') lines.pop();
  rendering.counts['lines'] = lines.length;
  rendering.counts['letters'] = text.length;
  lines.forEach((line, index) => {
    const shown = line.replaceAll('\0', '\u2400');
    if (shown.length > MAX_LINE_LETTERS)
      rendering.truncate(`lines are cut after ${MAX_LINE_LETTERS} letters`);
    rendering.addText(
      { kind: 'lines', from: index + 1, to: index + 1 },
      shown.slice(0, MAX_LINE_LETTERS),
    );
  });
}

/** The delimiter under which the most rows have the same number of fields, at least two. */
function chooseDialect(text: string): { delimiter: string; records: string[][] } {
  const head = text.slice(0, 64 * 1024);
  const scored = [',', '\t', ';', '|'].map((delimiter) => {
    const widths = parseRecords(head, delimiter).map((record) => record.length);
    const first = widths[0] ?? 0;
    return {
      delimiter,
      score: first < 2 ? 0 : widths.filter((width) => width === first).length / widths.length,
    };
  });
  const best = scored.reduce((left, right) => (right.score > left.score ? right : left));
  const delimiter = best.score === 0 ? ',' : best.delimiter;
  return { delimiter, records: parseRecords(text, delimiter) };
}

/** Lenient: broken quotes end the reading where they are, and what was read counts. */
function parseRecords(text: string, delimiter: string): string[][] {
  const records: string[][] = [];
  parse(text, {
    delimiter,
    bom: true,
    relaxColumnCount: true,
    relaxQuotes: true,
    skipEmptyLines: true,
    skipRecordsWithError: true,
    onRecord: (record: string[]) => {
      records.push(record);
      return null;
    },
  });
  return records;
}
