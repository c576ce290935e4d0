import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStore } from '../../../activities/store/file-store';
import { REAL_DISK } from '../../support/real-disk';
import { describeStoreContract } from './store-contract';

const made: string[] = [];
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(REAL_DISK, 'file-store-'));
  made.push(folder);
  return folder;
}
afterEach(async () => {
  await Promise.all(made.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

describeStoreContract('FileStore', async () => {
  const folder = await newFolder();
  return {
    store: new FileStore(folder),
    other: new FileStore(folder),
    corruptBlob: (key) => writeFile(join(folder, key), 'altered!'),
  };
});

describe('FileStore', () => {
  it('leaves no temporary file behind, whoever wins', async () => {
    const folder = await newFolder();
    const store = new FileStore(folder);
    await Promise.all(Array.from({ length: 8 }, () => store.putRecord('open/a/b', 'x')));
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  });

  it('keeps its folders and files to their owner', async () => {
    const folder = join(await newFolder(), 'store');
    await new FileStore(folder).putRecord('sealed/a/b', 'x');
    expect((await stat(join(folder, 'sealed'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'sealed/a/b'))).mode & 0o777).toBe(0o600);
  });

  it('makes the folder again when it was removed under a running process', async () => {
    const folder = await newFolder();
    const store = new FileStore(folder);
    await store.putRecord('open/a/b', 'x');
    await rm(join(folder, 'open'), { recursive: true });
    await rm(join(folder, 'tmp'), { recursive: true });
    expect(await store.putRecord('open/a/b', 'y')).toBe('created');
  });

  it('has nothing below the name of a record', async () => {
    const store = new FileStore(await newFolder());
    await store.putRecord('open/a/b', 'x');
    expect(await store.getRecord('open/a/b/c')).toBeUndefined();
    expect(await store.hasRecord('open/a/b/c')).toBe(false);
  });

  it('says where it failed when the folder cannot be', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'file'), '');
    const store = new FileStore(join(folder, 'file'));
    await expect(store.putRecord('open/a', 'x')).rejects.toMatchObject({
      type: 'StoreUnavailable',
      message: expect.stringContaining('ENOTDIR') as string,
    });
  });

  it('shows whole records only, though writers are killed at any moment', async () => {
    const folder = await newFolder();
    const content = 'x'.repeat(200_000);
    for (let round = 0; round < 5; round++) {
      const child = spawn(
        process.execPath,
        [
          '--import',
          'tsx',
          join(__dirname, 'endless-writer.ts'),
          folder,
          String(round),
          String(content.length),
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      await new Promise<void>((resolve) => {
        let seen = 0;
        child.stdout.on('data', () => {
          seen += 1;
          if (seen > round) resolve();
        });
      });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    }
    const store = new FileStore(folder);
    let records = 0;
    for await (const key of store.list('open/')) {
      records += 1;
      expect(Buffer.from((await store.getRecord(key))!).toString() === content).toBe(true);
    }
    expect(records).toBeGreaterThanOrEqual(5);
  });
});

it('ends with an error where no folder can be made, and does not try for ever', async () => {
  await expect(new FileStore('/proc/no-such/store').verify()).rejects.toMatchObject({
    type: 'StoreUnavailable',
    message: expect.stringContaining('/proc/no-such') as string,
  });
  const file = join(await newFolder(), 'a-file');
  await writeFile(file, '');
  await expect(new FileStore(join(file, 'store')).verify()).rejects.toMatchObject({
    type: 'StoreUnavailable',
  });
});
