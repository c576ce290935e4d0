import { type CellFact } from './evidence-view';

/** A block of cells; rows and columns start at 1, both ends are included. */
export interface CellRange {
  readonly fromRow: number;
  readonly fromColumn: number;
  readonly toRow: number;
  readonly toColumn: number;
}

/** Limits of a sheet in Excel's format. */
export const LAST_ROW = 1_048_576;
export const LAST_COLUMN = 16_384;

/** 1 -> `A`, 27 -> `AA`. */
export function columnName(column: number): string {
  let name = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}

/** `AA` -> 27; 0 for an empty text. */
export function columnNumber(name: string): number {
  let column = 0;
  for (const letter of name) column = column * 26 + (letter.charCodeAt(0) - 64);
  return column;
}

export function cellName(row: number, column: number): string {
  return `${columnName(column)}${row}`;
}

/** `B2`, `$B$2:C9`, `B:C` and `2:9`; `undefined` for anything else. Ends may come in any order. */
export function parseRange(text: string): CellRange | undefined {
  const [first, second, ...more] = text.toUpperCase().split(':');
  const from = parseEnd(first ?? '');
  const to = second === undefined ? from : parseEnd(second);
  if (!from || !to || more.length > 0) return undefined;
  const isSpan = second !== undefined && shape(from) === shape(to);
  if (!isSpan && !(second === undefined && shape(from) === 'cell')) return undefined;
  return between(from, to);
}

/** The block between two ends of one shape; `undefined` where it leaves the sheet. */
function between(from: RangeEnd, to: RangeEnd): CellRange | undefined {
  const [fromRow, toRow] = ordered(from.row ?? 1, to.row ?? LAST_ROW);
  const [fromColumn, toColumn] = ordered(from.column ?? 1, to.column ?? LAST_COLUMN);
  if (fromRow < 1 || toRow > LAST_ROW || toColumn > LAST_COLUMN) return undefined;
  return { fromRow, fromColumn, toRow, toColumn };
}

interface RangeEnd {
  readonly row: number | undefined;
  readonly column: number | undefined;
}

function shape({ row, column }: RangeEnd): 'cell' | 'row' | 'column' {
  if (row === undefined) return 'column';
  return column === undefined ? 'row' : 'cell';
}

/** `B2`, `B` or `2`, each with its dollar signs. */
function parseEnd(text: string): RangeEnd | undefined {
  const match = /^(?:\$?([A-Z]{1,3}))?(?:\$?(\d{1,7}))?$/u.exec(text);
  if (!match || text === '') return undefined;
  const [, column, row] = match;
  return {
    row: row === undefined ? undefined : Number(row),
    column: column === undefined ? undefined : columnNumber(column),
  };
}

function ordered(left: number, right: number): [number, number] {
  return left <= right ? [left, right] : [right, left];
}

export function printRange(range: CellRange): string {
  const from = cellName(range.fromRow, range.fromColumn);
  const to = cellName(range.toRow, range.toColumn);
  return from === to ? from : `${from}:${to}`;
}

export function rangeHolds(range: CellRange, row: number, column: number): boolean {
  return (
    row >= range.fromRow &&
    row <= range.toRow &&
    column >= range.fromColumn &&
    column <= range.toColumn
  );
}

/** Row and column of a single cell's name, dollar signs aside; `undefined` for anything else. */
export function parseCell(
  ref: string,
): { readonly row: number; readonly column: number } | undefined {
  // Workbooks have millions of these: no pattern, no intermediate text.
  let at = ref.charCodeAt(0) === DOLLAR ? 1 : 0;
  let column = 0;
  const letters = at;
  for (; at < ref.length; at++) {
    const letter = (ref.charCodeAt(at) & ~32) - 64;
    if (letter < 1 || letter > 26 || ref.charCodeAt(at) < 65) break;
    column = column * 26 + letter;
  }
  if (at === letters || at - letters > 3 || column > LAST_COLUMN) return undefined;
  if (ref.charCodeAt(at) === DOLLAR) at++;
  const row = rowFrom(ref, at);
  return row === undefined ? undefined : { row, column };
}

function rowFrom(ref: string, digits: number): number | undefined {
  if (ref.length === digits || ref.length - digits > 7) return undefined;
  let row = 0;
  for (let at = digits; at < ref.length; at++) {
    const digit = ref.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return undefined;
    row = row * 10 + digit;
  }
  return row < 1 || row > LAST_ROW ? undefined : row;
}

const DOLLAR = 36;

/**
 * What a reader of the workbook sees calculated: the stored value; LibreOffice's where the writer left none, or where
 * the file has programs calculate when they open it.
 */
export function effectiveValue(cell: CellFact): string | number | boolean | null {
  if (cell.flags?.includes('calculated-on-opening') === true) return cell.recalculated ?? null;
  return cell.formula === undefined ? cell.value : (cell.cached ?? cell.recalculated ?? null);
}
