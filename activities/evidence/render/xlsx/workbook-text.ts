import { cellName, parseCell } from '../../../../core/cell-range';
import { type HiddenCause } from '../../../../core/evidence-view';
import { type CellFact, type SheetFact, type WorkbookFacts } from '../../../../core/workbook-facts';
import {
  type WorkbookObject,
  objectsOfSheet,
  objectsOfWorkbook,
} from '../../../../core/workbook-objects';
import { RENDER_LIMITS } from '../limits';
import { type Rendering } from '../rendering';

interface PlacedCell {
  readonly row: number;
  readonly column: number;
  readonly text: string;
  /** Why a reader cannot see it. */
  readonly unseen: string | undefined;
  readonly isVolatile: boolean;
}

/** Bytes of text kept for what is no cell. */
const OBJECT_BYTES = RENDER_LIMITS.textBytes / 4;

/**
 * Text of a workbook: of each sheet what it is and has, then a segment per row with the shown texts from its first
 * to its last cell, joined by ` | `. Cells that a reader does not see are segments of their own, with the cause. No
 * sheet takes the room of those that follow.
 */
export function addWorkbookText(workbook: WorkbookFacts, rendering: Rendering): void {
  const { sheets } = workbook;
  const objects = new ObjectRoom(OBJECT_BYTES);
  const own = objects.take(objectsOfWorkbook(workbook));
  const bySheet = sheets.map((sheet) => objects.take(objectsOfSheet(sheet)));
  if (objects.beyond > 0)
    rendering.truncate(
      `${objects.beyond} charts, rules, comments and the like are not in the text`,
    );
  let room = RENDER_LIMITS.textBytes - objects.bytes;
  sheets.forEach((sheet, index) => {
    addObjects(sheet.name, bySheet[index] ?? [], rendering);
    const share = Math.floor(room / (sheets.length - index));
    room -= addSheetRows(sheet, share, rendering);
  });
  addObjects('', own, rendering);
}

class ObjectRoom {
  bytes = 0;
  beyond = 0;

  constructor(private readonly limit: number) {}

  take(objects: readonly WorkbookObject[]): WorkbookObject[] {
    return objects.filter(({ text }) => {
      const size = Buffer.byteLength(text);
      const fits = this.bytes + size <= this.limit;
      if (fits) this.bytes += size;
      else this.beyond++;
      return fits;
    });
  }
}

/** Objects whose text is the author's words and not ours. */
const WORDS = new Set(['chart', 'comment', 'shape', 'alternative-text']);

function addObjects(part: string, objects: readonly WorkbookObject[], rendering: Rendering): void {
  for (const { object, number, text, cause } of objects)
    rendering.addText({ kind: 'object', object, number, part }, text, {
      label: object.replaceAll('-', ' '),
      ...(cause === undefined ? {} : { cause }),
      ...(WORDS.has(object) ? {} : { isDescription: true }),
    });
}

/** Adds rows while they fit; returns the bytes they took. */
function addSheetRows(sheet: SheetFact, maxBytes: number, rendering: Rendering): number {
  let bytes = 0;
  for (const line of rowsOf(sheet)) {
    const size = line.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 3, 0);
    if (bytes + size > maxBytes) {
      rendering.facts['textTruncated'] = true;
      rendering.truncate(
        `the text of sheet ${sheet.name} ends before row ${line[0]?.row ?? 0}: cells can be read beyond`,
      );
      return bytes;
    }
    bytes += size;
    addRow(sheet.name, line, rendering);
  }
  return bytes;
}

function* rowsOf(sheet: SheetFact): Generator<readonly PlacedCell[]> {
  let line: PlacedCell[] = [];
  for (const cell of sheet.cells) {
    const place = parseCell(cell.ref);
    if (!place) continue;
    if (line[0] && line[0].row !== place.row) {
      yield line;
      line = [];
    }
    const unseen = sheet.state === 'visible' ? cell.unseen : 'hidden sheet';
    const { row, column } = place;
    line.push({ row, column, text: textOf(cell), unseen, isVolatile: isOfMoment(cell) });
  }
  if (line.length > 0) yield line;
}

/** What a format does not show is still text that somebody put there. */
function textOf(cell: CellFact): string {
  return cell.unseen === 'format that shows nothing' ? String(cell.value) : cell.shown;
}

function isOfMoment(cell: CellFact): boolean {
  return cell.flags?.includes('volatile') === true;
}

function addRow(sheet: string, cells: readonly PlacedCell[], rendering: Rendering): void {
  addCells(
    sheet,
    cells.filter(({ unseen }) => unseen === undefined),
    undefined,
    rendering,
  );
  const causes = new Set(cells.flatMap(({ unseen }) => (unseen === undefined ? [] : [unseen])));
  for (const cause of causes)
    addCells(
      sheet,
      cells.filter(({ unseen }) => unseen === cause),
      cause,
      rendering,
    );
}

const CAUSES: Readonly<Record<string, HiddenCause>> = {
  'hidden sheet': 'hidden-sheet',
  'hidden row': 'hidden-cells',
  'hidden column': 'hidden-cells',
  'white text': 'no-contrast',
  'text like its fill': 'no-contrast',
  'tiny text': 'tiny-text',
  'format that shows nothing': 'no-mark',
  'under merged cells': 'no-mark',
  'far from all other cells': 'off-page',
};

function addCells(
  sheet: string,
  cells: readonly PlacedCell[],
  unseen: string | undefined,
  rendering: Rendering,
): void {
  const filled = cells.filter(({ text }) => text !== '');
  const [first, last] = [filled[0], filled.at(-1)];
  if (!first || !last) return;
  const range =
    first === last
      ? cellName(first.row, first.column)
      : `${cellName(first.row, first.column)}:${cellName(last.row, last.column)}`;
  rendering.addText({ kind: 'cells', sheet, range }, joinRow(filled), {
    ...(unseen === undefined ? {} : { label: unseen, cause: CAUSES[unseen] ?? 'hidden-text' }),
    ...(filled.some(({ isVolatile }) => isVolatile) ? { isVolatile: true } : {}),
  });
}

/** Gaps of up to eight empty cells stay visible as empty fields; wider ones are one field. */
function joinRow(cells: readonly PlacedCell[]): string {
  let text = '';
  let previous: number | undefined;
  for (const { column, text: shown } of cells) {
    if (previous !== undefined) text += ' | '.repeat(Math.min(column - previous, 9));
    text += shown.replaceAll('\r\n', '\n');
    previous = column;
  }
  return text;
}
