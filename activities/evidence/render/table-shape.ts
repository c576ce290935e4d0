import { plural } from '../../../core/plural';

/** What a table looks like beside the words of its cells; rows and columns from 1. */
export interface TableShape {
  rows: number;
  columns: number;
  readonly merged: {
    readonly row: number;
    toRow: number;
    readonly column: number;
    readonly toColumn: number;
    /** May go on in the row below. */
    readonly isTall: boolean;
  }[];
  readonly fills: { readonly row: number; readonly column: number; readonly colour: string }[];
  /** Rows that are repeated on each page. */
  headerRows: number;
  readonly changes: string[];
}

export function emptyShape(): TableShape {
  return { rows: 0, columns: 0, merged: [], fills: [], headerRows: 0, changes: [] };
}

/** Entries of one list. */
const MAX_LISTED = 40;

/** Empty for a single cell with nothing to say of it, which is a frame rather than a table. `4 rows x 3 columns; merged: row 1 columns 1-3; filled: row 1 blue (1F3864), row 3 column 2 red (FF0000)` */
export function describeShape(shape: TableShape): string {
  if (shape.rows <= 1 && shape.columns <= 1 && shape.fills.length + shape.changes.length === 0)
    return '';
  const merged = shape.merged
    .filter(({ row, toRow, column, toColumn }) => toRow > row || toColumn > column)
    .map(
      ({ row, toRow, column, toColumn }) =>
        `${range('row', row, toRow)} ${range('column', column, toColumn)}`,
    );
  return [
    `${plural(shape.rows, 'row')} x ${plural(shape.columns, 'column')}`,
    ...(shape.headerRows > 0 ? [`${plural(shape.headerRows, 'row')} repeated as header`] : []),
    ...listed('merged', merged),
    ...listed('filled', fillsInWords(shape)),
    ...shape.changes.slice(0, MAX_LISTED),
  ].join('; ');
}

/** Cells of one colour; a row in which several cells have it, at once. */
function fillsInWords({ fills }: TableShape): string[] {
  const rows = new Map<string, { row: number; colour: string; columns: number[] }>();
  for (const { row, column, colour } of fills) {
    const key = `${row} ${colour}`;
    const known = rows.get(key) ?? { row, colour, columns: [] };
    rows.set(key, known);
    known.columns.push(column);
  }
  return [...rows.values()].map(({ row, colour, columns }) => {
    const [first = 0, last = 0] = [columns[0], columns.at(-1)];
    const isRun = columns.length > 1 && last - first === columns.length - 1;
    const where = isRun ? range('column', first, last) : `column ${columns.join(', ')}`;
    return `row ${row} ${where} ${colour}`;
  });
}

function listed(name: string, entries: readonly string[]): string[] {
  if (entries.length === 0) return [];
  const more = entries.length > MAX_LISTED ? [`and ${entries.length - MAX_LISTED} more`] : [];
  return [`${name}: ${[...entries.slice(0, MAX_LISTED), ...more].join(', ')}`];
}

function range(name: string, from: number, to: number): string {
  return from === to ? `${name} ${from}` : `${name}s ${from}-${to}`;
}
