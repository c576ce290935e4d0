import { z } from 'zod';
import { type SheetFact, type WorkbookFacts } from '../../../core/evidence-view';
import { oneLine } from '../prompt/framing';
import { requireArtifact, statusNote, takeLines } from './lookup';
import { defineTool } from './tool';

const LISTED = 40;

export const workbookInfo = defineTool({
  name: 'workbook_info',
  description:
    'What a workbook is made of: sheets with state, used range, formulas, errors, tables, charts, comments, validation, conditional formats, freeze panes; defined names.',
  parameters: z.strictObject({ artifact: z.string() }),
  handle: async (input, context) => {
    const entry = requireArtifact(context, input.artifact);
    const workbook = await context.desk.reader.workbook(entry.artifact);
    if (!workbook) return { text: `This file is not a readable workbook.${statusNote(entry)}` };
    const { taken, left } = takeLines(describeWorkbook(workbook));
    return {
      text: `${context.framing.frame('workbook', taken.join('\n'))}${left > 0 ? `\n${left} more lines are not shown.` : ''}`,
    };
  },
});

/** Facts of a workbook, one a line; names and texts escaped for one line. */
export function describeWorkbook(workbook: WorkbookFacts): string[] {
  return [
    ...workbook.sheets.flatMap(describeSheet),
    ...listed(
      'defined name',
      workbook.definedNames.map(({ name, refersTo }) => `${name} = ${refersTo}`),
    ),
    `package parts: ${Object.entries(workbook.partCounts)
      .map(([part, count]) => `${part} ${count}`)
      .join(', ')}`,
    ...(workbook.recalculatedBy === undefined
      ? []
      : [`recalculated by ${oneLine(workbook.recalculatedBy)}`]),
    ...listed('warning', workbook.warnings),
  ];
}

function describeSheet(sheet: SheetFact): string[] {
  const facts = [
    `sheet ${JSON.stringify(oneLine(sheet.name))}`,
    sheet.state,
    sheet.usedRange === '' ? 'empty' : `used range ${sheet.usedRange}`,
    `${sheet.cellCount} cells`,
    `${sheet.formulaCount} formulas`,
    `${sheet.errorCount} errors`,
    ...(sheet.freezePane === undefined ? [] : [`freeze pane ${sheet.freezePane}`]),
    ...(sheet.autoFilter === undefined ? [] : [`auto filter ${sheet.autoFilter}`]),
    ...(sheet.hiddenRows.length > 0 ? [`${sheet.hiddenRows.length} hidden rows`] : []),
    ...(sheet.hiddenColumns.length > 0 ? [`hidden columns ${sheet.hiddenColumns.join(' ')}`] : []),
    ...(sheet.images > 0 ? [`${sheet.images} images`] : []),
  ];
  return [
    facts.join(', '),
    ...listed('  merged', sheet.merged),
    ...listed(
      '  table',
      sheet.tables.map(({ name, range }) => `${name} ${range}`),
    ),
    ...listed(
      '  chart',
      sheet.charts.map(({ type, title, series }) => `${type} "${title}": ${series.join('; ')}`),
    ),
    ...listed(
      '  comment (not cell content)',
      sheet.comments.map(({ ref, author, text }) => `${ref} by ${author}: ${text}`),
    ),
    ...listed(
      '  validation',
      sheet.validations.map(({ range, rule }) => `${range} ${rule}`),
    ),
    ...listed(
      '  conditional format',
      sheet.conditionalFormats.map(({ range, rule }) => `${range} ${rule}`),
    ),
  ];
}

function listed(name: string, entries: readonly string[]): string[] {
  return [
    ...entries.slice(0, LISTED).map((entry) => `${name}: ${oneLine(entry).slice(0, 500)}`),
    ...(entries.length > LISTED ? [`${name}: ${entries.length - LISTED} more`] : []),
  ];
}
