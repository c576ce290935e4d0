import { committedCorpus } from '../../scripts/corpus/listing';
import { type Outcome, unexpected } from '../../scripts/corpus/outcome';
import { createContainerReader } from '../../scripts/corpus/read-in-container';
import { countsOf } from './support/second-library';

const TIMEOUT_MS = 300_000;
/** Renderings at once: a container is limited to one core. */
const JOBS = 2;

test(
  'what needs the renderer container is in the view, every marker once, at its place',
  async () => {
    const files = committedCorpus().filter(({ onlyContainer }) => onlyContainer === true);
    const reader = await createContainerReader();
    const theirs = await countsOf(files);
    const faults: string[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let at = next++; at < files.length; at = next++) {
        const file = files[at];
        if (!file) continue;
        const outcome: Outcome = await reader.read(file);
        const pages = theirs[at]?.['pages'];
        if (pages !== undefined && file.status !== 'corrupt' && outcome.counts['pages'] !== pages)
          faults.push(`${file.file}: ${outcome.counts['pages'] ?? 0} pages, pypdf has ${pages}`);
        const wrong = unexpected(outcome, file);
        if (wrong !== undefined) faults.push(wrong);
        faults.push(...outcome.faults.map((fault) => `${file.file}: ${fault}`));
      }
    };
    try {
      await Promise.all(Array.from({ length: JOBS }, work));
    } finally {
      await reader.close();
    }
    expect(files.length).toBeGreaterThan(20);
    expect(faults).toEqual([]);
  },
  TIMEOUT_MS,
);
