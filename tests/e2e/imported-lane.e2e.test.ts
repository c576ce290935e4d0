import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Report } from '../../core/report/report';
import { type RunDetails } from '../../workers/run-details';
import { type ListedRun } from '../../workers/run-list';
import { type SweepStatus } from '../../workers/sweep-progress';
import { RealStack } from '../support/real-stack';

jest.setTimeout(900_000);

const PROJECT = resolve(__dirname, '../..');
const TASKS = ['clinic-report-zh', 'contract-memo', 'inventory-summary', 'loyalty-levels'];
const MARK = 'acme@imported (imported)';

let stack: RealStack;
let submission: string;
let sweep: string;

beforeAll(async () => {
  stack = await RealStack.start();
  submission = join(stack.folder, 'acme');
  for (const task of TASKS) {
    await mkdir(join(submission, task), { recursive: true });
    await cp(join(PROJECT, 'tasks', task, 'reference'), join(submission, task, 'r1'), {
      recursive: true,
    });
  }
  await writeFile(
    join(submission, 'system.yaml'),
    'product: Acme Office 3\ndate: 2026-11-20\noperator: The lab\n',
  );
  sweep = join(stack.folder, 'imported.yaml');
  await writeFile(
    sweep,
    `sweep: imported\ntasks: ['${PROJECT}/tasks/*']\nsubmissions: [acme]\n` +
      'judge: { model: { id: judge, provider: replay, recordings: judge } }\n',
  );
});
afterAll(() => stack.stop());

async function out(...command: string[]): Promise<string> {
  const { code, stdout, stderr } = await stack.run(...command);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}

async function json<T>(...command: string[]): Promise<T> {
  return JSON.parse(await out(...command, '--json')) as T;
}

describe('an imported lane', () => {
  it('takes deliverables into the store once', async () => {
    expect(await out('submission', 'import', submission)).toContain('4 runs of 4 tasks');
    expect(await out('submission', 'import', submission)).toContain('the store had it already');
    expect(await out('sweep', 'plan', sweep)).toContain(
      'to judge only 4 (89 of 89 items have no verdict), to run 0',
    );
  });

  it('is judged like any other: references get exactly 100, no agent and no attempt', async () => {
    await out('sweep', 'run', sweep, '--yes');
    const runs = await json<ListedRun[]>('run', 'list', 'imported');
    expect(runs.map(({ runId, score, success }) => [runId, score, success])).toEqual(
      TASKS.map((task) => [`acme@imported/${task}/r1`, 100, true]),
    );
    expect(await stack.openAttempts()).toEqual([]);
    const run = await json<RunDetails>('run', 'show', 'imported', 'contract-memo/r1');
    expect(run).toMatchObject({
      provider: 'imported',
      submission: { id: 'acme', product: 'Acme Office 3', date: '2026-11-20', operator: 'The lab' },
      attempts: [],
      result: { stopReason: 'imported' },
    });
    expect(
      run.items.some(({ source, citations }) => source === 'judge' && citations.length > 0),
    ).toBe(true);
  });

  it('is marked wherever it is shown', async () => {
    expect(await out('sweep', 'plan', sweep)).toContain(`${MARK}: Acme Office 3`);
    expect(await out('sweep', 'list')).toContain('imported (imported)');
    expect(await out('sweep', 'status', 'imported')).toContain(MARK);
    expect(await out('run', 'list', 'imported')).toContain(
      'acme@imported/contract-memo/r1 (imported)',
    );
    expect(await out('run', 'show', 'imported', 'contract-memo/r1')).toMatch(
      /\(imported\)\nimported {4}submission acme: Acme Office 3, 2026-11-20, run by The lab\n/u,
    );
    expect(await out('report', 'imported')).toContain(MARK);
    expect(await out('report', 'imported', '--markdown')).toContain(MARK);
    const status = await json<SweepStatus>('sweep', 'status', 'imported');
    expect(status).toMatchObject({ state: 'done', lanes: [{ provider: 'imported', scored: 4 }] });
    const report = await json<Report>('report', 'imported');
    expect(report.lanes).toMatchObject([
      { provider: 'imported', meanScore: 100, submission: { product: 'Acme Office 3' } },
    ]);
    expect(report.notes.join()).toContain('Imported, made outside this system: acme@imported');
    const [, ...rows] = await stack.tidyRows('imported');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter((row) => !/,imported,(?:check|judge),\w+\r?$/u.test(row))).toEqual([]);
  });

  it('has nothing to do the second time', async () => {
    const before = await stack.calls();
    const { code, stderr } = await stack.run('sweep', 'run', sweep, '--yes');
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('nothing to do') as string,
    });
    expect(await stack.calls()).toEqual(before);
  });

  it('refuses changed content and a sweep that asks for more than was delivered', async () => {
    await writeFile(join(submission, 'contract-memo', 'r1', 'extra.txt'), 'x');
    const changed = await stack.run('submission', 'import', submission);
    expect(changed).toMatchObject({ code: 2 });
    expect(changed.stderr).toContain('differs in contract-memo/r1');
    const more = join(stack.folder, 'more.yaml');
    await writeFile(
      more,
      `sweep: more\ntasks: ['${PROJECT}/tasks/*']\nsubmissions: [acme]\nrepetitions: 2\n` +
        'judge: { model: { id: judge, provider: replay, recordings: judge } }\n',
    );
    const refused = await stack.run('sweep', 'run', more, '--yes');
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('acme lacks');
  });
});
