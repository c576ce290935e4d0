import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileStore } from '../../../activities/store/file-store';

/** A real file system of 1 MiB, full. Mounting needs root, as the rest of the integration tests do. */
describe('FileStore on a full disk', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'startupbench-test', folder]);
  });
  afterEach(() => {
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  });

  it('says so, keeps what was written, shows no half record, and goes on once space returns', async () => {
    const store = new FileStore(join(folder, 'store'));
    await store.verify();
    await store.putRecord('open/before.json', 'kept');
    const filler = join(folder, 'filler');
    try {
      writeFileSync(filler, Buffer.alloc(2 * 1024 ** 2));
    } catch (error) {
      expect((error as { code?: string }).code).toBe('ENOSPC');
    }
    const large = 'x'.repeat(100_000);
    await expect(store.putRecord('open/after.json', large)).rejects.toMatchObject({
      type: 'StoreUnavailable',
      message: expect.stringMatching(
        /put open\/after\.json in file:.*ENOSPC.*free space on that disk/u,
      ) as string,
    });
    await expect(store.putBlob('open', Buffer.from(large))).rejects.toMatchObject({
      type: 'StoreUnavailable',
    });
    expect(Buffer.from((await store.getRecord('open/before.json'))!).toString()).toBe('kept');
    expect(await store.getRecord('open/after.json')).toBeUndefined();
    rmSync(filler);
    expect(await store.putRecord('open/after.json', large)).toBe('created');
    expect((await store.getRecord('open/after.json'))!.byteLength).toBe(large.length);
  });
});
