/** A block of lines of a page that stands in columns. */
export interface TableGeometry {
  /** Lines of the page's layout, from 1. */
  readonly from: number;
  readonly to: number;
  readonly columns: number;
}

/** Lines of the smallest block that is taken for a table. */
const MIN_ROWS = 3;
/** Characters that a column's beginning or end may be off by. */
const TOLERANCE = 2;

interface Cell {
  readonly start: number;
  readonly end: number;
}

/**
 * Tables of a page as far as its layout tells: lines in succession with two or more cells apart by wide gaps, whose
 * cells begin or end below those of the line above. A guess from the geometry, not from any mark of the file.
 */
export function findTables(layout: string): TableGeometry[] {
  const lines = layout.split('\n').map(cellsOf);
  const tables: TableGeometry[] = [];
  let from = 0;
  while (from < lines.length) {
    let to = from;
    while (to + 1 < lines.length && aligned(lines[to] ?? [], lines[to + 1] ?? [])) to++;
    const rows = lines.slice(from, to + 1);
    if (rows.length >= MIN_ROWS)
      tables.push({
        from: from + 1,
        to: to + 1,
        columns: Math.max(...rows.map((cells) => cells.length)),
      });
    from = to + 1;
  }
  return tables;
}

/** Words of a line that wide gaps divide. */
function cellsOf(line: string): Cell[] {
  return [...line.matchAll(/\S+(?:\s\S+)*/gu)].map(({ 0: text, index }) => ({
    start: index,
    end: index + text.length,
  }));
}

/** Whether most cells of the line with fewer of them stand under or above one of the other. */
function aligned(above: readonly Cell[], below: readonly Cell[]): boolean {
  if (above.length < 2 || below.length < 2) return false;
  const [fewer, more] = above.length <= below.length ? [above, below] : [below, above];
  const matching = fewer.filter((cell) => more.some((other) => standAbove(cell, other))).length;
  return matching >= 2 && matching * 2 > fewer.length;
}

function standAbove(left: Cell, right: Cell): boolean {
  const centre = Math.abs(left.start + left.end - right.start - right.end) / 2;
  return (
    Math.abs(left.start - right.start) <= TOLERANCE ||
    Math.abs(left.end - right.end) <= TOLERANCE ||
    centre <= TOLERANCE
  );
}
