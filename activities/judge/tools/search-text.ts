import { z } from 'zod';
import { type ArtifactEntry } from '../../../core/evidence-view';
import { foldText } from '../../../core/fold-text';
import { requireArtifact, takeLines } from './lookup';
import { segmentLine } from './read-text';
import { defineTool, type ToolContext, ToolProblem } from './tool';

const HITS_PER_ARTIFACT = 30;

export const searchText = defineTool({
  name: 'search_text',
  description:
    'Finds words in the text of one file or of all files. Case, white space, quotation marks and line ends do not matter. Prints the segments that hold them.',
  parameters: z.strictObject({
    query: z.string().describe('Words to find, not a pattern.'),
    artifact: z.string().nullable().describe('One file; null: all of them'),
  }),
  handle: async (input, context) => {
    if (foldText(input.query) === '') throw new ToolProblem('the query is empty');
    const entries =
      input.artifact === null ? context.desk.entries : [requireArtifact(context, input.artifact)];
    const results = await Promise.all(
      entries.map((entry) => searchArtifact(entry, input.query, context)),
    );
    const hits = results.flatMap((result) => result.lines);
    const total = results.reduce((sum, result) => sum + result.total, 0);
    const { taken, left } = takeLines(hits);
    const textless = results.filter((result) => !result.hasText).length;
    const notes = [
      `${total} hits in ${results.filter((result) => result.total > 0).length} of ${entries.length} files.`,
      ...(textless > 0 ? [`${textless} files have no text to search.`] : []),
      ...(left > 0 || total > hits.length ? ['Not all are shown.'] : []),
    ];
    return {
      text: `${notes.join(' ')}${taken.length > 0 ? `\n${context.framing.frame('hits', taken.join('\n'))}` : ''}`,
      search: {
        ...(input.artifact === null ? {} : { artifact: entries[0]?.artifact ?? input.artifact }),
        query: input.query,
        searched: results.filter((result) => result.hasText).map((result) => result.artifact),
        found: results.filter((result) => result.visible > 0).map((result) => result.artifact),
      },
    };
  },
});

async function searchArtifact(entry: ArtifactEntry, query: string, context: ToolContext) {
  const { desk } = context;
  const [segments, visible, hidden] = await Promise.all([
    desk.reader.segments(entry.artifact),
    desk.searchable(entry.artifact),
    desk.hiddenText(entry.artifact),
  ]);
  const hits = visible.find(query, false);
  const hiddenHits = hidden.find(query, false);
  const lines = [
    ...hits.slice(0, HITS_PER_ARTIFACT).map((hit) => lineOf(segments[hit.first])),
    ...hiddenHits
      .slice(0, HITS_PER_ARTIFACT)
      .map((hit) => `(not visible to a reader, proves nothing) ${lineOf(segments[hit.first])}`),
  ];
  return {
    artifact: entry.artifact,
    hasText: visible.length > 0,
    visible: hits.length,
    total: hits.length + hiddenHits.length,
    lines: [...new Set(lines)],
  };
}

function lineOf(segment: Parameters<typeof segmentLine>[0] | undefined): string {
  return segment === undefined ? '' : segmentLine(segment).slice(0, 600);
}
