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
  network: { refusedConnections: 0, namesAsked: [] },
};

describe('readEndRecord', () => {
  let attemptDir: string;
  let supervisor: string;
  const read = () => readEndRecord(attemptPaths(attemptDir));
  beforeEach(async () => {
    attemptDir = await mkdtemp(join(tmpdir(), 'startupbench-end-'));
    ({ supervisor } = attemptPaths(attemptDir));
    await mkdir(supervisor, { recursive: true });
  });
  afterEach(() => rm(attemptDir, { recursive: true, force: true }));

  it('finds the record of the last act', async () => {
    await writeFile(join(supervisor, 'end.json'), JSON.stringify(RECORD));
    expect(await read()).toEqual(RECORD);
  });

  it('finds none before the last act: the room kept for it is blank', async () => {
    expect(await read()).toBeUndefined();
    await writeFile(join(supervisor, 'end.json.part'), ' '.repeat(4_096));
    expect(await read()).toBeUndefined();
  });

  it('looks nowhere that an agent can write', async () => {
    const { run, home, workspace } = attemptPaths(attemptDir);
    for (const folder of [run, join(home, '.startupbench'), workspace]) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'end.json'), JSON.stringify(RECORD));
      await writeFile(join(folder, 'end.json.part'), JSON.stringify(RECORD));
    }
    expect(await read()).toBeUndefined();
  });
});
