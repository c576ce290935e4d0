import { type CellFact } from '../../core/evidence-view';
import { plural } from '../../core/plural';
import { type Check } from '../../core/rubric';
import { type EvidenceReader } from '../evidence/port';
import { foldName } from './fold';
import { type Grid, requireGrid } from './grid';
import { met, notApplicable, unmet } from './outcome';
import { type CheckOutcome } from './port';
import { requireTable } from './table';
import { compareCell, type Expected } from './values';
import { compared } from './workbook-checks';

type CheckOf<Kind extends Check['kind']> = Extract<Check, { readonly kind: Kind }>;

/**
 * Looks the row up by its key. No such key anywhere in the sheet is unmet; a key that stands elsewhere or in
 * several rows that disagree is left to the judge.
 */
export async function checkRowValueEquals(
  check: CheckOf<'row-value-equals'>,
  evidence: EvidenceReader,
): Promise<CheckOutcome> {
  const grid = await requireGrid(evidence, check.file, check.sheet);
  const table = requireTable(grid, [check.keyColumn, check.column], check.file);
  const [keyColumn = 0, column = 0] = table.columns;
  const rows = table.rowsBelow.filter((row) => hasKey(grid.cell(row, keyColumn), check.key));
  if (rows.length === 0) {
    if (!grid.isComplete) return notApplicable('not all cells of the sheet are listed');
    return mentions(grid, check.key)
      ? notApplicable(`${String(check.key)} stands in the sheet, but not under ${check.keyColumn}`)
      : unmet(`no row has ${String(check.key)} under ${check.keyColumn}`);
  }
  const outcomes = rows.map((row): CheckOutcome => {
    const cell = grid.cell(row, column);
    if (cell) return compared(grid, { row, column }, cell, check);
    return unmet(`${check.column} is empty for ${String(check.key)}`);
  });
  const [first] = outcomes;
  if (first && outcomes.every(({ outcome }) => outcome === first.outcome)) return first;
  return notApplicable(`${rows.length} rows have the key ${String(check.key)} and differ`);
}

function hasKey(cell: CellFact | undefined, key: string | number): boolean {
  if (!cell) return false;
  if (compareCell(cell, key) === 'equal') return true;
  return typeof key === 'string' && lettersAndDigits(cell.shown) === lettersAndDigits(key);
}

/** `SKU-001` and `SKU 001` are one key. */
function lettersAndDigits(text: string): string {
  return foldName(text).replace(/[\s\-_]/gu, '');
}

function mentions(grid: Grid, key: string | number): boolean {
  const wanted = lettersAndDigits(String(key));
  return grid.rowNumbers.some((row) =>
    grid.row(row).some(([, { shown }]) => lettersAndDigits(shown).includes(wanted)),
  );
}

/** All values below the header, rows of totals left out unless they are expected. */
export async function checkColumnMatches(
  check: CheckOf<'column-matches'>,
  evidence: EvidenceReader,
): Promise<CheckOutcome> {
  const grid = await requireGrid(evidence, check.file, check.sheet);
  const table = requireTable(grid, [check.column], check.file);
  const [column = 0] = table.columns;
  if (!grid.isComplete) return notApplicable('not all cells of the sheet are listed');
  const problems = [table.dataRows, table.allRows].map((rows) => {
    const cells = rows.flatMap((row) => grid.cell(row, column) ?? []);
    return check.ordered === false
      ? differenceOfSets(cells, check.values, check.tolerance)
      : differenceInOrder(cells, check.values, check.tolerance);
  });
  const [problem] = problems;
  const header = { locator: grid.locate(table.headerRow, column), quote: check.column };
  return problems.includes(undefined)
    ? met(`${check.column} holds the ${plural(check.values.length, 'expected value')}`, header)
    : unmet(`${check.column}: ${problem ?? ''}`, header);
}

function differenceInOrder(
  cells: readonly CellFact[],
  values: readonly Expected[],
  tolerance: number | undefined,
): string | undefined {
  const at = values.findIndex((value, index) => {
    const cell = cells[index];
    return !cell || compareCell(cell, value, tolerance) !== 'equal';
  });
  if (at >= 0)
    return `value ${at + 1} is ${cells[at]?.shown ?? 'absent'}, expected ${String(values[at])}`;
  return cells.length === values.length
    ? undefined
    : `${plural(cells.length, 'value')}, expected ${values.length}`;
}

/** Each expected value takes one cell that equals it. */
function differenceOfSets(
  cells: readonly CellFact[],
  values: readonly Expected[],
  tolerance: number | undefined,
): string | undefined {
  const left = [...cells];
  for (const value of values) {
    const at = left.findIndex((cell) => compareCell(cell, value, tolerance) === 'equal');
    if (at < 0) return `${String(value)} is absent`;
    left.splice(at, 1);
  }
  return left[0] ? `${left[0].shown} is not expected` : undefined;
}

/** Rows that have something under the header, to the first empty row, without rows of totals. */
export async function checkRowCount(
  check: CheckOf<'row-count'>,
  evidence: EvidenceReader,
): Promise<CheckOutcome> {
  const grid = await requireGrid(evidence, check.file, check.sheet);
  const table = requireTable(grid, [check.column], check.file);
  const [column = 0] = table.columns;
  if (!grid.isComplete) return notApplicable('not all cells of the sheet are listed');
  const count = table.dataRows.filter((row) => grid.cell(row, column) !== undefined).length;
  const header = { locator: grid.locate(table.headerRow, column), quote: check.column };
  return count === check.count
    ? met(`${plural(count, 'row')} under ${check.column}`, header)
    : unmet(`${plural(count, 'row')} under ${check.column}, expected ${check.count}`, header);
}
