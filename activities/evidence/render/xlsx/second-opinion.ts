import { type SheetFact } from '../../../../core/evidence-view';
import { messageOf } from '../package';
import { type Rendering } from '../rendering';

/** Above this many cells a second reading costs seconds and is left out. */
const MAX_CELLS = 50_000;

/**
 * Counts the cells again with exceljs, another program's reading of the same file. A difference is a
 * warning. Its streaming reader is used, since the whole-file one throws on workbooks with openpyxl's
 * charts, comments or tables.
 */
export async function compareCellCounts(
  sourcePath: string,
  sheets: readonly SheetFact[],
  rendering: Rendering,
): Promise<void> {
  const worksheets = sheets.filter(({ cellCount }) => cellCount > 0);
  if (worksheets.reduce((total, { cellCount }) => total + cellCount, 0) > MAX_CELLS) return;
  let counts: number[];
  try {
    counts = await countCells(sourcePath);
  } catch (error) {
    rendering.warn(`exceljs cannot read this workbook for comparison: ${messageOf(error)}`);
    return;
  }
  const ours = sheets.reduce((total, { cellCount }) => total + cellCount, 0);
  const theirs = counts.reduce((total, count) => total + count, 0);
  if (ours !== theirs)
    rendering.warn(`${ours} cells have content; another reader (exceljs) finds ${theirs}`);
}

async function countCells(sourcePath: string): Promise<number[]> {
  const { default: exceljs } = await import('exceljs');
  const reader = new exceljs.stream.xlsx.WorkbookReader(sourcePath, {
    worksheets: 'emit',
    sharedStrings: 'emit',
    hyperlinks: 'ignore',
    styles: 'ignore',
    entries: 'ignore',
  });
  const counts: number[] = [];
  for await (const sheet of reader) {
    let count = 0;
    for await (const row of sheet)
      row.eachCell({ includeEmpty: false }, (cell) => {
        if (cell.value !== null && cell.value !== undefined && cell.value !== '') count++;
      });
    counts.push(count);
  }
  return counts;
}
