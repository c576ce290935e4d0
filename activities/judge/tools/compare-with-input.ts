import { z } from 'zod';
import {
  type ArtifactEntry,
  type ComparedPart,
  type Comparison,
} from '../../../core/evidence-view';
import { shownLocator } from '../evidence-desk';
import { oneLine } from '../prompt/framing';
import { requireArtifact, shorten, statusNote, takeLines } from './lookup';
import { defineTool, ToolProblem } from './tool';

export const compareWithInput = defineTool({
  name: 'compare_with_input',
  description:
    'How a deliverable differs from a given file: sheets, cells, formulas and formats of workbooks, text of other files. The lines with #compare= state a fact that can be cited, with its words as the quote.',
  parameters: z.strictObject({
    artifact: z.string().describe('results/...'),
    input: z
      .string()
      .nullable()
      .describe('inputs/...; null: the given file of the same or a similar name'),
  }),
  handle: async (given, context) => {
    const { reader } = context.desk;
    const left = requireArtifact(context, given.artifact);
    const name = given.input ?? reader.inputOf(left.artifact);
    if (name === undefined)
      throw new ToolProblem('no given file has the same or a similar name: name one as input');
    const right = requireArtifact(context, name);
    if (right.origin !== 'input') throw new ToolProblem('input must be a given file (inputs/...)');
    const comparison = await reader.compare(left.artifact, right.artifact);
    if (!comparison) throw new ToolProblem('these two files cannot be compared');
    const { taken, left: dropped } = takeLines(describeComparison(comparison));
    return {
      text: `${context.framing.frame('differences', taken.join('\n'))}${dropped > 0 ? `\n${dropped} more lines are not shown.` : ''}${notes(left, right)}`,
    };
  },
});

function notes(...entries: readonly ArtifactEntry[]): string {
  return entries.map(statusNote).join('');
}

/** A line for the files, one for each part, and under it the first differences at their places. */
export function describeComparison(comparison: Comparison): string[] {
  return [...statements(comparison), ...comparison.parts.flatMap(describeDifferences)];
}

/** Facts alone: a line for the files and one for each part. */
export function statements({ artifact, input, statement, parts }: Comparison): string[] {
  const place = { artifact, kind: 'comparison', input } as const;
  return [
    `${shownLocator(place)} | ${statement}`,
    ...parts.map(
      ({ part, formerPart, statement: fact }) =>
        `${shownLocator({ ...place, part })} | ${fact}${formerPart === undefined ? '' : ` (there: ${JSON.stringify(oneLine(formerPart))})`}`,
    ),
  ];
}

function describeDifferences({ differences, differenceCount }: ComparedPart): string[] {
  const lines = differences
    .filter(({ kind }) => kind !== 'structure')
    .map(
      ({ locator, kind, text }) =>
        `${shownLocator(locator)} | ${kind}: ${shorten(oneLine(text), 600)}`,
    );
  const left = differenceCount - differences.length;
  return left > 0 ? [...lines, `... ${left} more differences there`] : lines;
}
