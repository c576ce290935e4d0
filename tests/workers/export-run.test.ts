import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type SweepPlan } from '../../core/sweep';
import { type ExportedFile, exportRun, safePath } from '../../workers/export-run';
import { runDetails } from '../../workers/run-details';
import { StoredSweep } from '../support/stored-sweep';

let sweep: StoredSweep;
let plan: SweepPlan;
beforeEach(async () => {
  sweep = new StoredSweep();
  ({ plan } = await sweep.build());
});
afterEach(() => sweep.remove());

const listed = (files: readonly ExportedFile[]): string[] =>
  files.map(({ path, bytes }) => `${path} ${bytes}`).sort();
const onDisk = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${relative(folder, path)} ${statSync(path).size}`)
    .sort();

describe('exportRun', () => {
  it('contains hostile names and keeps every file', async () => {
    const run = sweep.run(plan, 'one', 1);
    const names = [
      '../../escape.txt',
      'a/../../b.txt',
      '/etc/passwd',
      'line\nbreak.txt',
      'Same.txt',
      'same.txt',
      'x',
      'x/y.txt',
      `${'n'.repeat(300)}.txt`,
      'con:trol?.txt',
      '...',
      '报告.md',
    ];
    await sweep.deliver(run, Object.fromEntries(names.map((name) => [name, `content of ${name}`])));
    const folder = join(sweep.folder.path, 'out', 'run');
    const exported = await exportRun(
      sweep.store,
      await runDetails(sweep.source(plan), run),
      folder,
    );
    expect(listed(exported)).toEqual(onDisk(folder));
    const own = ['attempts/1/attempt.json', 'names.json'];
    const delivered = exported.filter(({ path }) => !own.includes(path));
    expect(delivered).toHaveLength(names.length);
    expect(new Set(delivered.map(({ path }) => path.toLowerCase())).size).toBe(names.length);
    for (const { name, path } of delivered) {
      expect(path).toMatch(/^results\//u);
      expect(path.split('/')).not.toContain('..');
      expect(readFileSync(join(folder, path), 'utf8')).toBe(
        `content of ${name.slice('results/'.length)}`,
      );
    }
    expect(readdirSync(join(sweep.folder.path, 'out'))).toEqual(['run']);
    expect(existsSync(join(folder, 'attempts', '1', 'attempt.json'))).toBe(true);
    const renamed = JSON.parse(readFileSync(join(folder, 'names.json'), 'utf8')) as {
      name: string;
    }[];
    expect(renamed.map(({ name }) => name)).toContain('results/../../escape.txt');
    expect(renamed.map(({ name }) => name)).not.toContain('results/报告.md');
  });

  it('writes transcript and logs of every attempt, and never into a folder that holds something', async () => {
    const run = sweep.run(plan, 'one', 1);
    const blob = async (path: string, text: string) => ({
      path,
      ...(await sweep.store.putBlob('open', Buffer.from(text))),
    });
    await sweep.deliver(run, undefined, {
      transcript: await blob('transcript.json', '{}'),
      logs: [await blob('logs/stdout.log', 'hello'), await blob('images/a.png', 'image')],
    });
    const folder = join(sweep.folder.path, 'out');
    const details = await runDetails(sweep.source(plan), run);
    expect(listed(await exportRun(sweep.store, details, folder))).toEqual(onDisk(folder));
    expect(readFileSync(join(folder, 'attempts/1/transcript.json'), 'utf8')).toBe('{}');
    expect(readFileSync(join(folder, 'attempts/1/logs/stdout.log'), 'utf8')).toBe('hello');
    expect(readFileSync(join(folder, 'attempts/1/images/a.png'), 'utf8')).toBe('image');
    await expect(exportRun(sweep.store, details, folder)).rejects.toThrow(
      'is not empty: name a new folder with --out',
    );
  });
});

describe('safePath', () => {
  it.each([
    ['a/b.txt', 'a/b.txt'],
    ['../a', '_/a'],
    ['..', '_'],
    ['/a//b/', 'a/b'],
    ['a\\..\\b', 'a/_/b'],
    ['\u202egnp.exe', '_gnp.exe'],
    ['a\u0000b', 'a_b'],
    ['', '_'],
    ['trailing. ', 'trailing_'],
  ])('makes %j %j', (given, expected) => {
    expect(safePath(given)).toBe(expected);
  });
});
