import { parseCell } from '../../core/cell-range';
import { type Check, type ValueSource } from '../../core/rubric';
import { type Citation } from '../../core/verdict';
import { type EvidenceReader } from '../evidence/port';
import { foldName, foldText } from './fold';
import { requireGrid } from './grid';
import { readableSegments, requireDeliverable } from './lookup';
import { Decided, met, notApplicable, unmet } from './outcome';
import { compilePattern } from './pattern';
import { type CheckOutcome } from './port';
import { requireTable } from './table';
import { DEFAULT_TOLERANCE, numberOf, parseNumber } from './values';

type CheckOf<Kind extends Check['kind']> = Extract<Check, { readonly kind: Kind }>;

/** What a source says: a number or words, and where. More than one where a pattern finds several. */
interface FoundValue {
  readonly value: number | string;
  readonly citation: Citation;
}

/**
 * Two places say the same. A place that is not there (no such cell, header or words) is another layout, for
 * the judge; so is a pattern whose first match disagrees while another one agrees.
 */
export async function checkValuesAgree(
  check: CheckOf<'values-agree'>,
  evidence: EvidenceReader,
): Promise<CheckOutcome> {
  const tolerance = check.tolerance ?? DEFAULT_TOLERANCE;
  const left = await findValues(check.left, evidence);
  const right = await findValues(check.right, evidence);
  const [first, second] = [left[0], right[0]];
  if (!first || !second) return notApplicable('one of the two values was not found');
  const citations = [first.citation, second.citation];
  if (agree(first.value, second.value, tolerance))
    return met(`both say ${String(first.value)}`, ...citations);
  const elsewhere = left.some((one) =>
    right.some((other) => agree(one.value, other.value, tolerance)),
  );
  return elsewhere
    ? notApplicable(
        `several values were found: ${[...left, ...right].map(({ value }) => value).join(', ')}`,
      )
    : unmet(`${String(first.value)} and ${String(second.value)} differ`, ...citations);
}

function agree(left: number | string, right: number | string, tolerance: number): boolean {
  if (typeof left === 'number' && typeof right === 'number')
    return Math.abs(left - right) <= tolerance + 1e-12 * Math.abs(left);
  return foldName(String(left)) === foldName(String(right));
}

async function findValues(source: ValueSource, evidence: EvidenceReader): Promise<FoundValue[]> {
  if ('pattern' in source) return findPattern(source, evidence);
  const grid = await requireGrid(evidence, source.file, source.sheet);
  if ('cell' in source) {
    const place = parseCell(source.cell);
    const cell = place && grid.cell(place.row, place.column);
    if (!place || !cell)
      throw new Decided(notApplicable(`cell ${source.cell} of results/${source.file} is empty`));
    const citation = { locator: grid.locate(place.row, place.column), quote: cell.shown };
    return [{ value: numberOf(cell) ?? cell.shown, citation }];
  }
  const table = requireTable(grid, [source.sumColumn], source.file);
  const [column = 0] = table.columns;
  const numbers = table.dataRows.flatMap((row) => {
    const cell = grid.cell(row, column);
    return (cell && numberOf(cell)) ?? [];
  });
  if (numbers.length === 0 || !grid.isComplete)
    throw new Decided(notApplicable(`no numbers to add under ${source.sumColumn}`));
  const citation = { locator: grid.locate(table.headerRow, column), quote: source.sumColumn };
  return [{ value: numbers.reduce((sum, number) => sum + number, 0), citation }];
}

/** Every match of the pattern: in each segment by itself, then over line ends, then in folded text. */
async function findPattern(
  { file, pattern }: Extract<ValueSource, { readonly pattern: string }>,
  evidence: EvidenceReader,
): Promise<FoundValue[]> {
  const entry = requireDeliverable(evidence, file);
  const segments = await readableSegments(evidence, entry);
  const found: FoundValue[] = [];
  for (const { locator, text } of segments)
    for (const value of matches(pattern, text))
      found.push({ value: valueOf(value), citation: { locator, quote: quoteOf(value, text) } });
  if (found.length > 0) return found;
  const whole = segments.map(({ text }) => text).join('\n');
  const citation: Citation = { locator: { artifact: entry.artifact, kind: 'file' } };
  for (const text of [whole, foldText(whole)])
    for (const value of matches(pattern, text)) found.push({ value: valueOf(value), citation });
  if (found.length === 0)
    throw new Decided(notApplicable(`results/${file} has no text like ${pattern}`));
  return found;
}

function matches(pattern: string, text: string): string[] {
  return [...text.matchAll(compilePattern(pattern, 'gu'))].map((match) => match[1] ?? match[0]);
}

function valueOf(text: string): number | string {
  return parseNumber(text) ?? foldText(text);
}

function quoteOf(value: string, text: string): string {
  return text.length <= 200 ? text.trim() : value;
}
