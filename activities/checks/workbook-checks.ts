import { cellName, parseCell, parseRange, rangeHolds } from '../../core/cell-range';
import { type CellFact, type WorkbookFacts } from '../../core/evidence-view';
import { plural } from '../../core/plural';
import { type Check } from '../../core/rubric';
import { type EvidenceReader } from '../evidence/port';
import { findSheet, type Grid, requireGrid } from './grid';
import { requireDeliverable } from './lookup';
import { Decided, met, notApplicable, unmet } from './outcome';
import { compilePattern } from './pattern';
import { type CheckOutcome } from './port';
import { compareCell, numberOf } from './values';

type CheckOf<Kind extends Check['kind']> = Extract<Check, { readonly kind: Kind }>;

async function requireWorkbook(evidence: EvidenceReader, file: string): Promise<WorkbookFacts> {
  const { artifact, rendered } = requireDeliverable(evidence, file);
  const workbook = await evidence.workbook(artifact);
  if (!workbook)
    throw new Decided(notApplicable(`results/${file} is ${rendered.format}, no workbook`));
  return workbook;
}

/** The name must be exact; a sheet that is there but hidden is left to the judge. */
export async function checkSheetExists(
  { file, sheet: name }: CheckOf<'sheet-exists'>,
  evidence: EvidenceReader,
): Promise<CheckOutcome> {
  const { sheets } = await requireWorkbook(evidence, file);
  const sheet = findSheet(sheets, name);
  if (!sheet)
    return unmet(`no sheet ${name}; there are ${sheets.map((each) => each.name).join(', ')}`);
  if (sheet.state !== 'visible') return notApplicable(`sheet ${sheet.name} is hidden`);
  const range = sheet.usedRange === '' ? 'A1' : sheet.usedRange;
  return met(`sheet ${sheet.name} is there`, {
    locator: { artifact: `results/${file}`, kind: 'cells', sheet: sheet.name, range },
  });
}

/** The named sheets follow one another in this order; others may stand between them, hidden ones do not count. */
export async function checkSheetOrder(
  { file, sheets: wanted }: CheckOf<'sheet-order'>,
  evidence: EvidenceReader,
): Promise<CheckOutcome> {
  const { sheets } = await requireWorkbook(evidence, file);
  const names = sheets.filter(({ state }) => state === 'visible').map(({ name }) => name);
  const places = wanted.map((name) => names.indexOf(name));
  const absent = wanted.filter((_, index) => places[index] === -1);
  if (absent.length > 0)
    return unmet(`no visible sheet ${absent.join(', ')}; there are ${names.join(', ')}`);
  const isOrdered = places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0));
  const citation = { locator: { artifact: `results/${file}`, kind: 'file' as const } };
  return isOrdered
    ? met(`the sheets are ${names.join(', ')}`, citation)
    : unmet(`the sheets are ${names.join(', ')}`, citation);
}

/** The value at that very address; an empty cell is unmet. */
export async function checkCellEquals(
  check: CheckOf<'cell-equals'>,
  evidence: EvidenceReader,
): Promise<CheckOutcome> {
  const grid = await requireGrid(evidence, check.file, check.sheet);
  const place = parseCell(check.cell);
  if (!place) return notApplicable(`${check.cell} is no cell`);
  const cell = grid.cell(place.row, place.column);
  if (!cell)
    return grid.isComplete
      ? unmet(`cell ${check.cell} is empty`)
      : notApplicable('not all cells of the sheet are listed');
  return compared(grid, place, cell, check);
}

/** Outcome of one cell against its expected value. */
export function compared(
  grid: Grid,
  place: { readonly row: number; readonly column: number },
  cell: CellFact,
  check: { readonly value: string | number | boolean; readonly tolerance?: number },
): CheckOutcome {
  const name = cellName(place.row, place.column);
  const citation = { locator: grid.locate(place.row, place.column), quote: cell.shown };
  switch (compareCell(cell, check.value, check.tolerance)) {
    case 'equal':
      return met(`${name} is ${cell.shown}`, citation);
    case 'different':
      return unmet(`${name} is ${cell.shown}, expected ${String(check.value)}`, citation);
    case 'unclear':
      return notApplicable(`${name} shows ${cell.shown}, which is only its rounded value`);
  }
}

