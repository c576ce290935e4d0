import { z } from 'zod';
import { type ArtifactEntry, type CellFact } from '../../../core/evidence-view';
import { type EvidenceReader } from '../../evidence/port';
import { shownLocator } from '../evidence-desk';
import { foldText } from '../../../core/fold-text';
import { oneLine } from '../prompt/framing';
import { requireArtifact, statusNote, takeLines } from './lookup';
import { segmentLine } from './read-text';
import { defineTool, ToolProblem } from './tool';

const LISTED = 60;

export const compareWithInput = defineTool({
  name: 'compare_with_input',
  description:
    'How a deliverable differs from a given file: cell by cell for two workbooks, line by line otherwise.',
  parameters: z.strictObject({
    artifact: z.string().describe('results/...'),
    input: z.string().describe('inputs/...'),
  }),
  handle: async (input, context) => {
    const left = requireArtifact(context, input.artifact);
    const right = requireArtifact(context, input.input);
    if (right.origin !== 'input') throw new ToolProblem('input must be a given file (inputs/...)');
    if (left.rendered.sha256 === right.rendered.sha256)
      return { text: 'The two files are identical, byte by byte.' };
    const { reader } = context.desk;
    const lines =
      (await compareWorkbooks(reader, left.artifact, right.artifact)) ??
      (await compareText(reader, left.artifact, right.artifact));
    if (lines === undefined)
      return { text: `The files differ, and at least one has no text.${notes(left, right)}` };
    const { taken, left: dropped } = takeLines(lines);
    return {
      text: `${context.framing.frame('differences', taken.join('\n'))}${dropped > 0 ? `\n${dropped} more lines are not shown.` : ''}${notes(left, right)}`,
    };
  },
});

function notes(...entries: readonly ArtifactEntry[]): string {
  return entries.map(statusNote).join('');
}

async function compareWorkbooks(
  reader: EvidenceReader,
  left: string,
  right: string,
): Promise<string[] | undefined> {
  const [ours, given] = await Promise.all([reader.workbook(left), reader.workbook(right)]);
  if (!ours || !given) return undefined;
  const lines: string[] = [];
  for (const sheet of ours.sheets)
    if (!given.sheets.some(({ name }) => name === sheet.name))
      lines.push(`only in the deliverable: sheet ${JSON.stringify(oneLine(sheet.name))}`);
  for (const sheet of given.sheets) {
    const match = ours.sheets.find(({ name }) => name === sheet.name);
    if (!match) lines.push(`only in the input: sheet ${JSON.stringify(oneLine(sheet.name))}`);
    else lines.push(...compareSheets(left, sheet.name, match.cells, sheet.cells));
  }
  return lines.length > 0 ? lines : ['The cells are the same.'];
}

function compareSheets(
  artifact: string,
  sheet: string,
  ours: readonly CellFact[],
  given: readonly CellFact[],
): string[] {
  const before = new Map(given.map((cell) => [cell.ref, cell]));
  const after = new Map(ours.map((cell) => [cell.ref, cell]));
  const refs = [...new Set([...after.keys(), ...before.keys()])];
  const changes = refs
    .filter((ref) => cellText(after.get(ref)) !== cellText(before.get(ref)))
    .map(
      (ref) =>
        `${shownLocator({ artifact, kind: 'cells', sheet, range: ref })} | input ${cellText(before.get(ref))}, deliverable ${cellText(after.get(ref))}`,
    );
  const head = `sheet ${JSON.stringify(oneLine(sheet))}: ${changes.length} cells differ, ${refs.length - changes.length} are the same`;
  return [head, ...cut(changes)];
}

function cellText(cell: CellFact | undefined): string {
  if (cell === undefined) return '(empty)';
  const formula = cell.formula === undefined ? '' : ` (=${cell.formula.replace(/^=/u, '')})`;
  return oneLine(`${JSON.stringify(cell.value)}${formula}`).slice(0, 300);
}

async function compareText(
  reader: EvidenceReader,
  left: string,
  right: string,
): Promise<string[] | undefined> {
  const [ours, given] = await Promise.all([reader.segments(left), reader.segments(right)]);
  if (ours.length === 0 || given.length === 0) return undefined;
  const texts = (segments: typeof ours) => segments.map((segment) => foldText(segment.text));
  const oursOnly = notIn(texts(ours), texts(given));
  const givenOnly = notIn(texts(given), texts(ours));
  return [
    `${ours.length - oursOnly.length} of the deliverable's ${ours.length} segments are in the input too`,
    `only in the deliverable: ${oursOnly.length}`,
    ...cut(oursOnly.flatMap((at) => (ours[at] ? [segmentLine(ours[at])] : []))),
    `only in the input: ${givenOnly.length}`,
    ...cut(givenOnly.flatMap((at) => (given[at] ? [segmentLine(given[at])] : []))),
  ];
}

/** Positions of texts that the other list does not have as often. */
function notIn(texts: readonly string[], others: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const text of others) counts.set(text, (counts.get(text) ?? 0) + 1);
  return texts.flatMap((text, at) => {
    const left = counts.get(text) ?? 0;
    if (left === 0) return [at];
    counts.set(text, left - 1);
    return [];
  });
}

function cut(lines: readonly string[]): string[] {
  return lines.length <= LISTED
    ? [...lines]
    : [...lines.slice(0, LISTED), `... ${lines.length - LISTED} more`];
}
