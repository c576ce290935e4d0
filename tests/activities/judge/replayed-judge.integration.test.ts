import Docker from 'dockerode';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TriedItem, tryJudge } from '../../../activities/judge/try-judge';
import { createDockerInspector } from '../../../activities/judge/inspector/docker-inspector';
import { createModelClient } from '../../../activities/models/model-client';
import { startProvider } from '../../../activities/models/provider-server';
import { imageRecipe, imageTag } from '../../../activities/sandbox/image-recipe';
import { type Account } from '../../../core/account';
import { type RubricItem } from '../../../core/rubric';
import { DEFAULT_JUDGE_LIMITS, type JudgeConfiguration } from '../../../core/sweep';
import { fakeEvidence } from './fake-evidence';
import { BOUNDARY_KEY } from './scripted-judge';

const page = Buffer.from('the bytes of a page image');
const evidence = fakeEvidence([
  {
    artifact: 'results/report.md',
    lines: ['Report', 'The total is 12.'],
    pages: [page],
  },
  { artifact: 'inputs/data.csv', lines: ['a', '5', '7'] },
]);
const turnsOf = (...turns: object[]) => JSON.stringify({ turns });
const tool = (name: string, given: object) => ({ tools: [{ name, arguments: given }] });
const verdict = (pass: boolean, quote: string | null, locator: string) =>
  tool('submit_verdict', {
    justification: 'As seen.',
    pass,
    citations: [{ locator, quote }],
    searched: [],
  });

/** YAML reads JSON. */
const RECORDINGS: Readonly<Record<string, string>> = {
  python: turnsOf(
    tool('run_python', {
      code: "print(sum(int(line) for line in open('/evidence/inputs/data.csv').readlines()[1:]))",
    }),
    verdict(true, 'The total is 12.', 'results/report.md#lines=2-2'),
  ),
  image: turnsOf(
    tool('view_page', { artifact: 'results/report.md', page: 1 }),
    verdict(true, null, 'results/report.md#page=1'),
  ),
  wrong: turnsOf(
    verdict(true, 'The total is 13.', 'results/report.md#lines=2-2'),
    verdict(false, 'The total is 12.', 'results/report.md#lines=2-2'),
  ),
};

let recordings: string;
let provider: Awaited<ReturnType<typeof startProvider>>;
const label = randomUUID();
const docker = new Docker();

beforeAll(async () => {
  recordings = await mkdtemp(join(tmpdir(), 'judge-recordings-'));
  for (const [item, content] of Object.entries(RECORDINGS)) {
    const path = join(recordings, 'judges/reference/task', `${item}.yaml`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  provider = await startProvider({ port: 0, recordingsDir: recordings });
});
afterAll(async () => {
  await provider.close();
  await rm(recordings, { recursive: true, force: true });
  const left = await docker.listContainers({
    all: true,
    filters: { label: [`startupbench.test=${label}`] },
  });
  expect(left).toEqual([]);
});

const judge: JudgeConfiguration = {
  model: {
    id: 'judge',
    provider: 'replay',
    name: 'recorded',
    parameters: {},
    recordings: { name: 'judges', digest: 'd' },
    account: 'replay',
  },
  mode: 'per-item',
  votes: 1,
  checks: false,
  limits: DEFAULT_JUDGE_LIMITS,
  protocolDigest: 'p',
};
const items = [...Object.keys(RECORDINGS), 'missing'].map((id): RubricItem => ({
  id,
  text: `Item ${id}.`,
  weight: 1,
  dimension: 'domain-compliance',
}));

function judgeItems(chosen: readonly RubricItem[], bodies: string[] = []) {
  const account: Account = {
    name: 'replay',
    protocol: 'replay',
    baseUrl: `${provider.url}/replay/v1`,
    apiKey: undefined,
    models: [],
    maxConcurrency: 4,
    allowPrivateAddresses: true,
    prices: {},
  };
  const models = createModelClient({
    accounts: [account],
    fetch: async (url, init) => {
      if (typeof init?.body === 'string') bodies.push(init.body);
      return fetch(url, init);
    },
  });
  const inspector = createDockerInspector({
    docker,
    image: imageTag('inspector'),
    recipe: imageRecipe('inspector'),
    labels: { 'startupbench.test': label },
  });
  return tryJudge(
    {
      models,
      inspector,
      runCheck: async () => {
        throw new Error('checks are off');
      },
    },
    {
      judge,
      items: chosen,
      taskText: 'Add the numbers up.',
      evidence,
      boundaryKey: BOUNDARY_KEY,
      context: { taskId: 'task', repetition: 1 },
      signal: new AbortController().signal,
    },
  );
}

const outcomeOf = (tried: readonly TriedItem[], id: string) =>
  tried.find(({ item }) => item.id === id)?.result;

describe('recorded judges over HTTP, with the real Python', () => {
  it('come to verdicts by tools, images and Python', async () => {
    const bodies: string[] = [];
    const tried = await judgeItems(items.slice(0, 3), bodies);
    expect(tried.map(({ item }) => item.id)).toEqual(['python', 'image', 'wrong']);
    expect(outcomeOf(tried, 'python')).toMatchObject({ verdict: { met: true, turns: 2 } });
    expect(outcomeOf(tried, 'image')).toMatchObject({ verdict: { met: true } });
    expect(outcomeOf(tried, 'wrong')).toMatchObject({
      verdict: { met: false, firstSubmission: { met: true } },
    });
    expect(bodies).toHaveLength(6);
    const python = bodies.find((body) => body.includes('print(sum'));
    expect(python).toMatch(/<<<output [0-9a-f]{24}>>>\\n12\\n/u);
    const image = bodies.find((body) => body.includes('image_url')) ?? '';
    const data = /data:image\/jpeg;base64,([^"]+)/u.exec(image)?.[1] ?? '';
    const digest = createHash('sha256').update(page).digest('hex');
    expect(createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex')).toBe(digest);
    expect(image).toContain(digest);
  });

  it('a missing recording is no verdict', async () => {
    const tried = judgeItems(items.slice(3));
    await expect(tried).rejects.toThrow('no recording');
  });
});
