import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type * as promises from 'node:fs/promises';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isMounted,
  prepareDisk,
  removeAttemptFolder,
} from '../../../activities/sandbox/attempt-disk';
import { attemptPaths, type AttemptPaths } from '../../../activities/sandbox/attempt-paths';
import { usedBytes, waitForDiskSpace } from '../../../activities/sandbox/disk-usage';
import { REAL_DISK } from '../../support/real-disk';

const MIB = 1024 ** 2;
const USER = { uid: 201_234, gid: 201_234 };
let paths: AttemptPaths;
beforeEach(async () => {
  paths = attemptPaths(join(await mkdtemp(join(REAL_DISK, 'startupbench disk\\')), 'attempt'));
  await mkdir(paths.attemptDir);
});
afterEach(async () => {
  await removeAttemptFolder(paths);
  await rm(join(paths.attemptDir, '..'), { recursive: true, force: true });
});

describe('the disk of an attempt', () => {
  it('is a file system of the asked size, given to the sandbox user, and goes as a whole', async () => {
    expect(await prepareDisk(paths, 64 * MIB, USER)).toBe('bounded');
    expect(await isMounted(paths.disk)).toBe(true);
    const facts = await stat(paths.workspace);
    expect([facts.uid, facts.mode & 0o777]).toEqual([USER.uid, 0o700]);
    const write = (mib: number) => () =>
      execFileSync('dd', ['if=/dev/zero', `of=${paths.workspace}/big`, 'bs=1M', `count=${mib}`], {
        stdio: 'pipe',
      });
    expect(write(62)).not.toThrow();
    expect(write(80)).toThrow(/No space left/u);
    await removeAttemptFolder(paths);
    await removeAttemptFolder(paths);
    expect(existsSync(paths.attemptDir)).toBe(false);
    expect(await isMounted(paths.disk)).toBe(false);
  });

  it('stays as it is when it is prepared again', async () => {
    await prepareDisk(paths, 16 * MIB, USER);
    await writeFile(join(paths.workspace, 'kept'), 'x');
    expect(await prepareDisk(paths, 16 * MIB, USER)).toBe('bounded');
    expect(await readdir(paths.workspace)).toEqual(['kept']);
  });

  it('keeps its labels until all else is gone, so that a killed removal is finished by the reaper', async () => {
    await prepareDisk(paths, 16 * MIB, USER, { mayMount: false });
    for (const folder of [paths.control, paths.run]) await mkdir(folder, { recursive: true });
    const labels = join(paths.control, 'reserved.json');
    for (const file of [labels, join(paths.control, 'a.json'), join(paths.run, 'z')])
      await writeFile(file, '{}');
    const isLabelled: boolean[] = [];
    const files = jest.requireActual<typeof promises>('node:fs/promises');
    const { rm: real } = files;
    const removing = jest.spyOn(files, 'rm').mockImplementation(async (...given) => {
      isLabelled.push(existsSync(labels));
      await real(...given);
    });
    await removeAttemptFolder(paths);
    removing.mockRestore();
    expect(isLabelled).toEqual([true, true, true, true]);
    expect(existsSync(paths.attemptDir)).toBe(false);
  });

  it('is a plain folder to be watched where nothing can be mounted', async () => {
    const run = (command: string) => Promise.reject(new Error(`${command}: not permitted`));
    expect(await prepareDisk(paths, 16 * MIB, USER, { run })).toBe('watched');
    expect(existsSync(paths.diskImage)).toBe(false);
    expect(await readdir(paths.disk)).toEqual(['home', 'workspace']);
  });
});

describe('usedBytes', () => {
  it('counts what is stored: not the length of sparse files, not what links point to, each entry a little', async () => {
    const root = paths.attemptDir;
    expect(await usedBytes(root, MIB)).toBe(0);
    await writeFile(join(root, 'sparse'), '');
    await truncate(join(root, 'sparse'), 1024 * MIB);
    await symlink('/usr', join(root, 'link'));
    expect(await usedBytes(root, MIB)).toBe(2 * 4096);
    const odd = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff])]);
    await mkdir(odd);
    await writeFile(Buffer.concat([odd, Buffer.from('/data')]), Buffer.alloc(3 * MIB, 1));
    expect(await usedBytes(root, 100 * MIB)).toBeGreaterThan(3 * MIB);
    expect(await usedBytes(root, MIB)).toBeGreaterThan(MIB);
    expect(await usedBytes(join(root, 'missing'), MIB)).toBe(0);
  });
});

describe('the watermark of the host’s disk', () => {
  it('holds new attempts until there is room, and not after an abort', async () => {
    const free = [1, 2, 10];
    const options = { minFreeBytes: 5, pollMs: 1, freeBytes: async () => free.shift() ?? 0 };
    await waitForDiskSpace('/', new AbortController().signal, options);
    expect(free).toEqual([]);
    await expect(waitForDiskSpace('/', AbortSignal.timeout(20), options)).rejects.toThrow(/abort/u);
    await waitForDiskSpace('/', new AbortController().signal, { minFreeBytes: 1 });
  });
});
