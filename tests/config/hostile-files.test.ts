import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseLocatedYaml, printFault } from '../../config/located-yaml';
import { readText } from '../../config/read-text';
import { readSweepFile } from '../../config/sweep-file';
import { readTaskFolder } from '../../config/task-folder';
import { newFolder, taskFiles, type TestFolder } from '../support/task-folder';

let folder: TestFolder;
afterEach(() => folder.remove());

const anyMapping = z.record(z.string(), z.json());
const SWEEP = `sweep: s
tasks: [task]
models: [{ id: sim, provider: simulated }]
harnesses: [simulated]
judge: { model: { id: judge, provider: simulated } }
`;

function yamlFaults(text: string): string[] {
  const read = parseLocatedYaml('file.yaml', text, anyMapping);
  return 'faults' in read ? read.faults.map(printFault) : [];
}

function taskFaults(changes: Readonly<Record<string, string>>): string {
  folder = newFolder(taskFiles(changes));
  return readTaskFolder(folder.path).faults.map(printFault).join('\n');
}

function sweepFaults(text: string): string {
  folder = newFolder({ 'sweep.yaml': text, ...prefixed(taskFiles()) });
  const read = readSweepFile(join(folder.path, 'sweep.yaml'));
  return 'faults' in read ? read.faults.map(printFault).join('\n') : '';
}

function prefixed(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`task/${name}`, text]));
}

