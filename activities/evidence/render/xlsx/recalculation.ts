import { cellName, parseCell, rangeHolds } from '../../../../core/cell-range';
import { type CellFact, type SheetFact } from '../../../../core/evidence-view';
import { type OfficePackage } from '../package';
import { relationshipsOf } from '../relationships';
import { child, elements, parseXml, textOf } from '../xml';
import { storedValue } from './cell-facts';
import { isVolatile, referencesOf } from './formula';
import { shownText } from './number-format';
import { readSharedStrings } from './shared-strings';
import { scanSheet } from './sheet-scan';
import { mainPart } from './workbook';

type CellValue = string | number | boolean;
/** Values by sheet name, then by cell. */
export type Recalculated = ReadonlyMap<string, ReadonlyMap<string, CellValue>>;

/** Reads the values of a copy that LibreOffice recalculated, and the name it gives itself there. */
export async function readRecalculated(
  parts: OfficePackage,
  maxCells: number,
): Promise<{ readonly values: Recalculated; readonly program: string }> {
  const part = await mainPart(parts);
  const root = parseXml(part, await parts.read(part));
  const relations = await relationshipsOf(parts, part);
  const stringsPart = relations.find(({ type }) => type === 'sharedStrings')?.target;
  const strings = await readSharedStrings(parts, stringsPart, () => undefined);
  const values = new Map<string, ReadonlyMap<string, CellValue>>();
  for (const { attributes } of elements(child(root, 'sheets') ?? root, 'sheet')) {
    const target = relations.find(({ id }) => id === attributes['r:id'])?.target;
    if (target === undefined) continue;
    const cells = new Map<string, CellValue>();
    for (const cell of (await scanSheet(parts, target, maxCells)).cells) {
      const value = storedValue(cell, strings);
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

/**
 * Adds recalculated values to formula cells. A stored value that differs is flagged `stale`; a cell whose
 * value depends on the moment, by itself or through others, is flagged `volatile` instead.
 */
export function withRecalculation(
  sheets: readonly SheetFact[],
  recalculated: Recalculated,
  shown: { readonly date1904: boolean },
): SheetFact[] {
  const volatile = volatileCells(sheets);
  return sheets.map((sheet) => {
    const values = recalculated.get(sheet.name);
    const cells = sheet.cells.map((cell): CellFact => {
      if (cell.formula === undefined) return cell;
      const isMoment = volatile.has(key(sheet.name, cell.ref));
      return withValue(cell, values?.get(cell.ref), isMoment, shown.date1904);
    });
    return { ...sheet, cells, errorCount: Math.max(sheet.errorCount, countErrors(cells)) };
  });
}

function withValue(
  cell: CellFact,
  value: CellValue | undefined,
  isVolatileCell: boolean,
  date1904: boolean,
): CellFact {
  const { cached } = cell;
  const stale =
    !isVolatileCell && value !== undefined && cached !== undefined && differ(cached, value);
  const flags = [
    ...(cell.flags ?? []),
    ...(isVolatileCell ? (['volatile'] as const) : []),
    ...(stale ? (['stale'] as const) : []),
  ];
  const error = cell.error ?? (cached === undefined ? errorOf(value) : undefined);
  return {
    ...cell,
    ...(value === undefined ? {} : { recalculated: value }),
    ...(cached === undefined && value !== undefined
      ? { shown: shownText(value, cell.format ?? 'General', date1904) }
      : {}),
    ...(error === undefined ? {} : { error }),
    ...(flags.length > 0 ? { flags } : {}),
  };
}

function countErrors(cells: readonly CellFact[]): number {
  return cells.filter(({ error }) => error !== undefined).length;
}

function errorOf(value: CellValue | undefined): string | undefined {
  return typeof value === 'string' && /^#(?:N\/A|[A-Z0-9/]+[!?])$/u.test(value) ? value : undefined;
}

function differ(stored: CellValue, value: CellValue): boolean {
  if (typeof stored === 'number' && typeof value === 'number')
    return Math.abs(stored - value) > 1e-9 * Math.max(1, Math.abs(stored), Math.abs(value));
  return stored !== value;
}

function key(sheet: string, ref: string): string {
  return `${sheet}\n${ref}`;
}

/** Formula cells that call a function of the moment, and those that read such a cell, to any depth. */
function volatileCells(sheets: readonly SheetFact[]): ReadonlySet<string> {
  const found = new Set<string>();
  let last: { sheet: string; row: number; column: number }[] = [];
  const rest: { sheet: string; cell: CellFact }[] = [];
  for (const { name, cells } of sheets)
    for (const cell of cells) {
      if (cell.formula === undefined) continue;
      const place = parseCell(cell.ref);
      if (place && isVolatile(cell.formula)) {
        found.add(key(name, cell.ref));
        last.push({ sheet: name, ...place });
      } else rest.push({ sheet: name, cell });
    }
  if (last.length === 0) return found;
  const readers = rest.map(({ sheet, cell }) => ({
    sheet,
    cell,
    references: referencesOf(cell.formula ?? ''),
  }));
  // Beyond this many comparisons only direct ones are labelled.
  while (last.length > 0 && readers.length * last.length < 20_000_000) {
    const next: typeof last = [];
    for (const { sheet, cell, references } of readers) {
      if (found.has(key(sheet, cell.ref))) continue;
      const reads = references.some((reference) =>
        last.some(
          (each) =>
            each.sheet === (reference.sheet ?? sheet) &&
            rangeHolds(reference.range, each.row, each.column),
        ),
      );
      const place = reads ? parseCell(cell.ref) : undefined;
      if (!place) continue;
      found.add(key(sheet, cell.ref));
      next.push({ sheet, ...place });
    }
    last = next;
  }
  return found;
}
