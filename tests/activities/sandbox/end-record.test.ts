import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attemptPaths } from '../../../activities/sandbox/attempt-paths';
import { readEndRecord } from '../../../activities/sandbox/end-record';

const RECORD = {
  v: 1,
  exitCode: 3,
  signal: null,
  stopRequested: false,
  startedAt: '2026-01-01T00:00:00Z',
  endedAt: '2026-01-01T00:01:00Z',
  durationMs: 60_000,
  forwarderRestarts: 0,
  oomKills: 0,
  pidsRefused: 0,
  memoryPeakBytes: null,
  diskFree: null,
};

describe('readEndRecord', () => {
  let attemptDir: string;
  let run: string;
  const read = () => readEndRecord(attemptPaths(attemptDir));
  beforeEach(async () => {
    attemptDir = await mkdtemp(join(tmpdir(), 'startupbench-end-'));
    ({ run } = attemptPaths(attemptDir));
    await mkdir(run, { recursive: true });
  });
  afterEach(() => rm(attemptDir, { recursive: true, force: true }));

  it('finds the record where the agent has put a folder under its name', async () => {
    await mkdir(join(run, 'end.json'));
    await writeFile(join(run, 'end.json.part'), JSON.stringify(RECORD));
    expect(await read()).toEqual(RECORD);
  });

  it('prefers the record that lies under its name', async () => {
    await writeFile(join(run, 'end.json'), JSON.stringify(RECORD));
    await writeFile(join(run, 'end.json.part'), JSON.stringify({ ...RECORD, exitCode: 0 }));
    expect(await read()).toMatchObject({ exitCode: 3 });
  });

  it('finds none before the last act: the room kept for it is blank', async () => {
    expect(await read()).toBeUndefined();
    await writeFile(join(run, 'end.json.part'), ' '.repeat(4_096));
    expect(await read()).toBeUndefined();
  });
});
