import { z } from 'zod';
import { type TextSegment } from '../../../core/evidence-view';
import { shownLocator } from '../evidence-desk';
import { oneLine } from '../prompt/framing';
import { requireArtifact, shorten, statusNote, takeLines } from './lookup';
import { defineTool, ToolProblem } from './tool';

const SEGMENTS_PER_CALL = 400;

export const readText = defineTool({
  name: 'read_text',
  description:
    'Text of a file in reading order, one segment a line: `<locator> | text`. [looks: ...] behind a text names words that are struck out, highlighted, coloured, raised or commented on; [tracked: ...] its tracked changes. from and to are positions in that list, from 1.',
  parameters: z.strictObject({
    artifact: z.string().describe('e.g. results/report.pdf'),
    from: z.int().nullable().describe('First position; null: 1'),
    to: z.int().nullable().describe('Last position; null: as far as one answer goes'),
  }),
  handle: async (input, context) => {
    const entry = requireArtifact(context, input.artifact);
    const segments = await context.desk.reader.segments(entry.artifact);
    if (segments.length === 0)
      return { text: `No text can be read from this file.${statusNote(entry)}` };
    const from = input.from ?? 1;
    const to = Math.min(input.to ?? segments.length, segments.length, from + SEGMENTS_PER_CALL - 1);
    if (from < 1 || from > segments.length || to < from)
      throw new ToolProblem(`positions go from 1 to ${segments.length}`);
    const { taken } = takeLines(segments.slice(from - 1, to).map(segmentLine));
    const last = from - 1 + taken.length;
    const more = last < segments.length ? ` Go on with from: ${last + 1}.` : '';
    return {
      text: `Positions ${from} to ${last} of ${segments.length}.${more}${statusNote(entry)}\n${context.framing.frame(
        'text',
        splitByVisibility(segments.slice(from - 1, last), taken),
      )}`,
    };
  },
});

/** A segment as the judge reads it. */
export function segmentLine(segment: TextSegment): string {
  const labels = [
    ...(segment.label === undefined ? [] : [segment.label]),
    ...(segment.isVolatile === true ? ['changes by itself'] : []),
  ];
  const label = labels.length === 0 ? '' : `[${oneLine(labels.join(', '))}] `;
  return `${shownLocator(segment.locator)} | ${label}${shorten(oneLine(segment.text))}${marksOf(segment)}${changesOf(segment)}`;
}

/** How words of the text look, where that carries meaning. */
function marksOf({ marks = [], text }: TextSegment): string {
  if (marks.length === 0) return '';
  const words = marks.map(({ look, text: marked }) =>
    marked === '' || marked === text ? look : `${look} ${JSON.stringify(marked)}`,
  );
  return shorten(oneLine(` [looks: ${words.join(', ')}]`));
}

/** Tracked changes behind the text as it is when all are accepted. */
function changesOf({ changes = [], original, label }: TextSegment): string {
  if (changes.length === 0) return '';
  const words = changes.map(({ kind, text, author, date }) => {
    const who = [author, date].filter((each) => each !== undefined).join(' ');
    // A deletion's own line has its words already.
    const what = label === 'deletion' ? '' : ` ${JSON.stringify(text)}`;
    return `${kind}${what}${who === '' ? '' : ` by ${who}`}`;
  });
  const before = original === undefined ? '' : `; before the changes: ${JSON.stringify(original)}`;
  return shorten(oneLine(` [tracked: ${words.join(', ')}${before}]`));
}

/** Visible segments first; hidden ones apart, under a heading that says what they are. */
export function splitByVisibility(
  segments: readonly TextSegment[],
  lines: readonly string[],
): string {
  const visible = lines.filter((_, at) => segments[at]?.visibility === 'visible');
  const hidden = lines.filter((_, at) => segments[at]?.visibility === 'hidden');
  if (hidden.length === 0) return visible.join('\n');
  return [...visible, 'Not visible to a reader (proves nothing):', ...hidden].join('\n');
}
