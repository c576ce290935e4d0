import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_FOLDER_FILES } from '../../config/folder-files';
import { printFault } from '../../config/located-yaml';
import { readSubmissionFolder } from '../../config/submission-folder';
import { submissionFolder, SYSTEM_YAML } from '../support/submission-folder';
import { type TestFolder } from '../support/task-folder';

let folder: TestFolder;
const use = (changes?: Readonly<Record<string, string>>): void => {
  folder = submissionFolder(changes);
};
afterEach(() => folder.remove());

function faultsOf(tasks: readonly string[] = ['sums']): string[] {
  const { submission, faults } = readSubmissionFolder(folder.path, tasks);
  expect(submission === undefined).toBe(faults.length > 0);
  return faults.map((fault) => printFault(fault).replaceAll(`${folder.path}/`, ''));
}

describe('readSubmissionFolder', () => {
  it('reads system and runs, in order', () => {
    use({ 'sums/r2/a/b.txt': 'b', 'sums/r2/report.md': 'x', 'id-not.txt/r1/x': 'x' });
    const read = readSubmissionFolder(folder.path, ['sums', 'id-not.txt']);
    expect(read.submission).toBeUndefined();
    rmSync(join(folder.path, 'id-not.txt'), { recursive: true });
    const { submission, faults, warnings } = readSubmissionFolder(folder.path, ['sums']);
    expect({ faults, warnings }).toEqual({ faults: [], warnings: [] });
    expect(submission).toMatchObject({
      id: undefined,
      system: { product: 'Acme Office 3', date: '2026-11-20', operator: 'The lab' },
      runs: [
        { task: 'sums', repetition: 1, files: [{ path: 'report.md' }] },
        { task: 'sums', repetition: 2, files: [{ path: 'a/b.txt' }, { path: 'report.md' }] },
      ],
    });
  });

  it('says every fault at once, with its place', () => {
    use({
      'system.yaml': 'product: ""\ndate: soon\nowner: me\n',
      'sums/r3/report.md': 'x',
      'sums/notes.txt': 'x',
      'unknown/r1/report.md': 'x',
      'readme.md': 'x',
    });
    symlinkSync('/etc/passwd', join(folder.path, 'sums/r1/link.txt'));
    symlinkSync('/etc', join(folder.path, 'linked'));
    expect(faultsOf()).toEqual([
      expect.stringContaining('system.yaml:1: product: '),
      'system.yaml:2: date: write the day on which the deliverables were made, like 2026-11-20',
      'system.yaml:1: operator: is missing',
      'system.yaml:3: owner: unknown field: remove it or correct its spelling',
      'linked: is neither system.yaml nor the folder of a task: remove it',
      'readme.md: is neither system.yaml nor the folder of a task: remove it',
      'sums/notes.txt: must be a folder r1, r2 and so on to r1000: one a repetition',
      'sums: lacks r2: repetitions count from r1 without a gap',
      'sums/r1/link.txt: is a link to /etc/passwd: put the file itself there',
      'unknown: there is no task unknown; the tasks are sums',
    ]);
  });

  it('wants as many repetitions of every task', () => {
    use({ 'sums/r2/report.md': 'x', 'other/r1/report.md': 'x' });
    expect(faultsOf(['sums', 'other'])).toEqual(['other: lacks r2: other tasks have r2']);
  });

  it.each([
    ['a YAML error', 'product: [', /^system\.yaml:\d: /u],
    ['aliases without end', bombYaml(), /^system\.yaml/u],
    ['no UTF-8', Buffer.from([0xff, 0xfe, 0x00]), /is not UTF-8 text/u],
    ['too many bytes', 'x'.repeat(70_000), /has more than 65536 bytes/u],
    ['a line break in a name', 'product: "a\\nb"\ndate: 2026-11-20\noperator: me', /one line/u],
    ['a day that is none', 'product: a\ndate: 2026-02-31\noperator: me', /write the day/u],
    ['an id that is a path', `id: ../x\n${SYSTEM_YAML}`, /id: must be 1 to 60 of/u],
  ])('refuses a system.yaml with %s', (_what, content, message) => {
    use();
    writeFileSync(join(folder.path, 'system.yaml'), content);
    expect(faultsOf().join('\n')).toMatch(message);
  });

  it('refuses a missing folder, a link to one, and one without deliverables', () => {
    use();
    expect(readSubmissionFolder(join(folder.path, 'nowhere'), []).faults).toHaveLength(1);
    symlinkSync(folder.path, join(folder.path, 'self'));
    expect(readSubmissionFolder(join(folder.path, 'self'), []).faults[0]?.message).toContain(
      'not a link to one',
    );
    rmSync(join(folder.path, 'self'));
    rmSync(join(folder.path, 'sums'), { recursive: true });
    expect(faultsOf().join()).toContain('holds no deliverables');
  });

  it('stops reading a run with far too many files', () => {
    use();
    const first = join(folder.path, 'sums/r1/0.txt');
    writeFileSync(first, '');
    // Names of one file: making and deleting thousands slows down every disk access of the next minutes.
    for (let index = 1; index < MAX_FOLDER_FILES + 500; index++)
      linkSync(first, join(folder.path, `sums/r1/${index}.txt`));
    expect(faultsOf()).toEqual([`sums/r1: holds more than ${MAX_FOLDER_FILES} files`]);
  });

  it('takes names of any script, and refuses those that are not UTF-8 or hold control characters', () => {
    use({ 'sums/r1/汇总 (1).md': 'x', 'sums/r1/a\u0007.txt': 'x' });
    writeFileSync(Buffer.from(`${folder.path}/sums/r1/b\xff.txt`, 'latin1'), 'x');
    expect(
      faultsOf()
        .map((fault) => fault.replace(/^.*?: /u, ''))
        .sort(),
    ).toEqual([
      'has a control character or a back slash in its name: rename it',
      'is gone, or its name is not UTF-8: rename it',
    ]);
  });

  it('warns of a run that delivers nothing', () => {
    use();
    mkdirSync(join(folder.path, 'sums/r2'));
    const { submission, warnings } = readSubmissionFolder(folder.path, ['sums']);
    expect(submission?.runs).toHaveLength(2);
    expect(warnings.map(({ message }) => message)).toEqual(['delivers nothing: scores 0']);
  });
});

function bombYaml(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 12; level++)
    lines.push(`a${level}: &a${level} [${`*a${level - 1},`.repeat(10)}]`);
  return lines.join('\n');
}
