import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderSync } from '../../../activities/store/folder-sync';
import { REAL_DISK } from '../../support/real-disk';

interface Call {
  readonly folder: string;
  readonly finish: () => void;
}

describe('FolderSync', () => {
  let calls: Call[];
  let root: string;
  beforeEach(async () => {
    calls = [];
    root = await mkdtemp(join(REAL_DISK, 'folder-sync-'));
  });
  afterEach(() => rm(root, { recursive: true }));
  const recorded = (folder: string): Promise<void> =>
    new Promise((resolve) => calls.push({ folder, finish: resolve }));

  it('lets callers who come during a sync share the next one, never the running one', async () => {
    const folders = new FolderSync(root, recorded);
    const first = folders.flush('/a');
    const later = [folders.flush('/a'), folders.flush('/a')];
    let laterDone = false;
    void Promise.all(later).then(() => (laterDone = true));
    expect(calls).toHaveLength(1);
    calls[0]!.finish();
    await first;
    await new Promise(setImmediate);
    expect(laterDone).toBe(false);
    expect(calls).toHaveLength(2);
    calls[1]!.finish();
    await Promise.all(later);
    void folders.flush('/a');
    expect(calls).toHaveLength(3);
  });

  it('syncs again after a sync that failed', async () => {
    let failures = 0;
    const folders = new FolderSync(root, async () => {
      failures += 1;
      if (failures === 1) throw new Error('EIO');
    });
    const first = folders.flush('/a');
    const second = folders.flush('/a');
    await expect(first).rejects.toThrow('EIO');
    await second;
    expect(failures).toBe(2);
  });

  it('syncs every parent of a new folder once', async () => {
    const synced: string[] = [];
    const folders = new FolderSync(root, async (folder) => void synced.push(folder));
    await folders.ensure(join(root, 'a', 'b'));
    await folders.ensure(join(root, 'a', 'b'));
    expect(synced.sort()).toEqual([root, join(root, 'a')]);
    folders.forget(join(root, 'a', 'b'));
    await folders.ensure(join(root, 'a', 'b'));
    expect(synced).toHaveLength(4);
  });
});
