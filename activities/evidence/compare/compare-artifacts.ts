import { type ArtifactEntry, type Comparison } from '../../../core/evidence-view';
import { type EvidenceReader } from '../port';
import { wholeOf } from './statement';
import { compareTexts } from './texts';
import { compareWorkbooks } from './workbooks';

/** What a comparison reads. */
export type ComparedEvidence = Pick<EvidenceReader, 'view' | 'segments' | 'workbook'>;

/** Holds a deliverable against an input; `undefined` when either is not in the view. */
export async function compareArtifacts(
  reader: ComparedEvidence,
  artifact: string,
  input: string,
): Promise<Comparison | undefined> {
  const ours = entryOf(reader, artifact);
  const given = entryOf(reader, input);
  if (!ours || given?.origin !== 'input') return undefined;
  const names = { artifact, input };
  if (ours.rendered.sha256 === given.rendered.sha256)
    return {
      ...names,
      change: 'unchanged',
      statement: 'unchanged: identical to the input, byte by byte',
      parts: [],
    };
  const [book, givenBook] = await Promise.all([reader.workbook(artifact), reader.workbook(input)]);
  if (book && givenBook)
    return wholeOf(names, 'sheets', compareWorkbooks(artifact, input, book, givenBook));
  const [segments, givenSegments] = await Promise.all([
    reader.segments(artifact),
    reader.segments(input),
  ]);
  if (segments.length === 0 || givenSegments.length === 0)
    return {
      ...names,
      change: 'unknown',
      statement:
        'unknown: the bytes differ, and at least one of the two files has no text to compare',
      parts: [],
    };
  return wholeOf(names, 'parts', compareTexts(artifact, segments, givenSegments));
}

function entryOf(reader: ComparedEvidence, artifact: string): ArtifactEntry | undefined {
  return reader.view.entries.find((entry) => entry.artifact === artifact);
}
