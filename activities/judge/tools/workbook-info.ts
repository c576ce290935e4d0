import { z } from 'zod';
import { type WorkbookFacts } from '../../../core/workbook-facts';
import {
  type WorkbookObject,
  objectsOfSheet,
  objectsOfWorkbook,
} from '../../../core/workbook-objects';
import { shownLocator } from '../evidence-desk';
import { oneLine } from '../prompt/framing';
import { requireArtifact, statusNote, takeLines } from './lookup';
import { defineTool, ToolProblem } from './tool';

/** Long, and seldom what an item asks for: behind all else. */
const LOOKS: ReadonlySet<string> = new Set(['looks', 'number-formats']);
/** Objects of one kind that a sheet shows. */
const LISTED = 40;
const MAX_LINE = 700;

export const workbookInfo = defineTool({
  name: 'workbook_info',
  description:
    'What a workbook is made of, each line with the locator to cite it by: sheets with state, used range, errors, hidden rows, freeze panes, filters; formulas, number formats and looks by ranges; tables, pivots, charts, comments, validation, conditional formats, links, images, shapes, sparklines, slicers, controls, embedded objects, protection; defined names, external links, macros.',
  parameters: z.strictObject({
    artifact: z.string(),
    sheet: z.string().nullable().describe('One sheet only; null: all of them'),
  }),
  handle: async (input, context) => {
    const entry = requireArtifact(context, input.artifact);
    const workbook = await context.desk.reader.workbook(entry.artifact);
    if (!workbook) return { text: `This file is not a readable workbook.${statusNote(entry)}` };
    const sheet =
      input.sheet === null ? undefined : await context.desk.findSheet(entry.artifact, input.sheet);
    if (input.sheet !== null && sheet === undefined)
      throw new ToolProblem('no such sheet; sheet: null lists all of them');
    const { taken, left } = takeLines(describeWorkbook(workbook, entry.artifact, sheet));
    return {
      text: `${context.framing.frame('workbook', taken.join('\n'))}${left > 0 ? `\n${left} more lines are not shown: ask for one sheet.` : ''}${statusNote(entry)}`,
    };
  },
});

/**
 * Facts of a workbook, one a line under its locator: sheets first, then what each of them has, then what belongs to
 * the file. What no reader sees comes last and is labelled.
 */
export function describeWorkbook(
  workbook: WorkbookFacts,
  artifact: string,
  only?: string,
): string[] {
  const sheets = workbook.sheets.filter(({ name }) => only === undefined || name === only);
  const bySheet = sheets.map((sheet) => objectsOfSheet(sheet));
  const lines = (part: string, objects: readonly WorkbookObject[]): string[] =>
    objects.map(({ object, number, text }) => {
      const place = shownLocator({ artifact, kind: 'object', object, number, part });
      return `${place} | ${oneLine(text).slice(0, MAX_LINE)}`;
    });
  const heads = sheets.flatMap(({ name }, at) => lines(name, (bySheet[at] ?? []).slice(0, 1)));
  const own = only === undefined ? objectsOfWorkbook(workbook) : [];
  const parts = [
    ...sheets.map(({ name }, at) => [name, listed((bySheet[at] ?? []).slice(1))] as const),
    ['', listed(own)] as const,
  ];
  const hidden = parts.flatMap(([part, objects]) =>
    lines(
      part,
      objects.filter(({ cause }) => cause !== undefined),
    ),
  );
  const seen = (isLook: boolean): string[] =>
    parts.flatMap(([part, objects]) =>
      lines(
        part,
        objects.filter(({ object, cause }) => cause === undefined && LOOKS.has(object) === isLook),
      ),
    );
  return [
    ...heads,
    ...seen(false),
    ...seen(true),
    ...(only === undefined ? workbookLines(workbook) : []),
    ...(hidden.length > 0 ? ['Not visible to a reader (proves nothing):', ...hidden] : []),
  ];
}

function workbookLines(workbook: WorkbookFacts): string[] {
  return [
    `package parts: ${Object.entries(workbook.partCounts)
      .map(([part, count]) => `${part} ${count}`)
      .join(', ')}`,
    ...(workbook.recalculatedBy === undefined
      ? []
      : [`recalculated by ${oneLine(workbook.recalculatedBy)}`]),
    ...workbook.warnings.slice(0, LISTED).map((text) => `warning: ${oneLine(text).slice(0, 500)}`),
  ];
}

/** The first ones of each kind, and a line that counts the others. */
function listed(objects: readonly WorkbookObject[]): WorkbookObject[] {
  return objects.flatMap((each) => {
    if (each.number <= LISTED) return [each];
    if (each.number > LISTED + 1) return [];
    const count = objects.filter(({ object }) => object === each.object).length - LISTED;
    return [{ ...each, text: `${each.text} [and ${count - 1} more: read_text has them]` }];
  });
}
