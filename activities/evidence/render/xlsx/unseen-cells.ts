import { type CellRange, parseRange } from '../../../../core/cell-range';
import { type RawCell } from './sheet-scan';

/** Empty rows or columns that part what is far off from the rest of a sheet. */
const FAR_ROWS = 1_000;
const FAR_COLUMNS = 200;

/** Whether merged cells cover a cell: all of a merged range but its first cell is covered. */
export function coveredBy(merged: readonly string[]): (row: number, column: number) => boolean {
  const tall: CellRange[] = [];
  const byRow = new Map<number, CellRange[]>();
  for (const each of merged) {
    const range = parseRange(each);
    if (!range) continue;
    if (range.toRow - range.fromRow > 100) tall.push(range);
    else
      for (let row = range.fromRow; row <= range.toRow; row++) {
        const list = byRow.get(row) ?? [];
        list.push(range);
        byRow.set(row, list);
      }
  }
  const covers = (range: CellRange, row: number, column: number): boolean =>
    row >= range.fromRow &&
    row <= range.toRow &&
    column >= range.fromColumn &&
    column <= range.toColumn &&
    (row !== range.fromRow || column !== range.fromColumn);
  return (row, column) =>
    (byRow.get(row)?.some((range) => covers(range, row, column)) ?? false) ||
    tall.some((range) => covers(range, row, column));
}

/** The last row and column of what a reader comes upon: behind a wide gap lie only a few more cells. */
export function nearEnd(cells: readonly RawCell[]): {
  readonly row: number;
  readonly column: number;
} {
  return {
    row: lastBeforeGap(
      cells.map(({ row }) => row),
      FAR_ROWS,
    ),
    column: lastBeforeGap(
      cells.map(({ column }) => column),
      FAR_COLUMNS,
    ),
  };
}

function lastBeforeGap(positions: readonly number[], gap: number): number {
  const counts = new Map<number, number>();
  for (const position of positions) counts.set(position, (counts.get(position) ?? 0) + 1);
  const sorted = [...counts.keys()].sort((left, right) => left - right);
  let before = 0;
  for (const [index, position] of sorted.entries()) {
    const previous = sorted[index - 1] ?? 0;
    // A sheet may well begin far down; cells are far off only against more of them.
    if (position - previous > gap && before * 2 > positions.length) return previous;
    before += counts.get(position) ?? 0;
  }
  return Infinity;
}
