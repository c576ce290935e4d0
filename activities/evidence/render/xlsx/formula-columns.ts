import { parseCell } from '../../../../core/cell-range';
import { type CellFact } from '../../../../core/workbook-facts';
import { relativeFormula } from './formula';

/** Formula cells of one shape that a column needs before a number among them is remarkable. */
const MIN_FORMULAS = 3;
/** Longer formulas are not compared. */
const MAX_FORMULA = 500;

interface Placed {
  readonly ref: string;
  readonly row: number;
  readonly column: number;
  readonly cell: CellFact;
}

/**
 * Numbers typed into a column of formulas: they stand between two cells whose formulas are the same but for their
 * row, in a run of rows without a gap, and such formulas are the run's majority.
 */
export function constantsAmongFormulas(cells: readonly CellFact[]): ReadonlySet<string> {
  const formulas = new Map<string, number>();
  for (const { ref, formula } of cells)
    if (formula !== undefined)
      formulas.set(lettersOf(ref), (formulas.get(lettersOf(ref)) ?? 0) + 1);
  const columns = new Map<string, Placed[]>();
  for (const cell of cells) {
    const letters = lettersOf(cell.ref);
    if ((formulas.get(letters) ?? 0) < MIN_FORMULAS) continue;
    const place = parseCell(cell.ref);
    if (!place) continue;
    const list = columns.get(letters) ?? [];
    list.push({ ref: cell.ref, row: place.row, column: place.column, cell });
    columns.set(letters, list);
  }
  const found = new Set<string>();
  for (const column of columns.values())
    for (const run of runsOf(column)) for (const ref of constantsOf(run)) found.add(ref);
  return found;
}

function lettersOf(ref: string): string {
  let at = 0;
  while (ref.charCodeAt(at) > 57) at++;
  return ref.slice(0, at);
}

/** Parts of a column without an empty cell. */
function runsOf(column: readonly Placed[]): Placed[][] {
  const runs: Placed[][] = [];
  for (const each of column) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && each.row <= last.row + 1) run.push(each);
    else runs.push([each]);
  }
  return runs;
}

function constantsOf(run: readonly Placed[]): string[] {
  const shapes = run.map(({ cell, row, column }) =>
    cell.formula === undefined || cell.formula.length > MAX_FORMULA
      ? undefined
      : relativeFormula(cell.formula, row, column),
  );
  const counts = new Map<string, number>();
  for (const shape of shapes)
    if (shape !== undefined) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  const [common, count] = [...counts].sort(([, left], [, right]) => right - left)[0] ?? ['', 0];
  if (count < MIN_FORMULAS) return [];
  const [first, last] = [shapes.indexOf(common), shapes.lastIndexOf(common)];
  const between = run.slice(first, last + 1);
  const constants = between.filter(
    ({ cell }) =>
      cell.formula === undefined && cell.arrayOf === undefined && typeof cell.value === 'number',
  );
  return constants.length < count ? constants.map(({ ref }) => ref) : [];
}
