import { type EvidenceDesk, describeArtifact, shownLocator } from '../evidence-desk';
import { oneLine } from './framing';

/** One line per file, deliverables first, then inputs, then what could not be taken. Unframed. */
export function manifest(desk: EvidenceDesk): string {
  const lines = desk.entries.map(
    (entry) =>
      `${shownLocator({ artifact: entry.artifact, kind: 'file' })} | ${describeArtifact(entry)}`,
  );
  const deliverables = lines.filter((_, at) => desk.entries[at]?.origin === 'deliverable');
  const inputs = lines.filter((_, at) => desk.entries[at]?.origin === 'input');
  const refused = desk.reader.view.refused.map(
    ({ path, reason }) => `${nameOf(`results/${path}`)} | not taken: ${oneLine(reason)}`,
  );
  return [
    `Deliverables (${deliverables.length}):`,
    ...deliverables,
    ...refused,
    `Given files (${inputs.length}):`,
    ...inputs,
  ].join('\n');
}

/** As names stand in locators, so that the name of a file that was not taken cannot look like the line of one that was. */
function nameOf(artifact: string): string {
  return shownLocator({ artifact, kind: 'file' }).replace(/#file$/u, '');
}
