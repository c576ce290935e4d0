import { join } from 'node:path';
import { printFault } from '../../config/located-yaml';
import { readSweepFile } from '../../config/sweep-file';
import { HARNESS_NAMES } from '../../core/sweep';
import { newFolder, taskFiles, type TestFolder } from '../support/task-folder';

let folder: TestFolder;
beforeEach(() => {
  folder = newFolder();
  for (const id of ['b-task', 'a-task'])
    for (const [name, text] of Object.entries(taskFiles()))
      folder.write(`tasks/${id}/${name}`, text);
  folder.write('tasks/notes/readme.txt', 'no task');
  folder.write('tasks/.hidden/task.yaml', '');
});
afterEach(() => folder.remove());

const MINIMAL = `sweep: demo
tasks: [tasks/*]
models: [{ id: sim, provider: simulated }]
harnesses: [simulated]
judge: { model: { id: judge, provider: replay, recordings: judge } }
`;

function read(text: string) {
  folder.write('sweep.yaml', text);
  const result = readSweepFile(join(folder.path, 'sweep.yaml'));
  if ('value' in result) return { value: result.value, faults: [] };
  return {
    value: undefined,
    faults: result.faults.map((fault) => printFault(fault).replaceAll(`${folder.path}/`, '')),
  };
}

