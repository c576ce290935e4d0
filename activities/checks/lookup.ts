import { type ArtifactEntry, type TextSegment } from '../../core/evidence-view';
import { type EvidenceReader } from '../evidence/port';
import { Decided, notApplicable, unmet } from './outcome';

/** A deliverable by its path below `results/`. */
export function findDeliverable(evidence: EvidenceReader, file: string): ArtifactEntry | undefined {
  const wanted = `results/${file}`.normalize('NFC');
  return evidence.view.entries.find(
    ({ origin, artifact }) => origin === 'deliverable' && artifact.normalize('NFC') === wanted,
  );
}

/**
 * The deliverable that a check is about. Ends the check: `unmet` when nothing like it was delivered or nobody
 * could open it; `not-applicable` when a file of that name lies elsewhere or its format is not read by us.
 */
export function requireDeliverable(evidence: EvidenceReader, file: string): ArtifactEntry {
  const entry = findDeliverable(evidence, file);
  if (!entry) throw new Decided(missing(evidence, file));
  const { status, reason } = entry.rendered;
  if (status === 'corrupt' || status === 'encrypted')
    throw new Decided(unmet(`results/${file} cannot be opened (${status}): ${reason ?? ''}`));
  if (status === 'refused' || status === 'unsupported')
    throw new Decided(notApplicable(`results/${file} is not read (${status}): ${reason ?? ''}`));
  return entry;
}

function missing(evidence: EvidenceReader, file: string): Decided['outcome'] {
  const near = evidence.view.entries.find(
    ({ origin, artifact }) => origin === 'deliverable' && baseName(artifact) === baseName(file),
  );
  const refused = evidence.view.refused.find(({ path }) => path === file);
  if (refused) return unmet(`results/${file} could not be taken: ${refused.reason}`);
  return near
    ? notApplicable(`no results/${file}, but ${near.artifact} was delivered`)
    : unmet(`no file results/${file} was delivered`);
}

function baseName(path: string): string {
  return (path.split('/').at(-1) ?? '').normalize('NFC').toLowerCase();
}

/** What is not the file's own running text: taken out by a tracked change, guessed, or there a second time. */
const SET_APART: readonly (string | undefined)[] = ['deletion', 'OCR', 'raw order'];

/** The words a reader finds in a file, without what is hidden, set apart, or said by us about the file. */
export async function readableSegments(
  evidence: EvidenceReader,
  entry: ArtifactEntry,
): Promise<TextSegment[]> {
  const segments = await evidence.segments(entry.artifact);
  return segments.filter(
    ({ visibility, label, isDescription }) =>
      visibility === 'visible' && isDescription !== true && !SET_APART.includes(label),
  );
}

/** True where the file holds words that our text does not have: cut text, pictures of pages. */
export function mayHoldMoreText(entry: ArtifactEntry): boolean {
  const { facts, counts } = entry.rendered;
  return facts['textTruncated'] === true || (counts['imagePages'] ?? 0) > 0;
}
