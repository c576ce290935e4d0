import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataFolder } from '../../workers/data-lock';
import { withStackLock } from '../../workers/stack-lock';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'startupbench-stack-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const nobody = (): void => undefined;

describe('withStackLock', () => {
  it('lets one at a time work on a data folder, failed ones included', async () => {
    let working = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++working);
      await new Promise((resolve) => setTimeout(resolve, 5));
      working--;
      throw new Error('failed');
    };
    const ends = await Promise.allSettled([1, 2, 3].map(() => withStackLock(folder, nobody, work)));
    expect(most).toBe(1);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('says that it waits, and what to do when it waits in vain', async () => {
    const lock = await lockDataFolder(folder, 'stack');
    const said: string[] = [];
    try {
      await expect(
        withStackLock(
          folder,
          (line) => said.push(line),
          () => Promise.resolve(),
          50,
        ),
      ).rejects.toThrow(/another up or down has worked on .*: wait for it or end it/u);
    } finally {
      lock.release();
    }
    expect(said).toEqual([`another up or down works on ${folder}: waiting for its end`]);
  });

  it('needs no lock where there is no data folder', async () => {
    await expect(
      withStackLock(join(folder, 'absent'), nobody, () => Promise.resolve('done')),
    ).resolves.toBe('done');
  });
});
