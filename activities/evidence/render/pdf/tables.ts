/** A block of lines of a page that stands in columns. */
export interface TableGeometry {
  /** Lines of the page's layout, from 1. */
  readonly from: number;
  readonly to: number;
  /** Lines that begin a row; others go on with cells of the row above. */
  readonly rows: number;
  readonly columns: number;
}

/** Rows of the smallest block that is taken for a table. */
const MIN_ROWS = 3;
/** Letters of a bullet or a number before an item of a list. */
const BULLET_LETTERS = 3;
/** Characters that a column's beginning or end may be off by. */
const TOLERANCE = 2;
/** Rows whose first cell tells where the first column is. */
const SAME_COLUMN_ROWS = 4;
/** A page of more letters is not looked at in the order of drawing. */
const MAX_PAGE_LETTERS = 50_000;
/** Lines without a cell of the table between two of its rows. */
const MAX_GAP = 2;

interface Cell {
  readonly start: number;
  readonly end: number;
}

/**
 * Tables of a page as far as its layout tells: lines with two or more cells apart by wide gaps, whose cells begin or
 * end below those of the row above; between them empty lines and lines that go on with a cell. A guess from the
 * geometry, not from any mark of the file.
 *
 * @param drawn the page in the order of drawing, where it reads in columns: cells of one row are drawn one after the
 * other, lines of columns of text are not
 */
export function findTables(layout: string, drawn?: string): TableGeometry[] {
  if (drawn !== undefined && layout.length > MAX_PAGE_LETTERS) return [];
  const order = drawn?.replace(/\s+/gu, ' ');
  const lines = layout
    .split('\n')
    .map((line) => (order === undefined ? cellsOf(line) : drawnTogether(line, order)));
  const tables: TableGeometry[] = [];
  for (let from = 0; from < lines.length;) {
    const block = blockFrom(lines, from);
    const { to, rows } = block;
    if (rows.length >= MIN_ROWS && !isRunningText(block) && !isList(block))
      tables.push({
        ...{ from: from + 1, to: to + 1, rows: rows.length },
        columns: Math.max(...rows.map((cells) => cells.length)),
      });
    from = to + 1;
  }
  return tables;
}

interface Block {
  readonly to: number;
  readonly rows: readonly (readonly Cell[])[];
  /** Lines that go on with cells of the row above. */
  readonly continued: number;
}

/** The rows from a line on, and those lines between them that belong to them. */
function blockFrom(lines: readonly (readonly Cell[])[], from: number): Block {
  const rows = [lines[from] ?? []];
  let [to, continued, pending] = [from, 0, 0];
  for (let at = from + 1; at < lines.length && at - to <= MAX_GAP + pending + 1; at++) {
    const [line, above] = [lines[at] ?? [], rows.at(-1) ?? []];
    if (line.length === 0) continue;
    if (aligned(above, line)) {
      // Without a cell in the first column, it goes on with the row above.
      const begins = beginsRow(line, rows);
      if (begins) rows.push(line);
      continued += pending + (begins ? 0 : 1);
      [to, pending] = [at, 0];
    } else if (goesOn(above, line)) pending++;
    else break;
  }
  // Lines behind the last row that go on with one of its cells are its own.
  for (let at = to + 1; rows.length > 1 && goesOn(rows.at(-1) ?? [], lines[at] ?? []); at++) {
    to = at;
    continued++;
  }
  return { to, rows, continued };
}

function beginsRow(line: readonly Cell[], rows: readonly (readonly Cell[])[]): boolean {
  const firsts = [rows[0], ...rows.slice(-SAME_COLUMN_ROWS)].flatMap((row) => row?.[0] ?? []);
  return line.some((cell) => firsts.some((first) => standAbove(cell, first)));
}

/** Whether all cells of a line begin under a cell of the row that is not its first. */
function goesOn(row: readonly Cell[], line: readonly Cell[]): boolean {
  return (
    line.length > 0 &&
    line.length <= row.length &&
    line.every((cell) => row.slice(1).some((above) => Math.abs(above.start - cell.start) <= 1))
  );
}

/** Two columns of running text: most lines of both go on with the one above. */
function isRunningText({ rows, continued }: Block): boolean {
  return continued > rows.length * 6;
}

/** Bullets or numbers, and an item behind each. */
function isList({ rows }: Block): boolean {
  return rows.every(
    ([first, ...items]) =>
      first !== undefined && items.length === 1 && first.end - first.start <= BULLET_LETTERS,
  );
}

/** Words of a line that wide gaps divide. */
function cellsOf(line: string): Cell[] {
  return [...line.matchAll(/\S+(?:\s\S+)*/gu)].map(({ 0: text, index }) => ({
    start: index,
    end: index + text.length,
  }));
}

/** The longest run of a line's cells that were drawn one after the other. */
function drawnTogether(line: string, order: string): Cell[] {
  let [best, run]: [Cell[], Cell[]] = [[], []];
  for (const cell of cellsOf(line)) {
    const first = run[0] ?? cell;
    const words = line.slice(first.start, cell.end).replace(/\s+/gu, ' ');
    run = order.includes(words) ? [...run, cell] : [cell];
    if (run.length > best.length) best = run;
  }
  return best.length > 1 ? best : [];
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
