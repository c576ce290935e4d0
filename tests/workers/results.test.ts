import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson, storeKeys } from '../../core/ids';
import { type SweepPlan } from '../../core/sweep';
import { SweepService } from '../../activities/sweep-activities';
import { findRun } from '../../workers/find-run';
import { makeReport, makeReportFromTidy, reportFromTidy } from '../../workers/make-report';
import { listRuns } from '../../workers/run-list';
import { StoredSweep } from '../support/stored-sweep';

let sweep: StoredSweep;
let plan: SweepPlan;
let planKey: string;
beforeEach(async () => {
  sweep = new StoredSweep();
  ({ plan, planKey } = await sweep.build());
});
afterEach(() => sweep.remove());

/** one/r1 scored, one/r2 incomplete, two/r1 failed, two/r2 not begun. */
async function mixedResults(): Promise<void> {
  await sweep.score(plan, sweep.run(plan, 'one', 1), ['met', 'unmet', 'met'], {
    judgeCostMicroUsd: 50,
  });
  const open = sweep.run(plan, 'one', 2);
  const result = await sweep.deliver(open);
  const items = await sweep.judge(plan, open, result, ['met', 'unjudged', 'unmet']);
  await sweep.store.putRecord(
    storeKeys.unjudgedRound(items[1]!.verdictKey, 1),
    canonicalJson({ v: 1, reason: 'three answers were no verdict', costMicroUsd: 0 }),
  );
  await sweep.attempt(sweep.run(plan, 'two', 1), {
    outcome: 'lost',
    failure: { type: 'SandboxLost', message: 'the container is gone' },
  });
}
const report = () =>
  makeReport(sweep.source(plan), {
    folder: join(sweep.folder.path, 'report'),
    now: () => new Date(0),
  });
const rerun = (taskIndex: number) =>
  new SweepService({ store: sweep.store }).requestRerun({
    planKey,
    laneId: 'sim@simulated',
    taskIndex,
    repetition: 1,
    who: 'ann',
    reason: 'odd',
    force: true,
  });

describe('makeReport', () => {
  it('tells scored, incomplete, failed and missing runs apart; only scored ones make the mean', async () => {
    await mixedResults();
    const made = await report();
    expect(made.report.coverage).toEqual({
      planned: 4,
      scored: 1,
      incomplete: 1,
      failed: 1,
      missing: 1,
    });
    const [lane] = made.report.lanes;
    // 5 + 0.5 of 8.5
    expect(lane?.meanScore).toBeCloseTo((100 * 5.5) / 8.5, 12);
    expect(lane).toMatchObject({
      provider: 'simulated',
      successRate: 0,
      cost: { judgeMicroUsd: 50, totalMicroUsd: 50 },
    });
    expect(made.report.notes.join(' ')).toContain(
      'Simulated, not results of a model: sim@simulated.',
    );
  });

  it('writes Markdown, JSON and a row per planned run and item, replacing an earlier report', async () => {
    await report();
    await mixedResults();
    const { folder, report: data } = await report();
    expect(readdirSync(folder).sort()).toEqual(['report.csv', 'report.json', 'report.md']);
    expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(data)),
    );
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain('sim@simulated (simulated)');
    const rows = readFileSync(join(folder, 'report.csv'), 'utf8').trim().split('\r\n').slice(1);
    expect(rows).toHaveLength(4 * 3);
    expect(rows[0]).toBe(
      'sample,sim,simulated,one,finance,1,scored,total,5,core,calculation-precision,1,completed,markdown,markdown,simulated,check,simulated',
    );
    // An incomplete run shows the verdicts it has; a run that never began has its items without verdicts.
    expect(
      rows
        .filter((row) => row.includes(',one,finance,2,incomplete,'))
        .map((row) => row.split(',')[11]),
    ).toEqual(['1', '', '0']);
    expect(rows.at(-1)).toBe(
      'sample,sim,simulated,two,legal,2,missing,short,0.5,,output-presentation,,,markdown,,simulated,,simulated',
    );
  });

  it('gives the same tables from the CSV that it wrote', async () => {
    await mixedResults();
    const made = await report();
    const again = await reportFromTidy(join(made.folder, 'report.csv'), { now: () => new Date(0) });
    const { cost: _cost, redone: _redone, ...lane } = made.report.lanes[0]!;
    const { judgeProvider, ...read } = again.lanes[0]!;
    expect(read).toEqual(lane);
    expect(read.weightDecidedByChecks).toBeCloseTo((100 * 5) / 8.5, 12);
    expect(judgeProvider).toBe('simulated');
    expect(again.coverage).toEqual(made.report.coverage);
    expect(again.notes).toEqual(made.report.notes);
    expect(again.notes).toContain('The verdicts of the judge are simulated.');
  });

  it('writes what it made from a CSV to a folder too, over the CSV itself as well', async () => {
    await mixedResults();
    const { folder } = await report();
    const file = join(folder, 'report.csv');
    const table = readFileSync(file, 'utf8');
    for (const out of [join(sweep.folder.path, 'again'), folder]) {
      const made = await makeReportFromTidy(file, { folder: out, now: () => new Date(0) });
      expect(readdirSync(out).sort()).toEqual(['report.csv', 'report.json', 'report.md']);
      expect(readFileSync(join(out, 'report.csv'), 'utf8')).toBe(table);
      expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))).toEqual(
        JSON.parse(JSON.stringify(made.report)),
      );
    }
    await expect(
      makeReportFromTidy(join(folder, 'none.csv'), { folder: join(folder, 'x') }),
    ).rejects.toThrow(/none\.csv/u);
    expect(readdirSync(folder)).not.toContain('x');
  });

  it.each([
    [
      'missing columns',
      'sweep,model\r\na,b\r\n',
      /report\.csv:1: lacks the columns harness, task/u,
    ],
    ['no rows', 'header', /has no rows/u],
    ['a broken row', 'broken', /report\.csv/u],
  ])('refuses a CSV with %s', async (kind, text, message) => {
    const made = await report();
    const file = join(made.folder, 'report.csv');
    const [header] = readFileSync(file, 'utf8').split('\r\n');
    writeFileSync(
      file,
      kind === 'no rows'
        ? `${header!}\r\n`
        : kind === 'a broken row'
          ? `${header!}\r\na,"b\r\n`
          : text,
    );
    await expect(reportFromTidy(file, {})).rejects.toThrow(message);
  });

  it('counts the newest scored generation and says what was done again', async () => {
    await sweep.score(plan, sweep.run(plan, 'one', 1), ['unmet', 'unmet', 'unmet'], {
      judgeCostMicroUsd: 3,
    });
    await rerun(0);
    // Until the new generation has a score, the old one counts.
    expect((await report()).report.lanes[0]).toMatchObject({ meanScore: 0 });
    await sweep.score(plan, sweep.run(plan, 'one', 1), [], { generation: 2, judgeCostMicroUsd: 4 });
    const [lane] = (await report()).report.lanes;
    expect(lane).toMatchObject({ meanScore: 100, redone: { runs: 1, meanScoreOfFirst: 0 } });
    expect(lane?.cost?.judgeMicroUsd).toBe(7);
  });
});

