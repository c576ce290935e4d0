import { type CellFlag, type SheetFact, type WorkbookFacts } from '../../../../core/workbook-facts';
import { type OfficePackage, messageOf, openPackage } from '../package';
import { type OfficePages, type OfficeTools } from '../office';
import { type Rendering } from '../rendering';
import { withChartCells } from './chart-cells';
import { finishSheet } from './finish-sheet';
import { DRAWN_COLUMNS, DRAWN_ROWS, isLargeSheet } from './print-areas';
import { readRecalculated, withRecalculation, withVolatile } from './recalculation';
import { compareReadings } from './second-opinion';
import { readWorkbook } from './workbook';
import { addWorkbookText } from './workbook-text';

/** Pages of a workbook with sheets that are too large for one; without print areas, those of its first sheets. */
const PAGES_OF_LARGE_BOOKS = 40;
const PAGES_WITHOUT_AREAS = 10;

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

/**
 * How a workbook becomes pages: one for each visible sheet where that stays readable, else the first pages of each
 * large sheet between those of the others.
 *
 * @param hasPrintAreas the file to draw has an area for each of its large sheets
 */
export function workbookPages(
  { sheets, calculatesOnOpening = false }: Pick<WorkbookFacts, 'sheets' | 'calculatesOnOpening'>,
  hasPrintAreas = false,
): OfficePages {
  return {
    ...pagesOf(sheets, hasPrintAreas),
    ...(calculatesOnOpening ? { recalculate: true } : {}),
  };
}

function pagesOf(sheets: readonly SheetFact[], hasPrintAreas: boolean): OfficePages {
  const printed = sheets.filter(
    ({ cellCount, charts, images }) => cellCount > 0 || charts.length > 0 || images > 0,
  );
  const large = sheets.filter((sheet) => sheet.state === 'visible' && isLargeSheet(sheet));
  // One page of a sheet is drawn for hidden ones too, and takes LibreOffice as long.
  if (!sheets.some(isLargeSheet))
    return {
      extension: 'xlsx',
      filter: filterOf({ SinglePageSheets: ['boolean', 'true'] }),
      sources: printed.map(({ name, state }) => ({ name, hidden: state !== 'visible' })),
    };
  const most = hasPrintAreas ? PAGES_OF_LARGE_BOOKS : PAGES_WITHOUT_AREAS;
  const isOne = hasPrintAreas && large.length <= 1;
  return {
    extension: 'xlsx',
    filter: filterOf({ PageRange: ['string', `1-${most}`] }),
    note: hasPrintAreas
      ? `page images show the first ${DRAWN_ROWS} rows and ${DRAWN_COLUMNS} columns of large sheets, and at most ${most} pages: text and facts are of all cells`
      : `page images: the first ${most} at most, since a sheet is large: text and facts are of all cells`,
    sources: isOne
      ? printed
          .filter(({ state }) => state === 'visible')
          .map((sheet) => ({
            name: sheet.name,
            hidden: false,
            ...(large.includes(sheet) ? { isLong: true } : {}),
          }))
      : [],
  };
}

function filterOf(options: Readonly<Record<string, readonly [string, string]>>): string {
  const entries = Object.entries(options).map(([name, [type, value]]) => [name, { type, value }]);
  return `pdf:calc_pdf_Export:${JSON.stringify(Object.fromEntries(entries))}`;
}
