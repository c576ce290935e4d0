import { z } from 'zod';
import { parseRange, printRange } from '../../../core/cell-range';
import { type CellFact } from '../../../core/evidence-view';
import { shownLocator } from '../evidence-desk';
import { oneLine } from '../prompt/framing';
import { requireArtifact, shorten, statusNote, takeLines } from './lookup';
import { defineTool, ToolProblem } from './tool';

export const readCells = defineTool({
  name: 'read_cells',
  description:
    'Cells of a sheet: value, text as shown, number format, formula, value stored with the formula, recalculated value. Empty cells are left out.',
  parameters: z.strictObject({
    artifact: z.string(),
    sheet: z.string(),
    range: z.string().describe('e.g. A1:F20, or B7'),
  }),
  handle: async (input, context) => {
    const entry = requireArtifact(context, input.artifact);
    const sheet = await context.desk.findSheet(entry.artifact, input.sheet);
    if (sheet === undefined) {
      const workbook = await context.desk.reader.workbook(entry.artifact);
      if (!workbook) throw new ToolProblem(`not a readable workbook.${statusNote(entry)}`);
      const names = workbook.sheets.map(({ name }) => JSON.stringify(oneLine(name))).join('\n');
      throw new ToolProblem(`no such sheet. Sheets:\n${context.framing.frame('names', names)}`);
    }
    const range = parseRange(input.range.trim());
    if (!range) throw new ToolProblem(`${JSON.stringify(input.range)} is not a range like A1:F20`);
    const locator = {
      artifact: entry.artifact,
      kind: 'cells',
      sheet,
      range: printRange(range),
    } as const;
    const found = await context.desk.reader.resolve(locator);
    const cells = found?.cells ?? [];
    if (found === undefined || cells.length === 0) return { text: 'All of these cells are empty.' };
    const { taken, left } = takeLines(
      cells.map(
        (cell) => `${shownLocator({ ...locator, range: cell.ref })} | ${describeCell(cell)}`,
      ),
    );
    const hidden =
      found.visibility === 'hidden' ? ' They are not visible to a reader and prove nothing.' : '';
    return {
      text: `${cells.length} cells with content${left > 0 ? `, ${left} not shown: ask for a smaller range` : ''}.${hidden}\n${context.framing.frame('cells', taken.join('\n'))}`,
    };
  },
});

function describeCell(cell: CellFact): string {
  const raw = JSON.stringify(cell.value);
  const parts = [
    `value ${shorten(oneLine(raw), 2_000)}`,
    ...(cell.shown === String(cell.value)
      ? []
      : [`shown ${JSON.stringify(shorten(oneLine(cell.shown), 500))}`]),
    ...(cell.format === undefined || cell.format === 'General'
      ? []
      : [`format ${oneLine(cell.format)}`]),
    ...(cell.formula === undefined
      ? []
      : [
          `formula =${shorten(oneLine(cell.formula.replace(/^=/u, '')), 1_000)}`,
          `stored ${cell.cached === undefined ? 'nothing' : oneLine(JSON.stringify(cell.cached))}`,
          `recalculated ${cell.recalculated === undefined ? 'unknown' : oneLine(JSON.stringify(cell.recalculated))}`,
        ]),
    ...(cell.look === undefined ? [] : [`look ${shorten(oneLine(cell.look), 500)}`]),
    ...(cell.error === undefined ? [] : [`error ${oneLine(cell.error)}`]),
    ...arrayWords(cell),
    ...(cell.flags ?? []).map((flag) =>
      flag === 'unseen' && cell.unseen !== undefined ? `not visible (${cell.unseen})` : flag,
    ),
  ];
  return parts.join(', ');
}

function arrayWords({ array, arrayOf, recalculated }: CellFact): string[] {
  if (array) return [`${array.isDynamic ? 'dynamic array' : 'array formula'} over ${array.range}`];
  if (arrayOf === undefined) return [];
  const value =
    recalculated === undefined ? '' : `, recalculated ${oneLine(JSON.stringify(recalculated))}`;
  return [`filled by the array formula in ${arrayOf}${value}`];
}
