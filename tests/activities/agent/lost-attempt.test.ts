import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordLostAttempt } from '../../../activities/agent/lost-attempt';
import { AttemptState } from '../../../activities/sandbox/attempt-state';
import { FileStore } from '../../../activities/store/file-store';
import { type RecordLostAttemptInput } from '../../../core/activity-contract';
import { Failure } from '../../../core/failure';
import { storeKeys } from '../../../core/ids';
import { type AttemptRecord } from '../../../core/run';

type LocalAttempt = NonNullable<Parameters<typeof recordLostAttempt>[2]>;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lost-attempt-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it.each([['reserved'], ['started']])(
  'records the end of an attempt whose %s.json is damaged, and stops its sandbox',
  async (name) => {
    for (const state of ['reserved', 'started'])
      await writeFile(join(folder, `${state}.json`), state === name ? '' : '{"imageDigest":"sha"}');
    const stopped: string[] = [];
    const local = {
      context: {
        attemptId: 'attempt',
        paths: { attemptDir: folder, control: folder },
        harness: { needsSandbox: true, usesModel: false },
        state: new AttemptState(folder),
      },
      sandbox: { stop: async ({ attemptId }: { attemptId: string }) => stopped.push(attemptId) },
      gateway: {},
    } as unknown as LocalAttempt;
    const recorded = await recordedLoss(local);
    expect(stopped).toEqual(['attempt']);
    expect(recorded).toMatchObject({ outcome: 'lost' });
    expect(recorded.imageDigest).toBe(name === 'started' ? undefined : 'sha');
  },
);

it('keeps what an attempt cost whose transcript cannot be written, since its gateway.json is damaged', async () => {
  await writeFile(join(folder, 'reserved.json'), '{}');
  const traffic = { steps: 3, costMicroUsd: 1_200 };
  const damaged = async () => {
    throw new Failure('SandboxLost', 'gateway.json is damaged');
  };
  const local = {
    context: {
      attemptId: 'attempt',
      paths: { attemptDir: folder, control: folder },
      harness: { needsSandbox: false, usesModel: true },
      state: new AttemptState(folder),
    },
    sandbox: {},
    gateway: {
      ensureRunning: async () => undefined,
      close: async () => undefined,
      readLog: async () => ({ traffic }),
      writeTranscript: damaged,
    },
  } as unknown as LocalAttempt;
  expect(await recordedLoss(local)).toMatchObject({ outcome: 'lost', traffic });
});

/** The record that an attempt has after its loss was recorded. */
async function recordedLoss(local: LocalAttempt): Promise<AttemptRecord> {
  const store = new FileStore(join(folder, 'store'));
  const run = { runKey: 'a'.repeat(64), generation: 1 };
  const failure = { type: 'SandboxLost', message: 'its files are damaged' };
  const input = { run, attempt: 1, hostId: 'host', outcome: 'lost', failure };
  await recordLostAttempt(
    input as unknown as RecordLostAttemptInput,
    { store, now: () => new Date(0) },
    local,
  );
  const record = await store.getRecord(storeKeys.attempt(run.runKey, 1, 1, 'attempt.json'));
  return JSON.parse(Buffer.from(record!).toString()) as AttemptRecord;
}
