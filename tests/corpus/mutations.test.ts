import { committedCorpus } from '../../scripts/corpus/listing';
import { mutationsOf } from '../../scripts/corpus/mutations';
import { readMutations } from '../../scripts/corpus/read-mutations';

const TIMEOUT_MS = 180_000;
/** `scripts/evidence-corpus --mutations 2000` reads all of them. */
const SAMPLE = 150;
const FILES = committedCorpus().filter(({ onlyContainer }) => onlyContainer !== true);

describe('mutations of the corpus', () => {
  test(
    'none crashes or holds up the reader, and each ends as its class lists',
    async () => {
      const settings = { inProcess: true, jobs: 2 };
      const { outcomes, wrong } = await readMutations(FILES, { count: SAMPLE, seed: 1 }, settings);
      expect(outcomes).toHaveLength(SAMPLE);
      expect(wrong).toEqual([]);
      expect(new Set(outcomes.map(({ status }) => status)).size).toBeGreaterThan(2);
    },
    TIMEOUT_MS,
  );

  test('are the same bytes for the same seed, and others for another', async () => {
    const bytes = async (seed: number): Promise<string> => {
      const made = await Promise.all(mutationsOf(FILES, 30, seed).map((each) => each.make()));
      return Buffer.concat(made).toString('base64');
    };
    const first = await bytes(1);
    expect(await bytes(1)).toBe(first);
    expect(await bytes(2)).not.toBe(first);
  });
});
