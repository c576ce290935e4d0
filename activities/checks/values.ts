import { type CellFact } from '../../core/evidence-view';
import { effectiveValue } from '../../core/cell-range';
import { foldName, foldText } from './fold';

export type Expected = string | number | boolean;

/** How a found value relates to the expected one; `unclear` where only its rounded display agrees. */
export type Comparison = 'equal' | 'different' | 'unclear';

export const DEFAULT_TOLERANCE = 1e-6;

/** A number as people write it: `1,234.50`, `$5`, `¥5`, `12.5%` (0.125), `(3.2)` (-3.2), `46 人`; `undefined` otherwise. */
export function parseNumber(text: string): number | undefined {
  const match =
    /^(\()?\s*([-+])?\s*(?:US\$|USD|CNY|RMB|EUR|[$€£¥])?\s*([-+])?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(e[-+]?\d+)?\s*(%)?\s*(?:USD|CNY|RMB|EUR|[$€£¥]|[元人次个件天%])?\s*(\))?$/iu.exec(
      foldText(text),
    );
  if (!match || (match[1] === undefined) !== (match[7] === undefined)) return undefined;
  const size = Number(`${(match[4] ?? '').replaceAll(',', '')}${match[5] ?? ''}`);
  const isNegative = match[1] !== undefined || match[2] === '-' || match[3] === '-';
  const value = match[6] === undefined ? size : size / 100;
  return isNegative ? -value : value;
}

/** A cell's value as a number, also where it is kept as text. */
export function numberOf(cell: CellFact): number | undefined {
  const value = effectiveValue(cell);
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? parseNumber(value) : undefined;
}

/** Compares a cell with an expected value; numbers within an absolute tolerance, texts folded and without case. */
export function compareCell(
  cell: CellFact,
  expected: Expected,
  tolerance = DEFAULT_TOLERANCE,
): Comparison {
  const value = effectiveValue(cell);
  if (typeof expected === 'number') return compareNumber(cell, expected, tolerance);
  if (typeof expected === 'boolean') return truthOf(value) === expected ? 'equal' : 'different';
  const texts = [cell.shown, value === null ? '' : String(value)];
  if (texts.some((text) => foldName(text) === foldName(expected))) return 'equal';
  const date = isoDate(expected);
  if (date !== undefined && texts.some((text) => isoDate(text) === date)) return 'equal';
  if (date !== undefined && dateOfSerial(cell, value) === date) return 'equal';
  const number = parseNumber(expected);
  if (number !== undefined && typeof value === 'number')
    return compareNumber(cell, number, tolerance);
  return 'different';
}

function compareNumber(cell: CellFact, expected: number, tolerance: number): Comparison {
  const within = (value: number): boolean =>
    Math.abs(value - expected) <= tolerance + Number.EPSILON * Math.abs(expected);
  const value = numberOf(cell);
  if (value === undefined) return 'different';
  if (within(value)) return 'equal';
  // 12.5 is expected of a cell that shows 12.5%.
  const isPercent = /%\s*$/u.test(cell.shown) || /%\s*$/u.test(String(cell.value ?? ''));
  if (isPercent && within(value * 100)) return 'equal';
  const shown = parseNumber(cell.shown);
  return shown !== undefined && (within(shown) || (isPercent && within(shown * 100)))
    ? 'unclear'
    : 'different';
}

function truthOf(value: CellFact['value']): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 0) return value === 1;
  const word = foldName(String(value ?? ''));
  if (['true', 'yes', 'y', '是', '✓', '✔'].includes(word)) return true;
  return ['false', 'no', 'n', '否', '✗', '✘'].includes(word) ? false : undefined;
}

/** `2026-03-31` of `2026-3-31`, `2026/03/31`, `2026年3月31日` or a time stamp; `undefined` for other texts. */
function isoDate(text: string): string | undefined {
  const match = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ]00:00(?::00)?)?$/u.exec(
    foldText(text),
  );
  if (!match) return undefined;
  const [, year = '', month = '', day = ''] = match;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The day of a date cell (1900 calendar). */
function dateOfSerial(cell: CellFact, value: CellFact['value']): string | undefined {
  if (typeof value !== 'number' || !/[yd]/iu.test(cell.format ?? '')) return undefined;
  if (value < 1 || value > 2_958_465) return undefined;
  return new Date(Math.round((value - 25_569) * 86_400_000)).toISOString().slice(0, 10);
}
