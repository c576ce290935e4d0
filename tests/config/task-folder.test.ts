import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printFault } from '../../config/located-yaml';
import { readTaskFolder } from '../../config/task-folder';
import { newFolder, taskFiles, type TestFolder } from '../support/task-folder';

let folder: TestFolder;
afterEach(() => folder.remove());

function read(changes: Readonly<Record<string, string | undefined>> = {}) {
  folder = newFolder(taskFiles(changes));
  return reread();
}
function reread() {
  const { task, faults, warnings } = readTaskFolder(folder.path);
  const print = (list: typeof faults): string[] =>
    list.map((fault) => printFault(fault).replaceAll(`${folder.path}/`, ''));
  return { task, faults: print(faults), warnings: print(warnings) };
}

describe('readTaskFolder', () => {
  it('reads a task: weights, checks, files and reference', () => {
    const { task, faults, warnings } = read();
    expect({ faults, warnings }).toEqual({ faults: [], warnings: [] });
    expect(task).toMatchObject({
      id: 'sums',
      domain: 'finance',
      outputs: [{ path: 'report.md', format: 'markdown' }],
    });
    expect(task?.files.map((file) => file.path)).toEqual(['numbers.csv', 'query/task.md']);
    expect(task?.reference.map((file) => file.path)).toEqual(['report.md']);
    expect(task?.rubric.items).toEqual([
      {
        id: 'total',
        text: 'The report says that the total is 42.',
        weight: 5,
        level: 'core',
        dimension: 'calculation-precision',
        check: { kind: 'text-contains', file: 'report.md', any: ['42'] },
      },
      {
        id: 'reason',
        text: 'The report names the largest number.',
        weight: 3,
        level: 'important',
        dimension: 'information-integration',
      },
      {
        id: 'short',
        text: 'The report has one page.',
        weight: 0.5,
        dimension: 'output-presentation',
      },
    ]);
  });

  it('says every fault of every file at once', () => {
    const { faults } = read({
      'task.yaml': 'id: Sums\ntitle: Add\ndomain: law\nlanguage: en\noutputs: []\nauthor: me\n',
      'rubric.yaml': '- { id: a, text: x, weight: 0, dimension: beauty }\n',
      'workspace/query/task.md': undefined,
    });
    expect(faults).toEqual([
      'task.yaml:1: id: must be 1 to 60 of a-z, 0-9, dot, dash and underscore',
      'task.yaml:3: domain: must be one of medical, finance, legal, business, stem, education',
      'task.yaml:5: outputs: a task needs at least one required output',
      'task.yaml:6: author: unknown field: remove it or correct its spelling',
      'rubric.yaml:1: a.weight: must be core, important, auxiliary or a number above 0 (0.000001 to 1000000)',
      expect.stringContaining(
        'rubric.yaml:1: a.dimension: must be one of structure-completeness, ',
      ) as string,
      'workspace: query/task.md is missing: it holds the request',
    ]);
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ['no task.yaml', { 'task.yaml': undefined }, 'task.yaml: is missing'],
    ['no rubric', { 'rubric.yaml': undefined }, 'rubric.yaml: is missing'],
    ['an empty rubric', { 'rubric.yaml': '[]' }, 'rubric.yaml:1: a rubric needs at least one item'],
    ['an empty request', { 'workspace/query/task.md': '' }, 'workspace: query/task.md is empty'],
    [
      'a file that the request names and nobody provides',
      { 'workspace/numbers.csv': undefined },
      'workspace/query/task.md:1: names numbers.csv, which is neither in the workspace nor a required output: add ' +
        'the file, or name it without back quotes if it is not an attachment',
    ],
    [
      'deliverables in the workspace',
      { 'workspace/results/report.md': 'x' },
      'workspace: results/report.md: results/ is where agents deliver; it must be empty',
    ],
    [
      'parsed attachments',
      { 'workspace/_parsed/numbers.txt': 'x' },
      'workspace: _parsed/numbers.txt: _parsed/ is made by sweeps with `parsed: on`; remove it',
    ],
    [
      'a reference that lacks a required output',
      { 'reference/report.md': undefined, 'reference/other.md': 'x' },
      'reference: the required output report.md has no reference deliverable',
    ],
  ])('refuses a task with %s', (_title, changes, fault) => {
    const { task, faults } = read(changes);
    expect(task).toBeUndefined();
    expect(faults).toContain(fault);
  });

  const taskYaml = (line: string): Record<string, string> => ({
    'task.yaml': `id: sums\ntitle: Add\ndomain: finance\nlanguage: en\n${line}\n`,
  });
  it.each<[string, string, string]>([
    [
      'an output outside results/',
      'outputs: [{ path: ../x.md, format: markdown }]',
      'must be a path below results/',
    ],
    [
      'an output that says results/',
      'outputs: [{ path: results/x.md, format: markdown }]',
      'without results/ itself',
    ],
    [
      'an output twice',
      'outputs: [{ path: report.md, format: markdown }, { path: report.md, format: markdown }]',
      'outputs: report.md is required twice',
    ],
    [
      'a format that the name denies',
      'outputs: [{ path: report.md, format: pdf }]',
      'report.md cannot be pdf: that ends in .pdf',
    ],
    [
      'web access to an address',
      'outputs: [{ path: report.md, format: markdown }]\ngrants: { web: [example.org, 10.0.0.1] }',
      'grants.web[10.0.0.1]: must be a host like data.example.org',
    ],
    [
      'a missing attachment',
      'outputs: [{ path: report.md, format: markdown }]\nattachments: [numbers.csv, rates.csv]',
      'attachment rates.csv is missing: add the file or take it out of task.yaml',
    ],
    ['broken YAML', 'outputs: [', 'task.yaml:'],
  ])('refuses %s', (_title, line, part) => {
    const { faults } = read(taskYaml(line));
    expect(faults.join('\n')).toContain(part);
  });

  const item = (id: string, text: string, more = ''): string =>
    `- { id: ${id}, text: '${text}', weight: core, dimension: calculation-precision${more} }\n`;
  it.each<[string, string, string]>([
    [
      'an id twice',
      item('a', 'One.') + item('a', 'Two.'),
      'rubric.yaml:2: a is used twice: give every item an id of its own',
    ],
    [
      'the same words twice',
      item('a', 'One.') + item('b', 'One.'),
      'rubric.yaml:2: b says the same as a: leave one of them out',
    ],
    [
      'a placeholder',
      item('a', 'The total is {{total}}.'),
      'rubric.yaml:1: a holds a placeholder that nothing fills',
    ],
    [
      'a negative weight',
      '- { id: a, text: x, weight: -1, dimension: calculation-precision }',
      'a.weight: must be core',
    ],
    [
      'an unknown check',
      item('a', 'One.', ', check: { kind: looks-nice, file: report.md }'),
      'check.kind: must be one of file-exists, sheet-exists',
    ],
    [
      'a check field that nothing reads',
      item('a', 'One.', ', check: { kind: no-error-cells, file: report.md, strict: true }'),
      'check.strict: unknown field',
    ],
    [
      'a sheet name in a check of a CSV file',
      item('a', 'One.', ', check: { kind: row-count, file: a.csv, sheet: S, column: n, count: 1 }'),
      'check.sheet: a.csv is CSV and has one sheet without a name: leave out sheet',
    ],
    [
      'a sheet name in a source of a CSV file',
      item(
        'a',
        'One.',
        ', check: { kind: values-agree, left: { file: a.csv, sheet: S, cell: A1 }, right: { file: b.csv, cell: A1 } }',
      ),
      'check.left.sheet: a.csv is CSV and has one sheet without a name: leave out sheet',
    ],
    [
      'a check without its file',
      item('a', 'One.', ', check: { kind: no-error-cells }'),
      'check.file: is missing',
    ],
    [
      'a broken pattern',
      item(
        'a',
        'One.',
        ", check: { kind: number-format, file: a.xlsx, sheet: S, range: A1, pattern: '(' }",
      ),
      'check.pattern: is not a regular expression',
    ],
    [
      'a check of nothing',
      item('a', 'One.', ', check: { kind: text-contains, file: report.md }'),
      'check: needs all or any',
    ],
  ])('refuses a rubric with %s', (_title, rubric, part) => {
    expect(read({ 'rubric.yaml': rubric }).faults.join('\n')).toContain(part);
  });

  it('warns of weight on mere existence, of checks on other files, and of a missing reference', () => {
    const { task, faults, warnings } = read({
      'rubric.yaml':
        item('a', 'One.', ', check: { kind: file-exists, file: other.md }') +
        item('b', 'Two.') +
        item('c', 'Three.') +
        item('d', 'Four.') +
        item('e', 'Five.') +
        item('f', 'Six.'),
      'reference/report.md': undefined,
    });
    expect(faults).toEqual([]);
    expect(task).toBeDefined();
    expect(warnings).toEqual([
      'rubric.yaml:1: a checks other.md, which task.yaml does not require',
      'rubric.yaml: 16.7 % of the weight rests on mere existence or format, more than 15 %: lower those weights or add items about the content',
      expect.stringContaining('has no reference deliverables') as string,
    ]);
  });

  it('refuses links, whether they lead outside or not, and does not follow them', () => {
    read();
    symlinkSync('/etc/passwd', join(folder.path, 'workspace', 'passwd.txt'));
    symlinkSync('numbers.csv', join(folder.path, 'workspace', 'same.csv'));
    mkdirSync(join(folder.path, 'elsewhere'));
    writeFileSync(join(folder.path, 'elsewhere', 'secret.txt'), 'x');
    symlinkSync(join(folder.path, 'elsewhere'), join(folder.path, 'reference', 'more'));
    const { task, faults } = reread();
    expect(task).toBeUndefined();
    expect(faults).toEqual([
      'workspace/passwd.txt: is a link to /etc/passwd: put the file itself there',
      'workspace/same.csv: is a link to numbers.csv: put the file itself there',
      expect.stringContaining('reference/more: is a link to') as string,
    ]);
  });

  it('refuses names that are the same once normalized, and control characters', () => {
    read();
    writeFileSync(join(folder.path, 'workspace', 'caf\u00e9.txt'), '1');
    writeFileSync(join(folder.path, 'workspace', 'cafe\u0301.txt'), '2');
    writeFileSync(join(folder.path, 'workspace', 'a\nb.txt'), '3');
    const { faults } = reread();
    expect(faults.join('\n')).toContain(
      'has the same name as another file once both are in Unicode NFC',
    );
    expect(faults.join('\n')).toContain(
      'has a control character or a back slash in its name: rename it',
    );
  });

  it('refuses text that is not UTF-8, and aliases that unfold without end', () => {
    read();
    writeFileSync(join(folder.path, 'task.yaml'), Buffer.from([0x69, 0x64, 0x3a, 0xff]));
    folder.write(
      'rubric.yaml',
      [
        'a: &a [x,x,x,x,x,x,x,x,x]',
        ...'bcdefgh'.split('').map((name, index) => {
          const before = 'abcdefgh'[index]!;
          return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(',')}]`;
        }),
      ].join('\n'),
    );
    const { faults } = reread();
    expect(faults.join('\n')).toContain('task.yaml: is not UTF-8 text: save it');
    expect(faults.join('\n')).toContain(
      'rubric.yaml: its aliases (*name) unfold to too many values',
    );
  });
});
