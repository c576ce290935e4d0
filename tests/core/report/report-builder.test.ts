import { type ReportRun } from '../../../core/report/report-run';
import { ReportBuilder } from '../../../core/report/report-builder';
import { reportMarkdown } from '../../../core/report/markdown';
import { reportTables } from '../../../core/report/tables';
import { reportItem, reportRun } from '../../support/report-runs';

function build(runs: readonly ReportRun[], planned = runs.length, repetitions = 1) {
  const builder = new ReportBuilder();
  for (const run of runs) builder.add(run);
  return builder.build({
    sweep: 's',
    generatedAt: '2026-01-01T00:00:00.000Z',
    judge: { model: 'j', provider: 'openai', mode: 'per-item', checks: true },
    planned,
    repetitions,
  });
}
const allMet = [reportItem('check-a', 5, true), reportItem('b', 5, true)];

describe('ReportBuilder', () => {
  it('refuses to report on other runs than were planned', () => {
    expect(() => build([reportRun()], 2)).toThrow(/2 runs are planned, 1 were found/u);
  });

  it('keeps unscored runs out of the means, shows them in the coverage, and counts them as failures of the plan', () => {
    const report = build([
      reportRun({ items: allMet }),
      reportRun({ repetition: 2, state: 'failed', cost: undefined }),
      reportRun({
        repetition: 3,
        state: 'incomplete',
        items: [reportItem('check-a', 5, false), reportItem('b', 5, undefined)],
      }),
      reportRun({ repetition: 4, state: 'missing' }),
    ]);
    const [lane] = report.lanes;
    expect(report.coverage).toEqual({
      planned: 4,
      scored: 1,
      incomplete: 1,
      failed: 1,
      missing: 1,
    });
    expect(lane).toMatchObject({ meanScore: 100, successRate: 100, successRateOfPlanned: 25 });
    expect(report.notes).toEqual([
      'Not complete: 1 of 4 runs are scored (1 incomplete, 1 failed, 1 missing).',
    ]);
    // A verdict of an incomplete run is no part of the tables by level.
    expect(lane?.byLevel['core']).toEqual({ weighted: 100, items: 100, itemCount: 2 });
  });

  it('has no mean and no rate without a scored run, rather than 0', () => {
    const [lane] = build([reportRun({ state: 'missing' })]).lanes;
    expect(lane).not.toHaveProperty('meanScore');
    expect(lane).not.toHaveProperty('successRate');
    expect(lane?.successRateOfPlanned).toBe(0);
    const text = reportTables(build([reportRun({ state: 'missing' })]))[0]?.rows[0];
    expect(text).toEqual(['m@h', '0/1', '-', '-', '0.0']);
  });

  it('has each task with every repetition, and says that a domain of one task says little', () => {
    const report = build(
      [
        reportRun({ items: allMet }),
        reportRun({ repetition: 2, state: 'failed', cost: undefined }),
      ],
      2,
      2,
    );
    const [task] = Object.values(report.lanes[0]?.byTask ?? {});
    expect(task).toEqual({ meanScore: 100, scores: [100, null] });
    const tables = reportTables(report);
    expect(tables[1]).toMatchObject({ title: 'Mean score by task', columns: ['Task', 'm@h'] });
    expect(tables[1]?.rows[0]?.[1]).toBe('100.00 (100.00, -)');
    expect(tables.slice(2, 4).map(({ rows }) => rows[0]?.[1])).toEqual(['100.00', '100.00']);
    expect(tables[0]?.rows[0]?.slice(2)).toEqual(['100.00', '100.00', '50.0']);
    expect(JSON.stringify(report.lanes)).not.toMatch(/Interval|Method/u);
    expect(tables[2]?.note).toContain('A domain with one task says little and has no interval');
    expect(reportMarkdown(report)).toContain('In parentheses: the score of each repetition.');
  });

  it('adds up money by who spent it; one unknown makes the sum unknown', () => {
    const cost = { agentMicroUsd: 1, judgeMicroUsd: 2, failedAttemptsMicroUsd: 4, atLeast: false };
    const known = build([
      reportRun({ cost }),
      reportRun({ task: 'u', cost: { ...cost, atLeast: true } }),
    ]).lanes[0];
    expect(known?.cost).toEqual({
      agentMicroUsd: 2,
      judgeMicroUsd: 4,
      failedAttemptsMicroUsd: 8,
      totalMicroUsd: 14,
      atLeast: true,
    });
    const unknown = build([
      reportRun({ cost }),
      reportRun({ task: 'u', cost: { ...cost, agentMicroUsd: undefined } }),
    ]);
    expect(unknown.lanes[0]?.cost).toMatchObject({
      agentMicroUsd: undefined,
      judgeMicroUsd: 4,
      totalMicroUsd: undefined,
    });
    expect(reportTables(unknown).find((table) => table.title === 'Cost')?.rows[0]).toEqual([
      'm@h',
      'unknown',
      '$0.0000',
      '$0.0000',
      'unknown',
    ]);
  });

  it('says how many runs were done again after they had a score, and how that moved the mean', () => {
    const report = build([
      reportRun({ items: allMet, replacedScore: 20 }),
      reportRun({ task: 'u', items: allMet }),
    ]);
    expect(report.lanes[0]?.redone).toEqual({ runs: 1, meanScoreOfFirst: 60 });
    const cell = reportTables(report).find((table) => table.title === 'Runs in detail')
      ?.rows[0]?.[6];
    expect(cell).toBe('1 (mean +40.00)');
  });

  it('marks replayed and simulated lanes and judges wherever they appear', () => {
    const builder = new ReportBuilder();
    builder.add(reportRun({ model: 'strong', provider: 'replay' }));
    builder.add(reportRun({ model: 'sim', provider: 'simulated' }));
    builder.add(reportRun({ model: 'real' }));
    const report = builder.build({
      sweep: 's',
      generatedAt: '',
      judge: { model: 'j', provider: 'replay', mode: 'per-item', checks: true },
      planned: 3,
      repetitions: 1,
    });
    expect(report.notes).toEqual([
      'Replayed recordings, not results of a model: strong@h.',
      'Simulated, not results of a model: sim@h.',
      'The verdicts of the judge are replayed recordings.',
    ]);
    for (const { columns, rows } of reportTables(report))
      for (const [first] of rows) {
        if (columns[0] !== 'Lane' && columns[0] !== 'Lanes') continue;
        if (first!.includes('strong@h')) expect(first).toContain('strong@h (replayed)');
        if (first!.includes('sim@h')) expect(first).toContain('sim@h (simulated)');
        expect(first).not.toMatch(/real@h \(/u);
      }
  });

  it('shows what its source does not say as unknown, never as zero, and says what is not stated', () => {
    const builder = new ReportBuilder();
    const { cost: _cost, ...run } = reportRun({
      provider: undefined,
      items: [{ ...reportItem('a', 5, true), decidedByCheck: undefined }],
      replacedScore: undefined,
    });
    builder.add({ ...run, cost: undefined });
    const report = builder.build({
      ...{ sweep: 's', generatedAt: '', judge: undefined, planned: 1, repetitions: 1 },
    });
    expect(report.lanes[0]).not.toHaveProperty('weightDecidedByChecks');
    expect(report.lanes[0]).not.toHaveProperty('redone');
    const detail = reportTables(report).find((table) => table.title === 'Runs in detail');
    expect(detail?.rows[0]?.slice(5, 7)).toEqual(['-', '-']);
    expect(report.notes).toEqual([
      'Not stated whether a model gave these results (column provider): m@h.',
      'Not stated whose verdicts these are (column judge_provider): m@h.',
    ]);
  });

  it('names the lanes whose verdicts are replayed where others are not', () => {
    const builder = new ReportBuilder();
    builder.add(reportRun({ model: 'a', judgeProvider: 'replay' }));
    builder.add(reportRun({ model: 'b', judgeProvider: 'openai' }));
    const report = builder.build({
      ...{ sweep: 's', generatedAt: '', judge: undefined, planned: 2, repetitions: 1 },
    });
    expect(report.notes).toEqual(['The verdicts of the judge on a@h are replayed recordings.']);
  });

  it('reports by domain, dimension, format, check share and repetition', () => {
    const report = build(
      [
        reportRun({ items: allMet }),
        reportRun({ repetition: 2 }),
        reportRun({
          task: 'u',
          domain: 'legal',
          items: allMet,
          deliveredFormats: ['docx'],
          stopReason: 'step_cap',
        }),
        reportRun({ task: 'u', domain: 'legal', repetition: 2, items: allMet }),
      ],
      4,
      2,
    );
    const [lane] = report.lanes;
    expect(lane?.byDomain['stem']).toMatchObject({ tasks: 1, meanScore: 75, successRate: 50 });
    expect(lane?.byDomain['legal']).toMatchObject({ tasks: 1, meanScore: 100 });
    expect(Object.keys(lane!.byDomain)).toEqual(['legal', 'stem']);
    expect(lane?.byDimension['calculation-precision']).toMatchObject({
      weighted: 87.5,
      itemCount: 8,
    });
    expect(lane?.weightDecidedByChecks).toBe(50);
    expect(lane?.formatCompliance).toEqual({ runs: 4, compliant: 3, rate: 75 });
    expect(lane?.repeated).toMatchObject({ k: 2, tasks: 2, allK: 50, bestOfK: 100 });
    expect(lane?.stopReasons).toEqual({ completed: 3, step_cap: 1 });
  });

  it('compares lanes pairwise and shows the spread of a model over harnesses', () => {
    const report = build([
      reportRun({ items: allMet }),
      reportRun({ harness: 'other' }),
      reportRun({ model: 'n' }),
    ]);
    expect(
      report.comparisons.map(({ left, right, difference }) => [left, right, difference]),
    ).toEqual([
      ['m@h', 'm@other', 50],
      ['m@h', 'n@h', 50],
      ['m@other', 'n@h', 0],
    ]);
    expect(report.harnessSpread).toEqual([
      { model: 'm', meanScoreByHarness: { h: 100, other: 50 }, spread: 50 },
    ]);
  });

  it('gives the same report for the same runs and seed, whatever order they come in', () => {
    const runs = Array.from({ length: 40 }, (_, index) =>
      reportRun({
        task: `t${index}`,
        items: index % 3 === 0 ? allMet : [reportItem('a', 5, index % 2 === 0)],
      }),
    );
    const first = build(runs);
    const second = build([...runs].reverse());
    expect(second).toEqual(first);
    expect(first.method).toMatchObject({ seed: 1, resamples: 10_000, confidenceLevel: 0.95 });
  });
});
