import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { readJson } from '../../activities/read-json';
import { type IdentifiedRun } from '../../activities/run-state';
import { attemptPaths } from '../../activities/sandbox/attempt-paths';
import { storeKeys } from '../../core/ids';
import { command, writeRecordedSweep } from '../support/recorded-sweep';
import { startS3Server, type S3Server } from '../support/s3-server';
import { waitUntil } from '../support/wait-until';
import { HostsLab, type WorkerHost } from './two-workers-hosts';
import { StoredResults } from './two-workers-results';

jest.setTimeout(1_200_000);

const PROJECT = resolve(__dirname, '../..');
const ID = randomBytes(3).toString('hex');
/** One sandbox a host: while it is taken, the other host gets the next run. */
const CAPACITY = ['--sandboxes', '1', '--judges', '4', '--renders', '1'];
/** Everything has time. */
const PATIENT = {
  heartbeatTimeout: '60s',
  heartbeatInterval: '1s',
  hostSilence: '60s',
  lease: '60s',
  warmUp: '1s',
  activityRetryInitial: '200ms',
};
/** A dead worker is noticed within seconds. */
const WATCHFUL = {
  ...PATIENT,
  heartbeatTimeout: '6s',
  hostSilence: '10s',
  lease: '5s',
  journalCopy: '500ms',
};
/** Turns until the agent of the held run waits, the waiting one included; and all of them. */
const TURNS_BEFORE_HOLD = 3;
const TURNS = 5;

/** Waits as long as nothing hangs. */
const soon = (holds: () => boolean | Promise<boolean>) => waitUntil(holds, 300_000);

const cleanUps: (() => Promise<void>)[] = [];
let folder: string;
let s3: S3Server;
let lab: HostsLab;
let east: WorkerHost;
let west: WorkerHost;
let shared: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'startupbench-two-workers-'));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  await cp(join(PROJECT, 'recordings'), join(folder, 'recordings'), { recursive: true });
  s3 = await startS3Server();
  cleanUps.push(() => s3.stop());
  lab = await HostsLab.start(join(folder, 'recordings'));
  cleanUps.push(() => lab.stop());
  shared = {
    ...s3.env,
    STARTUPBENCH_STORE: `s3://${s3.bucket}/two-workers`,
    STARTUPBENCH_STACK: `both-${ID}`,
    STARTUPBENCH_RECORDINGS: join(folder, 'recordings'),
  };
  [east, west] = await Promise.all([
    lab.startHost(`east-${ID}`, CAPACITY, shared),
    lab.startHost(`west-${ID}`, CAPACITY, shared),
  ]);
});
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

describe('a sweep on S3 with two worker processes that have separate data folders', () => {
  it('ends like the same sweep on one worker and a folder', async () => {
    const file = await writeSmallSweep();
    await lab.takeCalls();
    await lab.runWell(shared, 'sweep', 'run', file, '--yes');
    const onS3 = await StoredResults.of('small', shared);
    const callsOnS3 = await lab.takeCalls();

    const single = {
      ...shared,
      STARTUPBENCH_STORE: `file:${join(folder, 'store')}`,
      STARTUPBENCH_STACK: `single-${ID}`,
    };
    const alone = await lab.startHost(`alone-${ID}`, CAPACITY, single);
    await lab.runWell(single, 'sweep', 'run', file, '--yes');
    await alone.stop();
    const onFiles = await StoredResults.of('small', single);
    const callsOnFiles = await lab.takeCalls();

    expect(onS3.runs.map((run) => run.runKey)).toEqual(onFiles.runs.map((run) => run.runKey));
    expect(onS3.runs).toHaveLength(8);
    expect(await onS3.outcomes()).toEqual(await onFiles.outcomes());
    expect(callsOnS3.bySource).toEqual(callsOnFiles.bySource);
    const hosts = await onS3.hosts();
    expect([...hosts].sort()).toEqual([east.hostId, west.hostId]);
    for (const host of [east, west]) {
      expect(existsSync(join(host.dataDir, 'store'))).toBe(false);
      expect(await host.openAttempts()).toEqual([]);
    }
    for (const run of onS3.runs) await expectSameFiles(run, onS3, onFiles);
  });
});

/** Files without a time stamp in them, and every file of the oracle, have the same content; then so have verdict keys. */
async function expectSameFiles(
  run: IdentifiedRun,
  left: StoredResults,
  right: StoredResults,
): Promise<void> {
  const [one, other] = [await left.result(run), await right.result(run)];
  expect(one.deliverables.files.map(({ path }) => path)).toEqual(
    other.deliverables.files.map(({ path }) => path),
  );
  const isOracle = run.lane.harness.name === 'oracle';
  for (const [index, file] of one.deliverables.files.entries()) {
    const content = await left.store.getBlob('open', file.sha256);
    expect(content.byteLength).toBe(file.bytes);
    if (isOracle || /\.(?:md|py|csv)$/u.test(file.path))
      expect(file).toEqual(other.deliverables.files[index]);
  }
  if (isOracle) expect(await left.verdictKeys(run)).toEqual(await right.verdictKeys(run));
  else expect(await left.transcriptSteps(run)).toEqual(await right.transcriptSteps(run));
}

