import { parseCell, parseRange } from '../../../../core/cell-range';
import { type CellFact, type CellFlag, type SheetFact } from '../../../../core/workbook-facts';

/** Width of a column that a file says nothing of, in digits of the usual font, as files count. */
const DEFAULT_WIDTH = 9.14;
/** Of a column, what stays empty beside a number, and how much longer than its room a text is when it is cut. */
const PADDING = 0.5;
const CUT = 1.15;
/** Letters measured of a text: no column is as wide. */
const MAX_LETTERS = 300;
/** Columns that a long text may run over. */
const MAX_RUN = 60;

/** Widths of a sheet's columns. */
interface Widths {
  of(column: number): number;
}

/**
 * Flags numbers that a reader sees as `###` and texts that end at the next filled cell. Programs know only when they
 * draw: this is an estimate from usual letters, which rather misses than invents.
 */
export function withRoom(sheet: SheetFact): readonly CellFact[] {
  const widths = widthsOf(sheet);
  const mergedTo = new Map<string, number>();
  for (const each of sheet.merged) {
    const range = parseRange(each);
    if (range) mergedTo.set(each.split(':')[0] ?? '', range.toColumn);
  }
  return sheet.cells.map((cell, at) => {
    const place = parseCell(cell.ref);
    if (!place || cell.unseen !== undefined || cell.shown.length < 4) return cell;
    const lastMerged = mergedTo.get(cell.ref);
    const room = sumOf(widths, place.column, lastMerged ?? place.column);
    const flag = isNumber(cell)
      ? widthOf(cell) > room - PADDING && !/shrunk|turned/u.test(cell.look ?? '')
        ? ('too-narrow' as const)
        : undefined
      : lastMerged === undefined && isCut(cell, room, sheet.cells[at + 1], place, widths)
        ? ('cut-off' as const)
        : undefined;
    return flag === undefined ? cell : flagged(cell, flag);
  });
}

function flagged(cell: CellFact, flag: CellFlag): CellFact {
  return { ...cell, flags: [...(cell.flags ?? []), flag] };
}

/** A number without a format is rounded to fit instead. */
function isNumber({ value, cached, recalculated, format, error }: CellFact): boolean {
  if (format === undefined || format === '@' || error !== undefined) return false;
  return typeof (value ?? cached ?? recalculated) === 'number';
}

function isCut(
  cell: CellFact,
  room: number,
  next: CellFact | undefined,
  place: { readonly row: number; readonly column: number },
  widths: Widths,
): boolean {
  if (typeof (cell.value ?? cell.recalculated) !== 'string' || cell.error !== undefined)
    return false;
  if (/wrapped|shrunk|turned|centred|right|repeated|justified/u.test(cell.look ?? '')) return false;
  const width = widthOf(cell);
  if (width < room * CUT) return false;
  const after = next && next.shown !== '' ? parseCell(next.ref) : undefined;
  if (after?.row !== place.row || after.column - place.column > MAX_RUN) return false;
  return width > sumOf(widths, place.column, after.column - 1) * CUT;
}

/** In digits of the usual font. */
function widthOf({ shown, look = '' }: CellFact): number {
  const points = Number(/(?:^|, )([\d.]+) pt/u.exec(look)?.[1] ?? 11);
  let width = 0;
  for (const letter of shown.slice(0, MAX_LETTERS)) width += letterWidth(letter);
  return width * (points / 11);
}

function letterWidth(letter: string): number {
  if (letter >= '0' && letter <= '9') return 1;
  if (/[.,:;'!|il]/u.test(letter)) return 0.5;
  if (/[ ()\-[\]ftjr/]/u.test(letter)) return 0.6;
  if (/[%mwMW@]/u.test(letter)) return 1.5;
  if (/\p{Script=Han}|[\u3000-\u30FF\uAC00-\uD7AF\uFF01-\uFF60]/u.test(letter)) return 2;
  return /\p{Lu}/u.test(letter) ? 1.15 : 1;
}

function widthsOf({ columnWidths = [], defaultColumnWidth = DEFAULT_WIDTH }: SheetFact): Widths {
  const known = new Map<number, number>();
  return {
    of: (column) => {
      let width = known.get(column);
      if (width === undefined) {
        width =
          columnWidths.find(({ from, to }) => column >= from && column <= to)?.width ??
          defaultColumnWidth;
        known.set(column, width);
      }
      return width;
    },
  };
}

function sumOf(widths: Widths, from: number, to: number): number {
  let sum = 0;
  for (let column = from; column <= Math.min(to, from + MAX_RUN); column++)
    sum += widths.of(column);
  return sum;
}
