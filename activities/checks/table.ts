import { type CellFact } from '../../core/evidence-view';
import { foldName } from './fold';
import { type Grid } from './grid';
import { Decided, notApplicable } from './outcome';

/** A table within a sheet: the first row that holds all named headers, and the rows below it. */
export interface SheetTable {
  readonly headerRow: number;
  /** Column numbers of the asked headers, in their order. */
  readonly columns: readonly number[];
  /** Rows from below the header to the first empty one, without rows of totals. */
  readonly dataRows: readonly number[];
  /** The same with rows of totals. */
  readonly allRows: readonly number[];
  /** Every row below the header, whatever lies between. */
  readonly rowsBelow: readonly number[];
}

const TOTAL_WORDS =
  /^(?:(?:grand|sub|overall)[ -]?total|totals?|sum|合计|总计|小计|总和|共计)(?:\s*[:(].*)?:?$/u;

/** Ends the check as not applicable when no row holds all headers. */
export function requireTable(grid: Grid, headers: readonly string[], file: string): SheetTable {
  for (const headerRow of grid.rowNumbers) {
    const columns = headers.map((header) => findHeader(grid.row(headerRow), header));
    if (!columns.every((column) => column !== undefined)) continue;
    const rowsBelow = grid.rowNumbers.filter((row) => row > headerRow);
    const allRows = rowsBelow.filter((row, index) => row === headerRow + 1 + index);
    return {
      headerRow,
      columns,
      rowsBelow,
      allRows,
      dataRows: allRows.filter((row) => !isTotalRow(grid, row)),
    };
  }
  const where = grid.name === '*' ? `results/${file}` : `sheet ${grid.name} of results/${file}`;
  throw new Decided(notApplicable(`no row of ${where} holds the headers ${headers.join(', ')}`));
}

/** The header's own words, else its words before a unit in brackets: `Amount (USD)` for `Amount`. */
export function findHeader(
  row: readonly (readonly [column: number, cell: CellFact])[],
  header: string,
): number | undefined {
  const wanted = foldName(header);
  const exact = row.find(([, { shown }]) => foldName(shown) === wanted);
  if (exact) return exact[0];
  const withUnit = row.filter(([, { shown }]) => withoutUnit(shown) === wanted);
  return withUnit.length === 1 ? withUnit[0]?.[0] : undefined;
}

export function withoutUnit(header: string): string {
  return foldName(header)
    .replace(/\s*[([].*[)\]]$/u, '')
    .trim();
}

/** A row whose first word says so, or that adds up cells above it. */
function isTotalRow(grid: Grid, row: number): boolean {
  const cells = grid.row(row);
  const label = cells.find(([, { shown }]) => shown.trim() !== '')?.[1].shown ?? '';
  if (TOTAL_WORDS.test(foldName(label))) return true;
  return cells.some(([column, { formula }]) => {
    const match = /^=(?:SUM|SUBTOTAL)\((?:\d+,)?\$?[A-Z]+\$?(\d+):\$?([A-Z]+)\$?(\d+)\)$/iu.exec(
      formula ?? '',
    );
    return match !== null && Number(match[3]) < row && columnIs(match[2] ?? '', column);
  });
}

function columnIs(name: string, column: number): boolean {
  let number = 0;
  for (const letter of name.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number === column;
}