describe('listRuns', () => {
  it('says in a line why each run is where it is', async () => {
    await mixedResults();
    const lines = await listRuns(sweep.source(plan), {});
    expect(lines.map(({ runId, state, why }) => [runId, state, why])).toEqual([
      ['sim@simulated/one/r1', 'scored', '1 of 3 items unmet: reason'],
      ['sim@simulated/two/r1', 'failed', 'attempt 1 lost: SandboxLost: the container is gone'],
      [
        'sim@simulated/one/r2',
        'incomplete',
        '1 of 3 items unjudged: reason (three answers were no verdict)',
      ],
      ['sim@simulated/two/r2', 'missing', 'not begun'],
    ]);
  });

  it('says that nothing was delivered, and not that every item is unmet', async () => {
    await sweep.score(plan, sweep.run(plan, 'one', 1), ['unmet', 'unmet', 'unmet'], {
      deliveredPaths: [],
    });
    const [line] = await listRuns(sweep.source(plan), { outcomes: ['scored'] });
    expect(line?.why).toBe('nothing was delivered in results/');
  });

  it.each<[Parameters<typeof listRuns>[1], string[]]>([
    [{ outcomes: ['failed', 'missing'] }, ['two/r1', 'two/r2']],
    [{ outcomes: ['no-success'] }, ['one/r1']],
    [{ outcomes: ['completed'] }, ['one/r1', 'one/r2']],
    [{ tasks: ['one'], outcomes: ['incomplete'] }, ['one/r2']],
    [{ lanes: ['*@simulated'], outcomes: ['timeout'] }, []],
    [{ tasks: ['t*'] }, ['two/r1', 'two/r2']],
  ])('filters by %j', async (filter, expected) => {
    await mixedResults();
    const lines = await listRuns(sweep.source(plan), filter);
    expect(lines.map(({ runId }) => runId.replace('sim@simulated/', ''))).toEqual(expected);
  });
});

describe('findRun', () => {
  it('takes every run that README, guides and demo name', () => {
    const root = join(__dirname, '../..');
    const models = [
      ...readFileSync(join(root, 'sweeps/demo.yaml'), 'utf8').matchAll(/id: (replay-\w+),/gu),
    ].map(([, model]) => `${model ?? ''}@nanobot`);
    const texts = [
      'README.md',
      'scripts/demo',
      'docs/guides/read-a-run.md',
      'docs/guides/read-a-report.md',
    ];
    const named = texts.flatMap((path) =>
      [
        ...readFileSync(join(root, path), 'utf8').matchAll(/run (?:show|files) demo ([^\s`]+)/gu),
      ].map(([, run = '']) => run),
    );
    expect(named.length).toBeGreaterThan(5);
    for (const run of named) {
      const [lane = '', task = '', repetition] = run.split('/');
      expect(models).toContain(lane);
      expect(existsSync(join(root, 'tasks', task, 'task.yaml'))).toBe(true);
      expect(repetition).toMatch(/^r[12]$/u);
    }
  });

  it('takes a whole id, or last parts that no other run has', () => {
    expect(findRun(plan, 'sim@simulated/one/r2').repetition).toBe(2);
    expect(findRun(plan, 'two/r1').task.id).toBe('two');
    expect(() => findRun(plan, 'r1')).toThrow(/fits 2 runs/u);
    expect(() => findRun(plan, 'three/r1')).toThrow(/plans no run/u);
  });
});