describe('readSweepFile', () => {
  it('fills in defaults and finds the task folders', () => {
    const { value } = read(MINIMAL);
    expect(value).toMatchObject({
      sweep: 'demo',
      cohort: 'demo',
      taskFolders: [join(folder.path, 'tasks/a-task'), join(folder.path, 'tasks/b-task')],
      models: [
        {
          kind: 'simulated',
          id: 'sim',
          simulation: { seed: 1, steps: 20, judgeTurns: 1, latencyMs: 0, errorRate: 0 },
        },
      ],
      harnesses: ['simulated'],
      repetitions: 1,
      window: 8,
      limits: { maxSteps: 200, workingTimeMs: 7_200_000, memoryBytes: 2 * 1024 ** 3 },
      judge: {
        mode: 'per-item',
        votes: 1,
        checks: true,
        limits: { maxTurns: 25, maxImages: 10, workingTimeMs: 600_000 },
      },
      timings: { heartbeatTimeoutMs: 15_000 },
    });
    expect(value?.budgetMicroUsd).toBeUndefined();
    expect(value?.limits.maxCostMicroUsd).toBeUndefined();
  });

  it('reads durations, sizes, money and every form of a model', () => {
    const { value } = read(`sweep: demo
cohort: weekly
tasks: [tasks/b-task, ./tasks/a-*]
models:
  - gpt-5.5
  - { id: high, model: gpt-5.5, parameters: { reasoning_effort: high } }
  - { id: mine, account: lab, model: My/Model, revision: 2026-11-01 }
  - { id: strong, provider: replay, recordings: strong }
harnesses: [nanobot, minimal]
repetitions: 3
limits: { maxSteps: 300, workingTime: 90m, maxCostUsd: 0.5, memory: 512MiB, cpus: 1.5, processes: 64 }
judge: { model: gpt-5.5, checks: off, limits: { maxTurns: 5, workingTime: 30s } }
window: 2
budget: { maxCostUsd: 500 }
timings: { heartbeatTimeout: 3s, warmUp: 200ms }
`);
    expect(value?.taskFolders).toEqual([
      join(folder.path, 'tasks/b-task'),
      join(folder.path, 'tasks/a-task'),
    ]);
    expect(value?.models).toEqual([
      {
        kind: 'named',
        id: 'gpt-5.5',
        model: 'gpt-5.5',
        account: undefined,
        parameters: {},
        revision: undefined,
        line: 5,
      },
      {
        kind: 'named',
        id: 'high',
        model: 'gpt-5.5',
        account: undefined,
        parameters: { reasoning_effort: 'high' },
        revision: undefined,
        line: 6,
      },
      {
        kind: 'named',
        id: 'mine',
        model: 'My/Model',
        account: 'lab',
        parameters: {},
        revision: '2026-11-01',
        line: 7,
      },
      { kind: 'replay', id: 'strong', recordings: 'strong', line: 8 },
    ]);
    expect(value?.limits).toMatchObject({
      maxSteps: 300,
      maxModelRequests: 600,
      workingTimeMs: 5_400_000,
      maxCostMicroUsd: 500_000,
      memoryBytes: 512 * 1024 ** 2,
      cpus: 1.5,
      pids: 64,
    });
    expect(value?.judge).toMatchObject({
      checks: false,
      limits: { maxTurns: 5, workingTimeMs: 30_000 },
    });
    expect(value).toMatchObject({ cohort: 'weekly', window: 2, budgetMicroUsd: 500_000_000 });
    expect(value?.timings).toMatchObject({
      heartbeatTimeoutMs: 3_000,
      warmUpMs: 200,
      leaseMs: 300_000,
    });
  });

  it('knows a run without a time limit', () => {
    expect(
      read(`${MINIMAL}limits: { workingTime: none }\n`).value?.limits.workingTimeMs,
    ).toBeUndefined();
  });

  it('says every fault at once, with its line and what to write', () => {
    const { faults } = read(`sweep: Demo!
taskz: 3
tasks: [tasks/*]
models:
  - { id: a, provider: openai, model: x }
  - { id: r, provider: replay, recordingz: strong }
  - { id: s, provider: simulated, errorRate: 3 }
  - 5
harnesses: [nanobot, unknown]
limits: { maxSteps: 0, workingTime: 2, maxCostUsd: -5, maxCost: 3 }
judge: { model: gpt-5.5, mode: holistic, votes: 3, checks: maybe }
window: 2.5
`);
    expect(faults).toEqual([
      'sweep.yaml:1: sweep: must be 1 to 60 of a-z, 0-9, dot, dash and underscore',
      'sweep.yaml:5: models[a].provider: must be replay or simulated; for every other model give `model` and its `account`',
      'sweep.yaml:6: models[r].recordings: is missing',
      'sweep.yaml:6: models[r].recordingz: unknown field: remove it or correct its spelling',
      'sweep.yaml:7: models[s].errorRate: must be at most 1',
      'sweep.yaml:8: models[entry 4]: write a model name, or { id, model, ... }',
      `sweep.yaml:9: harnesses[unknown]: must be one of ${HARNESS_NAMES.join(', ')}`,
      'sweep.yaml:10: limits.maxSteps: must be at least 1',
      'sweep.yaml:10: limits.workingTime: write a duration like 2h, of at most 7d, or none',
      'sweep.yaml:10: limits.maxCostUsd: must be at least 0.000001: a millionth of a dollar is the smallest amount',
      'sweep.yaml:10: limits.maxCost: unknown field: remove it or correct its spelling',
      'sweep.yaml:11: judge.mode: must be per-item: this version has no other mode of judging',
      'sweep.yaml:11: judge.votes: must be 1: this version takes one vote for each item',
      'sweep.yaml:11: judge.checks: must be on or off',
      expect.stringContaining('sweep.yaml:12: window') as string,
      'sweep.yaml:2: taskz: unknown field: remove it or correct its spelling',
    ]);
  });

  it.each<[string, string, string]>([
    ['no file', '', 'is missing'],
    ['broken YAML', 'sweep: [', 'sweep.yaml:'],
    ['a key twice', `${MINIMAL}sweep: again\n`, 'is given twice: keep one of them'],
    [
      'a model id twice',
      MINIMAL.replace('models: [', 'models: [{ id: sim, provider: replay, recordings: x }, '),
      'sweep.yaml:3: models: sim is used twice; give one of them another id',
    ],
    [
      'a model name that is no id',
      MINIMAL.replace('models: [', 'models: [Org/Model, ').replace('[simulated]', '[minimal]'),
      'models: Org/Model cannot be an id (a-z, 0-9, dot, dash, underscore); add `id:`',
    ],
    [
      'a harness twice',
      MINIMAL.replace('[simulated]', '[simulated, simulated]'),
      'sweep.yaml:4: harnesses: simulated is named twice',
    ],
    [
      'the simulated harness with another model',
      MINIMAL.replace('models: [', 'models: [gpt-5.5, '),
      'harnesses: simulated works only with simulated models, not with gpt-5.5',
    ],
    [
      'a task folder that is not there',
      MINIMAL.replace('tasks/*', 'nowhere'),
      'sweep.yaml:2: tasks: there is no folder nowhere',
    ],
    [
      'a pattern that fits nothing',
      MINIMAL.replace('tasks/*', 'tasks/x*'),
      'sweep.yaml:2: tasks: no folder with a task.yaml matches tasks/x*',
    ],
  ])('refuses %s', (title, text, part) => {
    if (title === 'no file') {
      const result = readSweepFile(join(folder.path, 'absent.yaml'));
      expect('faults' in result && result.faults.map((fault) => printFault(fault))).toEqual([
        `${folder.path}/absent.yaml: is missing`,
      ]);
      return;
    }
    expect(read(text).faults.join('\n')).toContain(part);
  });

  it('names entries of lists by what they are known by, or by their number from 1', () => {
    const { faults } = read(
      MINIMAL.replace(
        '[{ id: sim, provider: simulated }]',
        '[{ model: gpt-5.5, acount: x }, { provider: other }, 7, { id: "two\\nlines", model: "" }]',
      ),
    );
    expect(faults).toEqual([
      'sweep.yaml:3: models[gpt-5.5].acount: unknown field: remove it or correct its spelling',
      expect.stringContaining('sweep.yaml:3: models[entry 2].provider: must be') as string,
      expect.stringContaining('sweep.yaml:3: models[entry 3]: write a model name') as string,
      expect.stringContaining('sweep.yaml:3: models[entry 4].id: must be 1 to 60') as string,
      'sweep.yaml:3: models[entry 4].model: must not be empty',
    ]);
  });

  it.each([
    ['{ workingTime: 5h }', 'workingTime: 3 sessions of 300 minutes are more than the 4 hours'],
    ['{ maxSessions: 20, workingTime: 13m }', 'workingTime: 20 sessions of 13 minutes are more'],
    ['{ maxSessions: 20, workingTime: 12m }', ''],
  ])('holds the judging of an item to what its activity may take: %s', (limits, message) => {
    const judge = 'judge: { model: { id: judge, provider: simulated }, limits: ';
    const { faults } = read(`${MINIMAL.split('judge:')[0]!}${judge}${limits} }\n`);
    expect(faults.join('\n')).toContain(message);
    expect(faults).toHaveLength(message === '' ? 0 : 1);
  });

  it('does not pass over a folder that looks like a task but lacks its task.yaml', () => {
    folder.write('tasks/c-task/rubric.yaml', '[]');
    expect(read(MINIMAL).value?.taskFolders).toContain(join(folder.path, 'tasks/c-task'));
  });
});

describe('a sweep file taken as a pattern', () => {
  const instead = (path: string) => ({
    sweep: 'try-a',
    cohort: 'try-a',
    tasks: [join(path, 'tasks/a-task')],
    repetitions: 1,
  });

  it('gives what it says, with the fields that are wanted otherwise', () => {
    folder.write(
      'sweep.yaml',
      `${MINIMAL.replace('tasks: [tasks/*]', 'tasks: [../gone/*]')}repetitions: 4\nwindow: 3\n`,
    );
    const file = join(folder.path, 'sweep.yaml');
    expect(readSweepFile(file, instead(folder.path))).toMatchObject({
      value: {
        file,
        sweep: 'try-a',
        cohort: 'try-a',
        taskFolders: [join(folder.path, 'tasks/a-task')],
        repetitions: 1,
        window: 3,
      },
    });
  });

  it('names its own lines in faults', () => {
    folder.write('sweep.yaml', `# mine\n\n${MINIMAL}windows: 3\n`);
    const file = join(folder.path, 'sweep.yaml');
    const result = readSweepFile(file, instead(folder.path));
    expect('faults' in result && result.faults.map(printFault)).toEqual([
      `${file}:8: windows: unknown field: remove it or correct its spelling`,
    ]);
  });
});
