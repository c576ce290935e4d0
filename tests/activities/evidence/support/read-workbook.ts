import { type TextSegment } from '../../../../core/evidence-view';
import { type CellFact, type SheetFact, type WorkbookFacts } from '../../../../core/workbook-facts';
import { readBytes } from '../../../support/evidence';
import { type TestWorkbook, workbookPackage } from '../../../support/workbook-package';

export interface Read {
  readonly book: WorkbookFacts;
  readonly sheet: SheetFact;
  readonly segments: readonly TextSegment[];
  readonly warnings: readonly string[];
  readonly reason: string;
  cell(ref: string): CellFact | undefined;
}

/** Reads a package written by hand in this process: facts of its first sheet at hand. */
export async function read(book: TestWorkbook, name = 'book.xlsx'): Promise<Read> {
  const { rendering, reason = '', status } = await readBytes(name, workbookPackage(book));
  const sheet = rendering.workbook?.sheets[0];
  if (!rendering.workbook || !sheet) throw new Error(`${status}: ${reason}`);
  return {
    book: rendering.workbook,
    sheet,
    segments: rendering.segments,
    warnings: rendering.warnings,
    reason,
    cell: (ref) => sheet.cells.find((cell) => cell.ref === ref),
  };
}
