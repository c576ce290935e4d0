import { execFileSync } from 'node:child_process';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  collectFiles,
  DEFAULT_COLLECTION_LIMITS,
  digestCollected,
  withCollected,
} from '../../../activities/sandbox/collect-results';
import { openBelow, readBelow } from '../../../activities/sandbox/open-below';
import { workspaceChanges } from '../../../activities/sandbox/workspace-changes';

let root: string;
beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'startupbench-collect-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

const raw = (...bytes: number[]) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(bytes)]);
const collect = (limits = {}) => collectFiles(root, { ...DEFAULT_COLLECTION_LIMITS, ...limits });
const paths = async (limits = {}) => (await collect(limits)).files.map(({ path }) => path);

describe('collecting what an agent left', () => {
  it('keeps odd names as they are, apart from bytes that are no text', async () => {
    const names = ['line\nbreak', ' ', '报告 (最终).xlsx', '-rf', '%41', '"quoted"', 'back\\slash'];
    for (const name of names) await writeFile(join(root, name), 'x');
    await writeFile(raw(0x61, 0xff, 0x25), 'x');
    expect(new Set(await paths())).toEqual(new Set([...names, 'a%FF%25']));
    const { files } = await collect();
    for (const { components } of files)
      expect(await digestCollected(root, components)).toMatchObject({ bytes: 1 });
  });

  it('writes names in NFC and reports the second of two that become the same', async () => {
    await writeFile(join(root, 'e\u0301.txt'), 'decomposed');
    await writeFile(join(root, '\u00e9.txt'), 'composed');
    const { files, refused } = await collect();
    expect(files.map(({ path }) => path)).toEqual(['\u00e9.txt']);
    expect(refused).toEqual([
      { path: '\u00e9.txt', reason: expect.stringContaining('NFC') as unknown },
    ]);
  });

  it('follows no link and opens nothing that is no regular file', async () => {
    await symlink('/etc/passwd', join(root, 'absolute'));
    await symlink('../../etc/passwd', join(root, 'relative'));
    await symlink('/etc', join(root, 'folder'));
    await symlink('nowhere', join(root, 'dangling'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    execFileSync('mknod', [join(root, 'device'), 'c', '1', '5']);
    const server = createServer();
    await new Promise<void>((listening) => server.listen(join(root, 'socket'), listening));
    await writeFile(join(root, 'real.txt'), 'x');
    const { files, refused } = await collect();
    await new Promise((closed) => server.close(closed));
    expect(files.map(({ path }) => path)).toEqual(['real.txt']);
    expect(Object.fromEntries(refused.map(({ path, reason }) => [path, reason]))).toEqual({
      absolute: 'is a symbolic link',
      relative: 'is a symbolic link',
      folder: 'is a symbolic link',
      dangling: 'is a symbolic link',
      pipe: 'is a named pipe',
      device: 'is a device',
      socket: 'is a socket',
    });
  });

  it('refuses a results folder that is a link or a file, and takes a missing one as empty', async () => {
    await symlink('/etc', join(root, 'link'));
    await writeFile(join(root, 'file'), 'x');
    expect(await collectFiles(join(root, 'link'))).toMatchObject({
      files: [],
      refused: [{ path: '.', reason: 'is a symbolic link, not a folder' }],
    });
    expect((await collectFiles(join(root, 'file'))).refused).toHaveLength(1);
    expect(await collectFiles(join(root, 'missing'))).toEqual({
      files: [],
      refused: [],
      truncated: false,
    });
  });

  it('opens what it listed without following a link that took its place', async () => {
    await mkdir(join(root, 'a'));
    await writeFile(join(root, 'a', 'x'), 'mine');
    const [file] = (await collect()).files;
    await rm(join(root, 'a'), { recursive: true });
    await symlink('/etc', join(root, 'a'));
    expect(await withCollected(root, file!.components, async (path) => path)).toBeUndefined();
    expect(await openBelow(root, ['a', 'passwd'])).toBeUndefined();
    expect(await readBelow(root, 'a/passwd', 100)).toBeUndefined();
    expect(await readBelow(root, '../etc/passwd', 100)).toBeUndefined();
    await expect(openBelow(root, ['a/passwd'])).rejects.toThrow('is not one component of a path');
  });

  it('takes files near the root first and reports the others when 10,000 lie there', async () => {
    await mkdir(join(root, 'aaa-junk'));
    execFileSync(
      'sh',
      ['-c', 'i=0; while [ $i -lt 10000 ]; do : > aaa-junk/$i; i=$((i+1)); done'],
      { cwd: root },
    );
    await writeFile(join(root, 'report.docx'), 'x');
    const { files, refused, truncated } = await collect();
    expect(files[0]!.path).toBe('report.docx');
    expect(files).toHaveLength(DEFAULT_COLLECTION_LIMITS.maxFiles);
    expect(truncated).toBe(true);
    expect(refused).toHaveLength(200);
    expect(refused.at(-1)).toEqual({
      path: '.',
      reason: `${10_001 - DEFAULT_COLLECTION_LIMITS.maxFiles - 199} more could not be taken`,
    });
  });

  it('bounds single files, all bytes, all paths and the depth', async () => {
    await writeFile(join(root, 'big'), '');
    await truncate(join(root, 'big'), 2 * 1024 ** 3);
    for (const name of ['a', 'b', 'c']) await writeFile(join(root, name), '12345');
    expect(await paths()).toEqual(['a', 'b', 'c']);
    expect(await paths({ maxTotalBytes: 12 })).toEqual(['a', 'b']);
    expect(await paths({ maxPathBytes: 6 })).toEqual(['a', 'b']);
    execFileSync(
      'sh',
      ['-c', 'i=0; while [ $i -lt 60 ]; do mkdir d && cd d && : > f; i=$((i+1)); done'],
      { cwd: root },
    );
    const { files, refused, truncated } = await collect();
    expect(files).toHaveLength(3 + 31);
    expect(truncated).toBe(true);
    expect(refused.map(({ reason }) => reason).join()).toMatch(
      /2147483648 bytes.*deeper than 32 folders/u,
    );
  });

  it('takes hard links and executable files as the regular files they are', async () => {
    await writeFile(join(root, 'one'), 'x');
    await link(join(root, 'one'), join(root, 'two'));
    await chmod(join(root, 'one'), 0o4755);
    expect(await paths()).toEqual(['one', 'two']);
  });
});

describe('what changed outside of results', () => {
  it('lists new files, odd things, and inputs that were altered, removed or replaced by a link', async () => {
    const digest = async (path: string) => (await digestCollected(root, path.split('/')))!;
    await mkdir(join(root, 'query'));
    await mkdir(join(root, 'results'));
    for (const path of ['query/task.md', 'same.csv', 'altered.csv', 'removed.csv', 'linked.csv'])
      await writeFile(join(root, path), path);
    const inputs = await Promise.all(
      ['query/task.md', 'same.csv', 'altered.csv', 'removed.csv', 'linked.csv'].map(
        async (path) => ({
          path,
          ...(await digest(path)),
        }),
      ),
    );
    const content = await readFile(join(root, 'linked.csv'));
    await writeFile(join(root, 'copy.csv'), content);
    await writeFile(join(root, 'altered.csv'), 'other');
    await rm(join(root, 'removed.csv'));
    await rm(join(root, 'linked.csv'));
    await symlink('copy.csv', join(root, 'linked.csv'));
    await writeFile(join(root, 'results/deliverable.txt'), 'x');
    await mkdir(join(root, '.nanobot'));
    await writeFile(join(root, '.nanobot/state'), 'x');
    expect(await workspaceChanges(root, inputs)).toEqual({
      pollution: ['copy.csv', '.nanobot/state', 'linked.csv (is a symbolic link)'],
      alteredInputs: ['altered.csv', 'removed.csv', 'linked.csv'],
    });
  });
});
