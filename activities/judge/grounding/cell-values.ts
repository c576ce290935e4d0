import { type CellFact } from '../../../core/evidence-view';
import { findFolded, foldText, quoteWeight } from '../../../core/fold-text';

const RELATIVE_TOLERANCE = 1e-9;

/** Whether the quote is this cell's value (within 1e-9 relative), shown text or formula; or words of a text cell. */
export function cellMatches(cell: CellFact, quote: string): boolean {
  const folded = foldText(quote);
  if (folded === '') return false;
  if (cell.error !== undefined && foldText(cell.error) === folded) return true;
  if (foldText(cell.shown) === folded) return true;
  if (cell.formula !== undefined && formulaText(cell.formula) === formulaText(quote)) return true;
  return [cell.value, cell.cached, cell.recalculated].some((value) => valueMatches(value, folded));
}

function valueMatches(value: CellFact['value'] | undefined, folded: string): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === 'boolean') return folded.toLowerCase() === String(value);
  if (typeof value === 'number') {
    const quoted = parseNumber(folded);
    return quoted !== undefined && close(value, quoted);
  }
  const text = foldText(value);
  if (text === folded) return true;
  const quoted = parseNumber(folded);
  const number = parseNumber(text);
  if (quoted !== undefined && number !== undefined) return close(number, quoted);
  return quoteWeight(folded) >= 4 && findFolded(text, folded, true).length > 0;
}

/**
 * Whether the quote is a row of a range read aloud: pieces between tabs, bars, semicolons or line ends, each
 * equal to a cell, in the range's order.
 */
export function cellsMatchInOrder(cells: readonly CellFact[], quote: string): boolean {
  const pieces = quote
    .split(/\t|\||;|\n/u)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  if (pieces.length < 2) return false;
  let position = 0;
  for (const piece of pieces) {
    while (position < cells.length && !cellMatches(cells[position] as CellFact, piece)) position++;
    if (position === cells.length) return false;
    position++;
  }
  return true;
}

/** A number as people and spreadsheets write it: `1,234.50`, `12%`, `$5`, `(3.2)`; `undefined` for anything else. */
export function parseNumber(text: string): number | undefined {
  const match =
    /^(\()?\s*([-+])?\s*[$€£¥]?\s*([-+])?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(e[-+]?\d+)?\s*[$€£¥元]?\s*(%)?\s*(\))?$/iu.exec(
      text.trim(),
    );
  if (!match || (match[1] === undefined) !== (match[7] === undefined)) return undefined;
  const size = Number(`${(match[4] ?? '').replaceAll(',', '')}${match[5] ?? ''}`);
  const negative = match[1] !== undefined || match[2] === '-' || match[3] === '-';
  const value = match[6] === undefined ? size : size / 100;
  return negative ? -value : value;
}

function close(left: number, right: number): boolean {
  return Math.abs(left - right) <= RELATIVE_TOLERANCE * Math.max(Math.abs(left), Math.abs(right));
}

/** Files mark newer functions with prefixes, which no reader sees and Python prints. */
function formulaText(text: string): string {
  return foldText(text)
    .replace(/^=/u, '')
    .replace(/_xl(?:fn|ws|pm|udf)\./giu, '')
    .replace(/\s+/gu, '')
    .toUpperCase();
}
