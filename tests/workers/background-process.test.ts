import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  logFile,
  runningProcess,
  startInBackground,
  stopProcess,
} from '../../workers/background-process';
import { isDataFolderLocked, lockDataFolder } from '../../workers/data-lock';
import { readDataFile, writeDataFile } from '../../workers/data-file';
import { waitUntil } from '../support/wait-until';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'startupbench-process-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const STUBBORN =
  "process.on('SIGTERM',()=>console.log('no'));setInterval(()=>{},1000);console.log('up')";
const node = (code: string): [string, ...string[]] => [process.execPath, '-e', code];

describe('a background process', () => {
  it('is known by its pid and start, and its output is kept', async () => {
    const pid = await startInBackground(
      folder,
      'it',
      node("console.log('hi');setInterval(()=>{},1000)"),
      {},
    );
    expect(await runningProcess(folder, 'it')).toBe(pid);
    await waitUntil(async () => (await readFile(logFile(folder, 'it'), 'utf8')) === 'hi\n');
    expect(await stopProcess(folder, 'it', 5_000)).toBe(true);
    expect(await runningProcess(folder, 'it')).toBeUndefined();
    expect(await stopProcess(folder, 'it', 5_000)).toBe(false);
  });

  it('is forced to end when it does not end by itself', async () => {
    await startInBackground(folder, 'it', node(STUBBORN), {});
    await waitUntil(async () => (await readFile(logFile(folder, 'it'), 'utf8')).includes('up'));
    expect(await stopProcess(folder, 'it', 200)).toBe(true);
    expect(await readFile(logFile(folder, 'it'), 'utf8')).toContain('no');
    expect(await runningProcess(folder, 'it')).toBeUndefined();
  });

  it('is never taken for a later one of the same number', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(()=>{},1000)']);
    try {
      await writeDataFile(folder, 'it.pid.json', { pid: other.pid, startTicks: '1' });
      expect(await runningProcess(folder, 'it')).toBeUndefined();
      expect(await stopProcess(folder, 'it', 100)).toBe(false);
      expect(other.exitCode).toBeNull();
    } finally {
      other.kill('SIGKILL');
    }
  });

  it('says why a command cannot be started', async () => {
    await expect(startInBackground(folder, 'it', ['/nonexistent/program'], {})).rejects.toThrow(
      'ENOENT',
    );
  });
});

describe('the data folder', () => {
  it('has one process a role', async () => {
    const lock = await lockDataFolder(folder, 'worker', 0);
    expect(await isDataFolderLocked(folder, 'worker')).toBe(true);
    await expect(lockDataFolder(folder, 'worker', 0)).rejects.toThrow(
      `another worker process works on ${folder}: stop it (./startupbench down)`,
    );
    (await lockDataFolder(folder, 'other', 0)).release();
    lock.release();
    await waitUntil(async () => !(await isDataFolderLocked(folder, 'worker')));
  });

  it('reads a half-written file as none', async () => {
    await writeFile(join(folder, 'x.json'), '{"a": ');
    expect(await readDataFile(folder, 'x.json')).toBeUndefined();
    expect(await readDataFile(folder, 'absent.json')).toBeUndefined();
    await writeDataFile(folder, 'x.json', { a: 1 });
    expect(await readDataFile(folder, 'x.json')).toEqual({ a: 1 });
  });
});
