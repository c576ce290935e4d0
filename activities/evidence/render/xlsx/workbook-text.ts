import { cellName, parseCell, parseRange, rangeHolds } from '../../../../core/cell-range';
import { type CellFact, type SheetFact, type Visibility } from '../../../../core/evidence-view';
import { type Rendering } from '../rendering';
import { type ReadWorkbook } from './workbook';

interface PlacedCell {
  readonly row: number;
  readonly column: number;
  readonly shown: string;
  /** Why a reader cannot see it. */
  readonly unseen: string | undefined;
}

/**
 * Text of a workbook: a segment per row with the shown texts from its first to its last cell, joined by
 * ` | `. Cells that a reader does not see (hidden sheet, row or column, white or tiny text) are segments of
 * their own, marked hidden with the cause as label.
 */
export function addWorkbookText(
  sheets: readonly SheetFact[],
  workbook: ReadWorkbook,
  rendering: Rendering,
): void {
  sheets.forEach((sheet, index) => {
    const read = workbook.sheets[index];
    const unseenStyle = new Map<string, string>();
    for (const { row, column, style } of read?.raw ?? []) {
      const cause = workbook.styles(style).unseen;
      if (cause) unseenStyle.set(cellName(row, column), cause);
    }
    addSheetRows(sheet, unseenStyle, rendering);
    addSheetExtras(sheet, read?.shapeTexts ?? [], rendering);
  });
}

function addSheetRows(
  sheet: SheetFact,
  unseenStyle: ReadonlyMap<string, string>,
  rendering: Rendering,
): void {
  const hiddenRows = new Set(sheet.hiddenRows);
  const hiddenColumns = sheet.hiddenColumns.map((name) =>
    parseRange(name.includes(':') ? name : `${name}:${name}`),
  );
  const causeOf = (cell: CellFact, row: number, column: number): string | undefined => {
    if (sheet.state !== 'visible') return 'hidden sheet';
    if (hiddenRows.has(row)) return 'hidden row';
    if (hiddenColumns.some((range) => range && rangeHolds(range, row, column)))
      return 'hidden column';
    return cell.flags?.includes('unseen') === true ? unseenStyle.get(cell.ref) : undefined;
  };
  let line: PlacedCell[] = [];
  const flush = (): void => {
    addRow(sheet.name, line, rendering);
    line = [];
  };
  for (const cell of sheet.cells) {
    const place = parseCell(cell.ref);
    if (!place) continue;
    if (line[0] && line[0].row !== place.row) flush();
    line.push({ ...place, shown: cell.shown, unseen: causeOf(cell, place.row, place.column) });
  }
  flush();
}

function addRow(sheet: string, cells: readonly PlacedCell[], rendering: Rendering): void {
  const seen = cells.filter(({ unseen }) => unseen === undefined);
  addCells(sheet, seen, 'visible', undefined, rendering);
  const causes = new Set(cells.flatMap(({ unseen }) => (unseen === undefined ? [] : [unseen])));
  for (const cause of causes)
    addCells(
      sheet,
      cells.filter(({ unseen }) => unseen === cause),
      'hidden',
      cause,
      rendering,
    );
}

function addCells(
  sheet: string,
  cells: readonly PlacedCell[],
  visibility: Visibility,
  label: string | undefined,
  rendering: Rendering,
): void {
  const filled = cells.filter(({ shown }) => shown !== '');
  const [first, last] = [filled[0], filled.at(-1)];
  if (!first || !last) return;
  const range =
    first === last
      ? cellName(first.row, first.column)
      : `${cellName(first.row, first.column)}:${cellName(last.row, last.column)}`;
  rendering.addText({ kind: 'cells', sheet, range }, joinRow(filled), {
    visibility,
    ...(label === undefined ? {} : { label }),
  });
}

/** Gaps of up to eight empty cells stay visible as empty fields; wider ones are one field. */
function joinRow(cells: readonly PlacedCell[]): string {
  let text = '';
  let previous: number | undefined;
  for (const { column, shown } of cells) {
    if (previous !== undefined) text += ' | '.repeat(Math.min(column - previous, 9));
    text += shown.replaceAll('\r\n', '\n');
    previous = column;
  }
  return text;
}

function addSheetExtras(
  sheet: SheetFact,
  shapeTexts: readonly string[],
  rendering: Rendering,
): void {
  const visibility: Visibility = sheet.state === 'visible' ? 'visible' : 'hidden';
  for (const { ref, author, text } of sheet.comments)
    rendering.addText(
      { kind: 'cells', sheet: sheet.name, range: ref },
      author === '' || text.startsWith(author) ? text : `${author}: ${text}`,
      { visibility, label: 'comment' },
    );
  for (const chart of sheet.charts)
    rendering.addText(
      { kind: 'file' },
      `sheet ${sheet.name}: ${chart.type} chart "${chart.title}"; ${chart.series.join('; ')}`,
      { visibility, label: 'chart' },
    );
  for (const text of shapeTexts)
    rendering.addText({ kind: 'file' }, text, { visibility, label: `text box on ${sheet.name}` });
}
