import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectFiles } from '../../../activities/sandbox/collect-results';
import { workspaceChanges } from '../../../activities/sandbox/workspace-changes';

const LINKS = 190;
const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Names of control characters are six times as long in a record as on the disk. */
describe('lists of what an agent left, with names made to burst a record', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'startupbench-bounded-'));
    const part = '\u0001'.repeat(240);
    const folder = join(root, part, part, part);
    await mkdir(folder, { recursive: true });
    for (let link = 0; link < LINKS; link++)
      await symlink('/nowhere', join(folder, `${'\u0002'.repeat(200)}${link}`));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('what was refused stays small, and the rest is counted', async () => {
    const { refused } = await collectFiles(root);
    expect(jsonBytes(refused)).toBeLessThan(250_000);
    const rest = Number(/^\d+/u.exec(refused.at(-1)?.reason ?? '')?.[0]);
    expect(refused.length - 1 + rest).toBe(LINKS);
  });

  it('what lies outside of results/ stays small, and the rest is counted', async () => {
    const { pollution } = await workspaceChanges(root, []);
    expect(jsonBytes(pollution)).toBeLessThan(200_000);
    expect(pollution.at(-1)).toMatch(/^and \d+ more$|more could not be taken/u);
  });
});