describe('readText', () => {
  beforeEach(() => {
    folder = newFolder({ 'a.yaml': '\uFEFFa: 1\n' });
  });

  it('reads a file with a byte order mark', () => {
    expect(readText(join(folder.path, 'a.yaml'))).toEqual({ text: 'a: 1\n' });
  });

  it('neither waits at a pipe nor reads a device, a folder or a file without end', () => {
    const pipe = join(folder.path, 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const device = join(folder.path, 'device');
    symlinkSync('/dev/zero', device);
    const large = join(folder.path, 'large');
    writeFileSync(large, '');
    truncateSync(large, 9 * 1024 ** 2);
    const plain = { problem: 'is not a plain file: write a file in its place' };
    expect(readText(pipe)).toEqual(plain);
    expect(readText(device)).toEqual(plain);
    expect(readText(folder.path)).toEqual({ problem: 'is a folder, where a file is needed' });
    expect(readText(large)).toEqual({ problem: 'has more than 8388608 bytes' });
    expect(readText(`${large}\0`)).toEqual({ problem: 'cannot be the name of a file' });
  });
});

describe('parseLocatedYaml', () => {
  beforeAll(() => {
    folder = newFolder();
  });

  it.each([
    ['sequences without an end', '['.repeat(20_000)],
    ['sequences', `a: ${'['.repeat(5_000)}${']'.repeat(5_000)}`],
    ['mappings', `${'{a: '.repeat(200)}1${'}'.repeat(200)}`],
  ])('says in one line that a text of %s is too deep', (_what, text) => {
    expect(yamlFaults(text)).toEqual([
      'file.yaml:1: is nested more than 64 levels deep: write it flatter',
    ]);
  });

  it('takes twenty levels', () => {
    expect(yamlFaults(`a: ${'['.repeat(20)}${']'.repeat(20)}`)).toEqual([]);
  });

  it('names the field that is given twice, the second document, and what no field can be called', () => {
    expect(yamlFaults('window: 1\nwindow: 2\n')).toEqual([
      'file.yaml:2: window is given twice: keep one of them',
    ]);
    expect(yamlFaults('a: 1\n---\nb: 1\n')).toEqual([
      'file.yaml:2: a second document (---) begins here: keep one document in a file',
    ]);
    expect(yamlFaults('a: { __proto__: { b: 1 } }\n')).toEqual([
      'file.yaml:1: __proto__ cannot be the name of a field',
    ]);
    expect(yamlFaults('a: !!js/function x\n').join()).toContain('js/function');
  });

  it('tells twenty faults of a broken text, and how many more there are', () => {
    const faults = yamlFaults(Array.from({ length: 50 }, (_, index) => `- }${index}`).join('\n'));
    expect(faults).toHaveLength(21);
    expect(faults.at(-1)).toMatch(/^file\.yaml: and \d+ more faults like these$/u);
  });

  it('prints a fault on one line, whatever the names hold', () => {
    const fault = { file: 'a\nb\u001b[31m', line: 1, message: 'x\u202e\r\nok' };
    expect(printFault(fault)).toBe('a\\u{a}b\\u{1b}[31m:1: x\\u{202e}\\u{d}\\u{a}ok');
  });
});

describe('a task folder', () => {
  it('does not follow a link in place of task.yaml or rubric.yaml', () => {
    folder = newFolder(taskFiles());
    for (const name of ['task.yaml', 'rubric.yaml']) {
      rmSync(join(folder.path, name));
      symlinkSync('/etc/hostname', join(folder.path, name));
    }
    const faults = readTaskFolder(folder.path).faults.map(printFault).join('\n');
    for (const name of ['task.yaml', 'rubric.yaml'])
      expect(faults).toContain(`${name}: is a link to /etc/hostname: put the file itself there`);
  });

  it.each(['1e308', '.inf', '.nan', '1e-320', '-1', '0', '1000001'])(
    'refuses the weight %s, with which no share can be told',
    (weight) => {
      const rubric = `- { id: a, text: x, weight: ${weight}, dimension: engineering-format }\n`;
      expect(taskFaults({ 'rubric.yaml': rubric })).toContain('(0.000001 to 1000000)');
    },
  );

  it('refuses titles and output paths that break or forge a line', () => {
    const task = (taskFiles()['task.yaml'] ?? '').replace('Add numbers', '"Add\\e[31m"');
    expect(taskFaults({ 'task.yaml': task })).toContain('title: must be one line of plain text');
    folder.remove();
    const output = (taskFiles()['task.yaml'] ?? '').replace('report.md', '"re\\nport.md"');
    expect(taskFaults({ 'task.yaml': output })).toContain('no control character or back slash');
  });

  it('refuses a request that is no text', () => {
    folder = newFolder(taskFiles());
    writeFileSync(join(folder.path, 'workspace/query/task.md'), Buffer.from([0xff, 0xfe, 0x00]));
    expect(readTaskFolder(folder.path).faults.map(printFault).join()).toContain(
      'query/task.md: is not UTF-8 text',
    );
  });
});

describe('a sweep file', () => {
  it.each([
    ['tasks: [task]', 'tasks: ["task\\0"]', 'cannot be the name of a folder'],
    ['tasks: [task]', `tasks: ["${'a'.repeat(5_000)}"]`, 'cannot be the name of a folder'],
    ['tasks: [task]', 'tasks: [sweep.yaml]', 'is no folder: name the folder that holds task.yaml'],
    // Names that lead nowhere and vanish; other processes' may well be open at a task's folder.
    ['tasks: [task]', 'tasks: ["/proc/self/fd/*"]', 'no folder with a task.yaml matches'],
    ['sweep: s', 'budget: { maxCostUsd: 1e300 }\nsweep: s', 'must be at most 1000000000'],
    ['sweep: s', 'budget: { maxCostUsd: 1e-12 }\nsweep: s', 'must be at least 0.000001'],
    ['sweep: s', 'limits: { workingTime: 25d }\nsweep: s', 'of at most 7d, or none'],
    ['sweep: s', 'limits: { workingTime: 169h }\nsweep: s', 'of at most 7d, or none'],
    ['sweep: s', 'timings: { holdFor: 25d }\nsweep: s', 'of at most 24d'],
    ['sweep: s', 'limits: { memory: 1KiB }\nsweep: s', 'must be at least 64MiB'],
    ['sweep: s', 'limits: { memory: 100000GiB }\nsweep: s', 'of at most 16384GiB'],
    ['sweep: s', 'limits: { processes: 1000000000000 }\nsweep: s', 'must be at most 4194304'],
    ['sweep: s', 'limits: { cpus: 0.0001 }\nsweep: s', 'must be at least 0.01'],
    ['sweep: s', 'timings: { heartbeatTimeout: 1s }\nsweep: s', 'must be shorter than its timeout'],
    ['sweep: s', 'timings: { heartbeatInterval: 1h }\nsweep: s', 'must be shorter than its'],
  ])('instead of %s with %s is refused', (part, replacement, message) => {
    expect(sweepFaults(SWEEP)).toBe('');
    folder.remove();
    expect(sweepFaults(SWEEP.replace(part, replacement))).toContain(message);
  });

  it('cannot have more lanes than a history holds', () => {
    const models = Array.from({ length: 201 }, (_, k) => `{ id: m${k}, provider: simulated }`);
    expect(
      sweepFaults(SWEEP.replace('[{ id: sim, provider: simulated }]', `[${models.join(', ')}]`)),
    ).toContain('make 201 lanes, more than 200: split them over several sweeps');
  });

  it('passes over a folder that cannot be looked into', () => {
    folder = newFolder({
      'sweep.yaml': SWEEP.replace('[task]', '["*"]'),
      ...prefixed(taskFiles()),
    });
    mkdirSync(join(folder.path, 'loop'));
    symlinkSync('self', join(folder.path, 'self'));
    expect(readSweepFile(join(folder.path, 'sweep.yaml'))).toMatchObject({
      value: { taskFolders: [join(folder.path, 'task')] },
    });
  });
});
