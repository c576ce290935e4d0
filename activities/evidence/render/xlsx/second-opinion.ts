import type ExcelJS from 'exceljs';
import { parseRange } from '../../../../core/cell-range';
import { type SheetFact } from '../../../../core/workbook-facts';
import { type OfficePackage, messageOf } from '../package';
import { type Rendering } from '../rendering';
import { slimCopy } from './slim-copy';

/** Above this many cells, merged ones counted each, a second reading costs seconds and is left out. */
const MAX_CELLS = 50_000;

/** What two readings of a sheet can be held against each other by. */
interface SheetCounts {
  readonly name: string;
  readonly state: string;
  readonly cells: number;
  readonly formulas: number;
  readonly merged: number;
}

/**
 * Reads a slimmed copy again with exceljs, another program's reading of the same parts. What differs is a warning
 * each; that the two agree, or why there was no second reading, is a fact of the file.
 */
export async function compareReadings(
  parts: OfficePackage,
  sheets: readonly SheetFact[],
  rendering: Rendering,
): Promise<void> {
  const size = sheets.reduce((total, sheet) => total + sheet.cellCount + mergedArea(sheet), 0);
  if (size > MAX_CELLS) {
    rendering.facts['secondReading'] = `none: over ${MAX_CELLS} cells`;
    return;
  }
  let theirs: readonly SheetCounts[];
  try {
    theirs = await readAgain(await slimCopy(parts));
  } catch (error) {
    rendering.facts['secondReading'] = 'exceljs: cannot read it';
    rendering.warn(`exceljs cannot read this workbook for comparison: ${messageOf(error)}`);
    return;
  }
  const differences = differencesOf(sheets.map(countsOf), theirs);
  rendering.facts['secondReading'] =
    differences.length === 0 ? 'exceljs: agrees' : 'exceljs: differs';
  for (const difference of differences) rendering.warn(difference);
}

function mergedArea({ merged, unlisted }: SheetFact): number {
  if (unlisted?.['merged ranges'] !== undefined) return Infinity;
  return merged.reduce((total, each) => {
    const range = parseRange(each);
    return range
      ? total + (range.toRow - range.fromRow + 1) * (range.toColumn - range.fromColumn + 1)
      : total;
  }, 0);
}

function countsOf({ name, state, cellCount, formulaCount, merged }: SheetFact): SheetCounts {
  return { name, state, cells: cellCount, formulas: formulaCount, merged: merged.length };
}

/** Nodes that it fails on, or expands without bound. None of them has cells. */
const IGNORED =
  'cols dataValidations drawing legacyDrawing picture tableParts extLst conditionalFormatting autoFilter';

async function readAgain(copy: Buffer): Promise<readonly SheetCounts[]> {
  const { default: exceljs } = await import('exceljs');
  const workbook = new exceljs.Workbook();
  const content = copy.buffer.slice(copy.byteOffset, copy.byteOffset + copy.length) as ArrayBuffer;
  await workbook.xlsx.load(content, { ignoreNodes: IGNORED.split(' ') });
  return workbook.worksheets.map((sheet) => {
    const counts = { cells: 0, formulas: 0 };
    sheet.eachRow({ includeEmpty: false }, (row) =>
      row.eachCell({ includeEmpty: false }, (cell) => countCell(cell, exceljs, counts)),
    );
    const { merges } = sheet.model as unknown as { readonly merges?: readonly string[] };
    return { name: sheet.name, state: sheet.state, ...counts, merged: merges?.length ?? 0 };
  });
}

function countCell(
  cell: ExcelJS.Cell,
  { ValueType }: typeof ExcelJS,
  counts: { cells: number; formulas: number },
): void {
  const { type, value } = cell;
  if (type === ValueType.Null || type === ValueType.Merge || value === '') return;
  counts.cells++;
  if (type === ValueType.Formula) counts.formulas++;
}

function differencesOf(ours: readonly SheetCounts[], theirs: readonly SheetCounts[]): string[] {
  // It knows no chart sheets, and lists none.
  const found = new Map(theirs.map((sheet) => [sheet.name, sheet]));
  const differences: string[] = [];
  for (const sheet of ours) {
    const other = found.get(sheet.name);
    if (!other) {
      if (sheet.cells > 0)
        differences.push(`sheet ${sheet.name} has ${sheet.cells} cells; exceljs does not find it`);
      continue;
    }
    for (const key of ['state', 'cells', 'formulas', 'merged'] as const)
      if (sheet[key] !== other[key])
        differences.push(
          `${key} of sheet ${sheet.name}: ${sheet[key]}; another reader (exceljs) finds ${other[key]}`,
        );
  }
  return differences;
}
