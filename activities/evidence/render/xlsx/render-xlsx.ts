import { parseRange } from '../../../../core/cell-range';
import { type CellFlag, type SheetFact, type WorkbookFacts } from '../../../../core/workbook-facts';
import { type OfficePackage, messageOf, openPackage } from '../package';
import { type OfficePages, type OfficeTools } from '../office';
import { type Rendering } from '../rendering';
import { withChartCells } from './chart-cells';
import { finishSheet } from './finish-sheet';
import { readRecalculated, withRecalculation, withVolatile } from './recalculation';
import { compareReadings } from './second-opinion';
import { readWorkbook } from './workbook';
import { addWorkbookText } from './workbook-text';

/** Beyond these, one page per sheet would be too small to read. */
const SINGLE_PAGE_ROWS = 200;
const SINGLE_PAGE_COLUMNS = 60;
const PAGES_OF_LARGE_SHEETS = 10;

/**
 * Facts and text of a workbook; formulas are recalculated where LibreOffice is given. Throws `Unreadable`.
 *
 * @param pending writes down what is known so far, before LibreOffice calculates
 */
export async function readXlsx(
  sourcePath: string,
  parts: OfficePackage,
  rendering: Rendering,
  tools: OfficeTools | undefined,
  pending: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const workbook = await readWorkbook(parts, rendering);
  const labelled = withVolatile(workbook.facts.sheets, workbook.facts.definedNames);
  let { sheets } = labelled;
  let recalculatedBy: string | undefined;
  if (!labelled.volatile.isComplete)
    rendering.warn('too many formulas depend on each other: stale values are not told apart');
  if (tools && sheets.some(({ formulaCount }) => formulaCount > 0)) {
    // Formulas without end must not cost what was read.
    rendering.workbook = { ...workbook.facts, sheets, warnings: [...rendering.warnings] };
    await pending();
    try {
      const recalculated = await recalculate(sourcePath, tools);
      recalculatedBy = recalculated.program;
      sheets = withRecalculation(sheets, recalculated.values, {
        date1904: workbook.date1904,
        mayBeStale: labelled.volatile.isComplete,
        calculatesOnOpening: workbook.facts.calculatesOnOpening === true,
      });
    } catch (error) {
      rendering.truncate(`formulas could not be recalculated: ${messageOf(error)}`);
    }
  }
  await compareReadings(parts, sheets, rendering);
  sheets = withChartCells(sheets).map(finishSheet);
  countWorkbook(sheets, rendering);
  const facts = {
    ...workbook.facts,
    sheets,
    ...(recalculatedBy === undefined ? {} : { recalculatedBy }),
  };
  addWorkbookText(facts, rendering);
  rendering.workbook = { ...facts, warnings: [...rendering.warnings] };
}

async function recalculate(
  sourcePath: string,
  tools: OfficeTools,
): ReturnType<typeof readRecalculated> {
  const copy = await tools.convert(sourcePath, {
    extension: 'xlsx',
    to: 'xlsx',
    filter: 'xlsx:Calc MS Excel 2007 XML',
    recalculate: true,
  });
  const parts = await openPackage(copy);
  try {
    return await readRecalculated(parts);
  } finally {
    parts.close();
  }
}

function countWorkbook(sheets: readonly SheetFact[], rendering: Rendering): void {
  rendering.count('sheets', sheets.length);
  for (const sheet of sheets) {
    rendering.count('cells', sheet.cellCount);
    rendering.count('formulas', sheet.formulaCount);
    rendering.count('errors', sheet.errorCount);
    rendering.count('charts', sheet.charts.length);
    rendering.count('tables', sheet.tables.length);
    rendering.count('comments', sheet.comments.length);
    rendering.count('images', sheet.images);
    rendering.count('pivots', sheet.pivots?.length ?? 0);
    rendering.count('stale', flagCount(sheet, 'stale'));
    rendering.count('numbersAsText', flagCount(sheet, 'number-as-text'));
    rendering.count('constantsAmongFormulas', flagCount(sheet, 'constant-among-formulas'));
    if (sheet.state !== 'visible') rendering.count('hiddenSheets');
  }
}

function flagCount({ cells }: SheetFact, flag: CellFlag): number {
  return cells.filter(({ flags }) => flags?.includes(flag)).length;
}

/** How a workbook becomes pages: one per visible sheet where that stays readable. */
export function workbookPages({
  sheets,
  calculatesOnOpening = false,
}: Pick<WorkbookFacts, 'sheets' | 'calculatesOnOpening'>): OfficePages {
  return { ...pagesOf(sheets), ...(calculatesOnOpening ? { recalculate: true } : {}) };
}

function pagesOf(sheets: readonly SheetFact[]): OfficePages {
  const visible = sheets.filter(({ state }) => state === 'visible');
  const small = visible.every(({ usedRange }) => {
    const range = usedRange === '' ? undefined : parseRange(usedRange);
    return !range || (range.toRow <= SINGLE_PAGE_ROWS && range.toColumn <= SINGLE_PAGE_COLUMNS);
  });
  if (!small)
    return {
      extension: 'xlsx',
      filter: filterOf({ PageRange: ['string', `1-${PAGES_OF_LARGE_SHEETS}`] }),
      note: `pages: the first ${PAGES_OF_LARGE_SHEETS} at most, since a sheet is larger than ${SINGLE_PAGE_ROWS} x ${SINGLE_PAGE_COLUMNS}`,
      sources: [],
    };
  const printed = sheets.filter(
    ({ cellCount, charts, images }) => cellCount > 0 || charts.length > 0 || images > 0,
  );
  return {
    extension: 'xlsx',
    filter: filterOf({ SinglePageSheets: ['boolean', 'true'] }),
    sources: printed.map(({ name, state }) => ({ name, hidden: state !== 'visible' })),
  };
}

function filterOf(options: Readonly<Record<string, readonly [string, string]>>): string {
  const entries = Object.entries(options).map(([name, [type, value]]) => [name, { type, value }]);
  return `pdf:calc_pdf_Export:${JSON.stringify(Object.fromEntries(entries))}`;
}