describe('a host that is gone for good in the middle of a run', () => {
  it('costs that run one new attempt on the other host, and nothing else', async () => {
    const file = await writeHeldSweep();
    await lab.takeCalls();
    const sweep = lab.run(shared, 'sweep', 'run', file, '--yes');
    await soon(async () => (await StoredResults.find('unplugged', shared)) !== undefined);
    const results = await StoredResults.of('unplugged', shared);
    const [done, held] = results.runs as [IdentifiedRun, IdentifiedRun];

    const key = (name: string, attempt = 1) => storeKeys.attempt(held.runKey, 1, attempt, name);
    const claim = () => readJson<{ hostId: string }>(results.store, key('claim.json'));
    await soon(async () => (await claim()) !== undefined);
    const lost = (await claim())?.hostId === east.hostId ? east : west;
    const other = lost === east ? west : east;
    const attemptDir = lost.attemptDir(held.runKey, 1);
    await soon(() => existsSync(join(attemptPaths(attemptDir).workspace, 'waiting')));
    const journal = await stat(join(attemptPaths(attemptDir).control, 'journal.bin'));
    await soon(async () => (await results.copiedBytes(held)) === journal.size);
    await soon(async () => (await results.score(done)) !== undefined);
    await lost.pullThePlug();

    const second = attemptPaths(other.attemptDir(held.runKey, 2)).workspace;
    await soon(() => existsSync(join(second, 'waiting')));
    await writeFile(join(second, 'go'), '');
    const { code, stderr } = await sweep;
    expect({ code, stderr }).toMatchObject({ code: 0 });

    const attempts = await results.attempts(held);
    expect(attempts.map(({ outcome, hostId }) => [outcome, hostId])).toEqual([
      ['lost', lost.hostId],
      ['ended', other.hostId],
    ]);
    expect((await results.result(held)).attempt).toBe(2);
    expect(attempts[0]).toMatchObject({
      failure: { type: 'SandboxLost' },
      traffic: { steps: TURNS_BEFORE_HOLD, upstreamCalls: TURNS_BEFORE_HOLD, incomplete: true },
    });
    const transcript = await results.store.getBlob('open', attempts[0]?.transcript?.sha256 ?? '');
    expect(JSON.parse(Buffer.from(transcript).toString())).toMatchObject({
      extra: { incomplete: true, stop_reason: 'lost', model_steps: TURNS_BEFORE_HOLD },
    });
    expect(await results.score(held)).toMatchObject({ score: 100, costIsAtLeast: true });

    expect(await results.attempts(done)).toHaveLength(1);
    expect(await results.score(done)).toMatchObject({ score: 100 });
    expect((await lab.takeCalls()).counts).toEqual({
      'agent/report/r1': TURNS,
      'agent/report/r2': TURNS_BEFORE_HOLD + TURNS,
      ...Object.fromEntries(
        ['r1', 'r2'].flatMap((repetition) =>
          ['item-1', 'item-2'].map((item) => [`judge/report/${repetition}/${item}`, 2]),
        ),
      ),
    });
    expect(await other.openAttempts()).toEqual([]);

    const shown = await lab.runWell(shared, 'run', 'show', 'unplugged', 'report/r2');
    expect(shown).toMatch(/attempt 1 +lost: SandboxLost: another host took over/u);
    expect(shown).toMatch(/3 model requests.*at least \$0\.00/u);
    expect(shown).toMatch(/attempt 2 +ended: completed \(counts\)/u);
    const listed = await lab.runWell(shared, 'run', 'list', 'unplugged');
    expect(listed).toMatch(/report\/r1.* scored .* \$0\.00/u);
    expect(listed).toMatch(/report\/r2.* scored .*at least \$0\.00/u);
  });
});

/** Two of the project's own tasks, twice, played by a real agent and by the oracle. */
async function writeSmallSweep(): Promise<string> {
  const file = join(folder, 'small.yaml');
  const sweep = {
    sweep: 'small',
    tasks: ['loyalty-levels', 'clinic-report-zh'].map((task) => join(PROJECT, 'tasks', task)),
    models: [{ id: 'strong', provider: 'replay', recordings: 'strong' }],
    harnesses: ['minimal', 'oracle'],
    repetitions: 2,
    limits: { maxSteps: 20, workingTime: '10m', memory: '512MiB', workspaceSize: '64MiB' },
    judge: { model: { id: 'judge', provider: 'replay', recordings: 'judge' }, checks: 'on' },
    window: 4,
    timings: PATIENT,
  };
  await writeFile(file, stringify(sweep));
  return file;
}

/** One task, twice; the agent of the second repetition waits for a file that only this test makes. */
async function writeHeldSweep(): Promise<string> {
  const turns = (hold: string) => [
    command('echo "fact 1" >> results/report.md'),
    command('echo "fact 2" >> results/report.md'),
    command(hold),
    command('cat results/report.md'),
    { text: 'The report is finished.' },
  ];
  const file = await writeRecordedSweep(folder, {
    sweep: 'unplugged',
    agents: { report: turns('true') },
    harness: 'minimal',
    items: 2,
  });
  const recordings = join(folder, 'recordings', 'unplugged', 'report');
  const hold = 'touch waiting; until [ -e go ]; do sleep 0.1; done';
  await writeFile(join(recordings, 'r2.yaml'), stringify({ turns: turns(hold) }));
  const sweep = parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, stringify({ ...sweep, repetitions: 2, timings: WATCHFUL }));
  return file;
}
