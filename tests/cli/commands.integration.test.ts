import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'startupbench-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function startupbench(...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync(join(ROOT, 'startupbench'), parameters, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], STARTUPBENCH_DATA: join(folder, 'data') },
  });
  return { status, stdout, stderr };
}

function sweepFile(text: string): string {
  const file = join(folder, 'sweep.yaml');
  writeFileSync(file, text);
  return file;
}

const SIMULATED = `sweep: tiny
tasks: ['${ROOT}/tasks/*']
models: [{ id: sim, provider: simulated }]
harnesses: [simulated]
judge: { model: { id: judge, provider: simulated }, checks: off }
`;

describe('startupbench', () => {
  it('ends with code 2 for commands and options that it does not have', () => {
    const mistyped = startupbench('nonsense');
    expect(mistyped.status).toBe(2);
    expect(mistyped.stderr.trim().split('\n')).toHaveLength(2);
    expect(startupbench('--version')).toMatchObject({ status: 0, stdout: '0.1.0\n' });
    expect(startupbench('sweep', 'plan').status).toBe(2);
    expect(startupbench('up', '--sandboxes', '0')).toMatchObject({ status: 2 });
    expect(startupbench('--help').status).toBe(0);
  });

  it.each([
    [['report', 's', '--json', '--csv'], '--json and --csv: give only one of them'],
    [
      ['run', 'show', 's', 'r', '--attempt', '1'],
      '--attempt says something only with --transcript',
    ],
    [
      ['run', 'show', 's', 'r', '--transcript', '--unmet'],
      '--transcript and --unmet: give only one',
    ],
  ])('refuses flags of which one would be ignored: %j', (parameters, message) => {
    const { status, stderr } = startupbench(...parameters);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  it('refuses a bad sweep file with every fault and its line, and starts nothing', () => {
    const file = sweepFile(
      SIMULATED.replace('harnesses: [simulated]', 'harnesses: [unheard-of]\nwindow: 0'),
    );
    const { status, stderr } = startupbench('sweep', 'run', file, '--yes');
    expect(status).toBe(2);
    expect(stderr).toContain(`${file}:4`);
    expect(stderr).toContain(`${file}:5`);
  });

  it('names the own sweep file and its line where a task is tried with one that has faults', () => {
    const file = sweepFile(`# mine\n${SIMULATED}windows: 3\n`);
    const task = join(ROOT, 'tasks/contract-memo');
    const { status, stderr } = startupbench('task', 'try', task, '--sweep', file);
    expect([status, stderr]).toEqual([
      2,
      `startupbench: ${file}:7: windows: unknown field: remove it or correct its spelling\n`,
    ]);
    const missing = startupbench('task', 'try', task, '--sweep', join(folder, 'none.yaml'));
    expect([missing.status, missing.stderr]).toEqual([
      2,
      `startupbench: --sweep ${join(folder, 'none.yaml')}: there is no such file\n`,
    ]);
  });

  it('counts one file as one', () => {
    const { status, stdout } = startupbench('task', 'lint', join(ROOT, 'tasks/contract-memo'));
    expect(status).toBe(0);
    expect(stdout).toContain('; 3 workspace files, 1 reference file\n');
  });

  it('plans without writing anything', () => {
    const { status, stdout } = startupbench(
      'sweep',
      'plan',
      sweepFile(SIMULATED),
      '--json',
      '--limit',
      '2',
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ sweep: 'tiny', lanes: ['sim@simulated'], counts: { planned: 2, reused: 0, toRun: 2 } },
    });
    expect(existsSync(join(folder, 'data', 'store'))).toBe(false);
  });

  it('says in one sentence what to do when no Temporal server was started', () => {
    const { status, stderr } = startupbench('sweep', 'run', sweepFile(SIMULATED), '--yes');
    expect(status).toBe(1);
    expect(stderr).toContain('startupbench up, or set TEMPORAL_ADDRESS to one that runs');
    expect(stderr).not.toContain('    at ');
  });

  it('does not spend money without a budget or the word of the user', () => {
    const paid = SIMULATED.replace('{ id: judge, provider: simulated }', 'gpt-5.5');
    const account = 'openai: { protocol: openai, baseUrl: "https://api.openai.com/v1" }';
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
    writeFileSync(join(folder, 'data', 'providers.yaml'), `accounts:\n  ${account}\n`, {
      mode: 0o600,
    });
    const { status, stderr } = startupbench('sweep', 'run', sweepFile(paid), '--yes');
    expect(status).toBe(2);
    expect(stderr).toContain('--no-budget');
    const planned = startupbench('sweep', 'plan', sweepFile(paid));
    expect(planned.status).toBe(2);
    expect(planned.stdout).toContain('paid models: gpt-5.5');
    expect(planned.stderr).toContain('sweep run will refuse this: gpt-5.5 costs money');
    expect(startupbench('sweep', 'plan', sweepFile(paid), '--no-budget').status).toBe(0);
  });

  it('starts nothing with accounts that cannot work', () => {
    const paid = sweepFile(SIMULATED.replace('{ id: judge, provider: simulated }', 'gpt-5.5'));
    const { status, stderr } = startupbench('sweep', 'run', paid, '--yes', '--no-budget');
    expect(status).toBe(2);
    expect(stderr).toContain('providers.yaml: is missing');
  });

  it('names the argument that is wrong', () => {
    const { status, stderr } = startupbench('sweep', 'budget', 'demo', 'abc');
    expect(status).toBe(2);
    expect(stderr).toContain("'abc' is invalid for argument 'usd'");
  });

  it('takes no path for a name', () => {
    for (const name of ['../evil', '..', 'A', ''])
      for (const command of [
        ['task', 'try', join(ROOT, 'tasks/contract-memo'), '--name', name],
        ['sweep', 'plan', sweepFile(SIMULATED), '--cohort', name],
      ]) {
        const { status, stderr } = startupbench(...command);
        expect({ name, status }).toEqual({ name, status: 2 });
        expect(stderr).toContain('give 1 to 60 of a-z, 0-9, dot, dash and underscore');
      }
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('says of a task folder that is not there just that', () => {
    const absent = join(folder, 'absent');
    for (const command of [
      ['task', 'lint', absent],
      ['task', 'try', absent],
      ['judge', 'try', absent, folder],
    ])
      expect(startupbench(...command)).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(
          /^startupbench: [^\n]+absent: there is no such folder[^\n]*\n$/u,
        ) as string,
      });
  });

  it('names the sweeps there are when one is asked for that is not', () => {
    const { status, stderr } = startupbench('sweep', 'status', 'absent');
    expect(status).toBe(2);
    expect(stderr).toContain('no sweep absent');
  });
});
