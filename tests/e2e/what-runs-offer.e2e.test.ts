import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type RunDetails } from '../../workers/run-details';
import { RealStack } from '../support/real-stack';
import { command, steadyAgent, taskFolder, writeRecordedSweep } from '../support/recorded-sweep';

jest.setTimeout(900_000);

const MEMO = resolve(__dirname, '../fixtures/evidence/memo.docx');
const AGENT = [
  command('find . -type f | sort > results/listing.txt'),
  command('cp _parsed/memo.docx.txt results/parsed.txt'),
  command('python3 ~/web_fetch.py http://127.0.0.1/ 2> results/loopback.txt || true'),
  command('python3 ~/web_fetch.py other.example.com/ 2> results/other.txt || true'),
  ...steadyAgent(1, 0),
];

let folder: string;
let stack: RealStack;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'startupbench-offers-'));
  file = await writeRecordedSweep(folder, {
    sweep: 'offers',
    agents: { reading: AGENT },
    harness: 'minimal',
    items: 1,
    fields: { parsed: 'on' },
  });
  const task = taskFolder(folder, 'offers', 'reading');
  await copyFile(MEMO, join(task, 'workspace', 'memo.docx'));
  const yaml = await readFile(join(task, 'task.yaml'), 'utf8');
  await writeFile(
    join(task, 'task.yaml'),
    yaml.replace(/grants:\n {2}web: \[\]/u, 'grants:\n  web: [data.example.org]'),
  );
  stack = await RealStack.start([], { STARTUPBENCH_RECORDINGS: join(folder, 'recordings') });
});
afterAll(async () => {
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
});

it('agents find the text of attachments, and the shipped gateway refuses what is not granted', async () => {
  const { code, stderr } = await stack.run('sweep', 'run', file, '--yes');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const out = join(folder, 'out');
  expect(await stack.run('run', 'files', 'offers', 'reading/r1', '--out', out)).toMatchObject({
    code: 0,
  });
  const result = (name: string) => readFile(join(out, 'results', name), 'utf8');
  expect((await result('listing.txt')).split('\n')).toEqual(
    expect.arrayContaining(['./_parsed/memo.docx.txt', './memo.docx', './query/task.md']),
  );
  expect(await result('parsed.txt')).toContain('=== text ===');
  expect(await result('loopback.txt')).toContain('hosts are named, not addressed');
  expect(await result('other.txt')).toContain('this task grants no access to other.example.com');
  const { stdout } = await stack.run('run', 'show', 'offers', 'reading/r1', '--json');
  const [attempt] = (JSON.parse(stdout) as RunDetails).attempts;
  expect(attempt?.record).toMatchObject({
    pollution: [],
    alteredInputs: [],
    web: [
      { url: 'http://127.0.0.1/', refused: { reason: 'not-granted' } },
      { url: 'https://other.example.com/', refused: { reason: 'not-granted' } },
    ],
  });
  const shown = await stack.run('run', 'show', 'offers', 'reading/r1');
  expect(shown.stdout).toContain('web: 2 pages asked for, 2 refused');
});
