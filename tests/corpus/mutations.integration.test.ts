import { committedCorpus } from '../../scripts/corpus/listing';
import { readMutations } from '../../scripts/corpus/read-mutations';

const TIMEOUT_MS = 600_000;
/** `scripts/evidence-corpus --all --mutations 2000 --per-container 20` reads all of them. */
const SAMPLE = 16;
const SETTINGS = { inProcess: false, jobs: 2, filesPerContainer: 8 };
/** Of many kinds: every tenth file. */
const FILES = committedCorpus().filter((_, at) => at % 10 === 0);

test(
  'mutations of all formats in renderer containers: none ends one, and each ends as its class lists',
  async () => {
    const { outcomes, wrong } = await readMutations(FILES, { count: SAMPLE, seed: 1 }, SETTINGS);
    expect(outcomes.map(({ format }) => format)).toContain('pdf');
    expect(outcomes).toHaveLength(SAMPLE);
    expect(wrong).toEqual([]);
    expect(new Set(outcomes.map(({ status }) => status)).size).toBeGreaterThan(1);
  },
  TIMEOUT_MS,
);