function cellsIn(grid: Grid, rangeText: string): { row: number; column: number; cell: CellFact }[] {
  const range = parseRange(rangeText);
  if (!range) throw new Decided(notApplicable(`${rangeText} is no range`));
  return grid.rowNumbers.flatMap((row) =>
    grid
      .row(row)
      .filter(([column]) => rangeHolds(range, row, column))
      .map(([column, cell]) => ({ row, column, cell })),
  );
}

/** Constants in the range are unmet; an empty range is another layout, which the judge looks at. */
export async function checkFormulaPresent(
  { file, sheet, range, share = 1 }: CheckOf<'formula-present'>,
  evidence: EvidenceReader,
): Promise<CheckOutcome> {
  const grid = await requireGrid(evidence, file, sheet);
  const cells = cellsIn(grid, range);
  if (cells.length === 0) return notApplicable(`${range} of ${grid.name} is empty`);
  const formulas = cells.filter(({ cell }) => cell.formula !== undefined);
  const words = `${formulas.length} of ${plural(cells.length, 'cell')} in ${range} ${formulas.length === 1 ? 'is a formula' : 'are formulas'}`;
  const first = formulas[0];
  const citations = first
    ? [{ locator: grid.locate(first.row, first.column), quote: first.cell.formula ?? '' }]
    : [];
  return formulas.length >= cells.length * share - 1e-9
    ? met(words, ...citations)
    : unmet(`${words}, expected a share of ${share}`, ...citations);
}

/** Every number in the range has a format that the pattern finds; numbers kept as text have none. */
export async function checkNumberFormat(
  { file, sheet, range, pattern }: CheckOf<'number-format'>,
  evidence: EvidenceReader,
): Promise<CheckOutcome> {
  const grid = await requireGrid(evidence, file, sheet);
  const numbers = cellsIn(grid, range).filter(({ cell }) => numberOf(cell) !== undefined);
  if (numbers.length === 0) return notApplicable(`${range} of ${grid.name} holds no numbers`);
  const expression = compilePattern(pattern, 'u');
  const wrong = numbers.find(({ cell }) => !expression.test(formatOf(cell)));
  const example = wrong ?? numbers[0];
  if (!example) return notApplicable(`${range} holds no numbers`);
  const citation = { locator: grid.locate(example.row, example.column), quote: example.cell.shown };
  const words = `${cellName(example.row, example.column)} has the format ${formatOf(example.cell)}`;
  return wrong ? unmet(words, citation) : met(words, citation);
}

function formatOf(cell: CellFact): string {
  return cell.flags?.includes('number-as-text') === true ? '@ (text)' : (cell.format ?? 'General');
}

const ERROR_TEXT = /^#(?:REF!|DIV\/0!|VALUE!|NAME\?|N\/A|NUM!|NULL!|SPILL!|CALC!)$/u;

/** Counts error values in all sheets, hidden ones too, and words that are error codes. */
export async function checkNoErrorCells(
  { file }: CheckOf<'no-error-cells'>,
  evidence: EvidenceReader,
): Promise<CheckOutcome> {
  const workbook = await requireWorkbook(evidence, file);
  for (const sheet of workbook.sheets) {
    const cell = sheet.cells.find(
      ({ error, value }) =>
        error !== undefined || (typeof value === 'string' && ERROR_TEXT.test(value)),
    );
    if (cell)
      return unmet(`${sheet.name}!${cell.ref} is ${cell.error ?? String(cell.value)}`, {
        locator: { artifact: `results/${file}`, kind: 'cells', sheet: sheet.name, range: cell.ref },
        quote: cell.error ?? String(cell.value),
      });
    if (sheet.errorCount > 0)
      return unmet(`sheet ${sheet.name} has ${plural(sheet.errorCount, 'error')}`);
  }
  const isUncalculated = workbook.sheets.some(({ cells }) =>
    cells.some(
      ({ formula, cached, recalculated }) =>
        formula !== undefined && (cached ?? recalculated) === undefined,
    ),
  );
  return isUncalculated
    ? notApplicable('formulas have no value, so errors cannot be excluded')
    : met('no cell is an error', { locator: { artifact: `results/${file}`, kind: 'file' } });
}
