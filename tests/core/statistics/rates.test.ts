import { coverageOf, isComplete } from '../../../core/statistics/coverage';
import { formatCompliance } from '../../../core/statistics/format-compliance';
import { meanOfTaskMeans } from '../../../core/statistics/mean-of-task-means';
import { pooledSuccess } from '../../../core/statistics/pooled-success';
import { repeatedSuccess } from '../../../core/statistics/repeated-success';
import { type ScoredRun, sumByTask } from '../../../core/statistics/task-sums';
import { WeightedShares } from '../../../core/statistics/weighted-share';

const run = (taskId: string, score: number): ScoredRun => ({ taskId, score, success: score >= 90 });

describe('means and rates', () => {
  it('means tasks first: a task with more scored runs does not count more', () => {
    const sums = sumByTask([run('a', 100), run('a', 50), run('b', 0)]);
    expect(meanOfTaskMeans(sums)).toBe(37.5);
    expect(pooledSuccess(sums)).toBeCloseTo(100 / 3, 12);
  });

  it('equals the mean over runs at full coverage', () => {
    const scores = [93, 12, 50, 88, 91, 90];
    const runs = scores.map((score, index) => run(`t${index % 3}`, score));
    expect(meanOfTaskMeans(sumByTask(runs))).toBeCloseTo(scores.reduce((a, b) => a + b) / 6, 12);
  });

  it('has no value without a scored run, rather than 0', () => {
    expect(meanOfTaskMeans(sumByTask([]))).toBeUndefined();
    expect(pooledSuccess(sumByTask([]))).toBeUndefined();
    expect(repeatedSuccess(sumByTask([]), 3)).toBeUndefined();
  });
});

describe('repeatedSuccess', () => {
  it('counts tasks whose k runs all succeed, and tasks with at least one, among those with k scored runs', () => {
    const sums = sumByTask([
      ...[95, 95].map((score) => run('both', score)),
      ...[95, 10].map((score) => run('one', score)),
      ...[10, 10].map((score) => run('none', score)),
      run('incomplete', 95),
    ]);
    const found = repeatedSuccess(sums, 2);
    expect(found).toMatchObject({ k: 2, tasks: 3 });
    expect(found?.allK).toBeCloseTo(100 / 3, 12);
    expect(found?.bestOfK).toBeCloseTo(200 / 3, 12);
    expect(found?.allKInterval?.method).toBe('wilson');
    expect(repeatedSuccess(sumByTask([run('a', 95), run('a', 10)]), 2)).toEqual({
      ...{ k: 2, tasks: 1, allK: 0, bestOfK: 100 },
    });
  });
});

describe('coverageOf', () => {
  it('counts states', () => {
    const coverage = coverageOf(5, ['scored', 'failed', 'missing', 'incomplete', 'scored']);
    expect(coverage).toEqual({ planned: 5, scored: 2, incomplete: 1, failed: 1, missing: 1 });
    expect(isComplete(coverage)).toBe(false);
    expect(isComplete(coverageOf(1, ['scored']))).toBe(true);
  });

  it('refuses counts that are not the plan', () => {
    expect(() => coverageOf(3, ['scored', 'failed'])).toThrow(/3 runs are planned, 2 were found/u);
    expect(() => coverageOf(1, ['scored', 'scored'])).toThrow(/1 runs are planned, 2 were found/u);
  });
});

describe('WeightedShares', () => {
  it('adds weights and counts by group, in the given order', () => {
    const shares = new WeightedShares();
    shares.add('b', 5, true);
    shares.add('b', 1, false);
    shares.add('z', 1, true);
    shares.add('a', 2, false);
    expect(Object.entries(shares.result(['b', 'a']))).toEqual([
      ['b', { weighted: (100 * 5) / 6, items: 50, itemCount: 2 }],
      ['a', { weighted: 0, items: 0, itemCount: 1 }],
      ['z', { weighted: 100, items: 100, itemCount: 1 }],
    ]);
  });
});

describe('formatCompliance', () => {
  it('asks for every required format, and leaves out tasks that name none', () => {
    const of = (requiredFormats: string[], deliveredFormats: string[]) => ({
      requiredFormats,
      deliveredFormats,
    });
    expect(
      formatCompliance([
        of(['pdf', 'xlsx'], ['pdf', 'text', 'xlsx']),
        of(['pdf', 'xlsx'], ['pdf']),
        of([], []),
        of(['docx'], []),
        of(['docx'], ['docx']),
      ]),
    ).toEqual({ runs: 4, compliant: 2, rate: 50 });
    expect(formatCompliance([of([], ['pdf'])])).toBeUndefined();
  });
});
