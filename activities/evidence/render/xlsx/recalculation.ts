import { cellName } from '../../../../core/cell-range';
import {
  type CellFact,
  type CellFlag,
  type SheetFact,
  type WorkbookFacts,
} from '../../../../core/workbook-facts';
import { type OfficePackage } from '../package';
import { relationshipsOf } from '../relationships';
import { child, elements, parseXml, textOf } from '../xml';
import { storedValue } from './cell-facts';
import { ListingBudget } from './listing-budget';
import { formatColorWords } from './look';
import { shownText } from './number-format';
import { readSharedStrings } from './shared-strings';
import { scanSheet } from './sheet-scan';
import { type VolatileCells, volatileCells } from './volatile-cells';
import { mainPart } from './workbook';

type CellValue = string | number | boolean;
/** Values by sheet name, then by cell. */
export type Recalculated = ReadonlyMap<string, ReadonlyMap<string, CellValue>>;

/** Reads the values of a copy that LibreOffice recalculated, and the name it gives itself there. */
export async function readRecalculated(
  parts: OfficePackage,
): Promise<{ readonly values: Recalculated; readonly program: string }> {
  const part = await mainPart(parts);
  const root = parseXml(part, await parts.read(part));
  const relations = await relationshipsOf(parts, part);
  const stringsPart = relations.find(({ type }) => type === 'sharedStrings')?.target;
  const strings = await readSharedStrings(parts, stringsPart, () => undefined);
  const values = new Map<string, ReadonlyMap<string, CellValue>>();
  const budget = new ListingBudget();
  for (const { attributes } of elements(child(root, 'sheets') ?? root, 'sheet')) {
    const target = relations.find(({ id }) => id === attributes['r:id'])?.target;
    if (target === undefined) continue;
    const cells = new Map<string, CellValue>();
    for (const cell of (await scanSheet(parts, target, { budget })).cells) {
      const value = storedValue(cell, { strings });
      if (value !== undefined) cells.set(cellName(cell.row, cell.column), value);
    }
    values.set(attributes['name'] ?? '', cells);
  }
  return { values, program: await programOf(parts) };
}

async function programOf(parts: OfficePackage): Promise<string> {
  if (!parts.has('docProps/app.xml')) return 'LibreOffice';
  const root = parseXml('docProps/app.xml', await parts.read('docProps/app.xml'));
  const name = textOf(child(root, 'Application'));
  return name.replace(/\$.*$/u, '').replace('/', ' ').trim() || 'LibreOffice';
}

/** Labels cells whose value depends on the moment, by themselves or through others. */
export function withVolatile(
  sheets: readonly SheetFact[],
  names: WorkbookFacts['definedNames'],
): { readonly sheets: readonly SheetFact[]; readonly volatile: VolatileCells } {
  const volatile = volatileCells(sheets, names);
  const labelled = sheets.map((sheet) => ({
    ...sheet,
    cells: sheet.cells.map((cell) =>
      isCalculated(cell) && volatile.has(sheet.name, cell.ref) ? flagged(cell, 'volatile') : cell,
    ),
  }));
  return { sheets: labelled, volatile };
}

/**
 * Adds recalculated values to formula cells and to those that array formulas fill. A stored value that differs is
 * flagged `stale`, unless the cell is volatile.
 */
export function withRecalculation(
  sheets: readonly SheetFact[],
  recalculated: Recalculated,
  options: RecalculationOptions,
): SheetFact[] {
  return sheets.map((sheet) => {
    const values = recalculated.get(sheet.name);
    const cells = sheet.cells.map((cell): CellFact =>
      isCalculated(cell) ? withValue(cell, values?.get(cell.ref), options) : cell,
    );
    return { ...sheet, cells, errorCount: Math.max(sheet.errorCount, countErrors(cells)) };
  });
}

function isCalculated({ formula, arrayOf }: CellFact): boolean {
  return formula !== undefined || arrayOf !== undefined;
}

function withValue(
  cell: CellFact,
  value: CellValue | undefined,
  { date1904, mayBeStale = true, calculatesOnOpening = false }: RecalculationOptions,
): CellFact {
  if (value === undefined) return cell;
  const stored = cell.formula === undefined ? (cell.value ?? undefined) : cell.cached;
  const stale =
    mayBeStale &&
    cell.flags?.includes('volatile') !== true &&
    stored !== undefined &&
    differ(stored, value);
  // LibreOffice may not know a function that the program of the file knows.
  const isReplaced = stale && calculatesOnOpening && value !== '#NAME?';
  if (stored !== undefined && !isReplaced)
    return { ...(stale ? flagged(cell, 'stale') : cell), recalculated: value };
  return withShown(isReplaced ? flagged(cell, 'calculated-on-opening') : cell, value, date1904);
}

/** The cell as programs show it that calculate. */
function withShown(
  { error: _error, ...cell }: CellFact,
  value: CellValue,
  date1904: boolean,
): CellFact {
  const error = errorOf(value);
  const format = cell.format ?? 'General';
  const look = [cell.look, ...formatColorWords(format, value)].filter(Boolean).join(', ');
  return {
    ...cell,
    recalculated: value,
    shown: shownText(value, format, date1904),
    ...(look === '' ? {} : { look }),
    ...(error === undefined ? {} : { error }),
  };
}

export interface RecalculationOptions {
  readonly date1904: boolean;
  readonly mayBeStale?: boolean;
  /** Programs show what they calculate, whatever is stored. */
  readonly calculatesOnOpening?: boolean;
}

function flagged(cell: CellFact, flag: CellFlag): CellFact {
  return { ...cell, flags: [...(cell.flags ?? []), flag] };
}

function countErrors(cells: readonly CellFact[]): number {
  return cells.filter(({ error }) => error !== undefined).length;
}

function errorOf(value: CellValue | undefined): string | undefined {
  return typeof value === 'string' && /^#(?:N\/A|[A-Z0-9/_]+[!?])$/u.test(value)
    ? value
    : undefined;
}

function differ(stored: CellValue, value: CellValue): boolean {
  if (typeof stored === 'number' && typeof value === 'number')
    return Math.abs(stored - value) > 1e-9 * Math.max(1, Math.abs(stored), Math.abs(value));
  return stored !== value;
}
