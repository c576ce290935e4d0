import {
  bootstrapMean,
  clusterBootstrap,
  RESAMPLES,
} from '../../../core/statistics/cluster-bootstrap';
import { laneIntervals } from '../../../core/statistics/lane-intervals';
import { pairedDifference } from '../../../core/statistics/paired-difference';
import { quantileOfSorted } from '../../../core/statistics/quantile';
import { seededRandom, xoshiro128 } from '../../../core/statistics/seeded-random';
import { studentInterval } from '../../../core/statistics/student-interval';
import { type ScoredRun, sumByTask } from '../../../core/statistics/task-sums';
import { wilsonInterval } from '../../../core/statistics/wilson';

const run = (taskId: string, score: number): ScoredRun => ({ taskId, score, success: score >= 90 });
/** `counts` tasks whose three repetitions score `score(task)`. */
const tasksOf = (count: number, score: (task: number, repetition: number) => number) =>
  sumByTask(
    Array.from({ length: count }, (_, task) =>
      [0, 1, 2].map((repetition) => run(`t${task}`, score(task, repetition))),
    ).flat(),
  );

describe('seededRandom', () => {
  it("is xoshiro128**: the first numbers of the authors' code from state 1, 2, 3, 4", () => {
    const next = xoshiro128([1, 2, 3, 4]);
    expect([next(), next(), next(), next()]).toEqual([11520, 0, 5927040, 70819200]);
  });

  it('repeats for the same seed, differs for another and stays in [0, 1)', () => {
    const [first, again, other] = [seededRandom(7), seededRandom(7), seededRandom(8)];
    const values = Array.from({ length: 10_000 }, () => first());
    expect(Array.from({ length: 10_000 }, () => again())).toEqual(values);
    expect(other()).not.toBe(values[0]);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThan(1);
    expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(0.5, 1);
  });
});

describe('quantileOfSorted', () => {
  it.each([
    [[1, 2, 3, 4], 0.5, 2.5],
    [[1, 2, 3, 4], 0.1, 1.3],
    [[1, 2, 3, 4], 0.975, 3.925],
    [[5], 0.975, 5],
    [[1, 2], 0, 1],
    [[1, 2], 1, 2],
  ])('of %j at %p is %p, as numpy says', (values, probability, expected) => {
    expect(quantileOfSorted(values, probability)).toBeCloseTo(expected, 12);
  });

  it('requires a value', () => {
    expect(() => quantileOfSorted([], 0.5)).toThrow('requires at least one value');
  });
});

describe('wilsonInterval', () => {
  it.each([
    // Wilson without continuity correction, level 0.95 (R: prop.test(x, n, correct = FALSE)).
    [50, 10, 23.6593, 76.3407],
    [0, 10, 0, 27.7535],
    [100, 10, 72.2465, 100],
    [10, 20, 2.7866, 30.1034],
    [100, 1, 20.6549, 100],
  ])('of %p %% over %p is [%p, %p]', (rate, count, low, high) => {
    const interval = wilsonInterval(rate, count);
    expect(interval.low).toBeCloseTo(low, 3);
    expect(interval.high).toBeCloseTo(high, 3);
    expect(interval.method).toBe('wilson');
  });
});

describe('studentInterval', () => {
  it('of 1 to 5 is 3 -+ 2.776 * 0.7071', () => {
    const interval = studentInterval(Float64Array.from([1, 2, 3, 4, 5]));
    expect(interval.low).toBeCloseTo(1.03676, 4);
    expect(interval.high).toBeCloseTo(4.96324, 4);
  });

  it.each([1, 11])('refuses %p values', (count) => {
    expect(() => studentInterval(new Float64Array(count))).toThrow('requires 2 to 10 values');
  });
});

describe('clusterBootstrap', () => {
  const sums = tasksOf(97, (task, repetition) => (task * 37 + repetition * 5) % 101);

  it('gives the same intervals for the same seed, and others for another', () => {
    expect(clusterBootstrap(sums, seededRandom(1))).toEqual(
      clusterBootstrap(sums, seededRandom(1)),
    );
    expect(clusterBootstrap(sums, seededRandom(1))).not.toEqual(
      clusterBootstrap(sums, seededRandom(2)),
    );
    expect(RESAMPLES).toBe(10_000);
  });

  it('agrees with the theory of the mean: 1.96 standard errors of the task means', () => {
    const means = sums.scoreSums.map((sum) => sum / 3);
    const mean = means.reduce((sum, value) => sum + value, 0) / 97;
    const deviation = Math.sqrt(means.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 97);
    const error = deviation / Math.sqrt(97);
    const { meanScore } = clusterBootstrap(sums, seededRandom(3));
    expect(meanScore.low).toBeCloseTo(mean - 1.96 * error, 0);
    expect(meanScore.high).toBeCloseTo(mean + 1.96 * error, 0);
  });

  it('is wider than an interval that takes the repetitions of a task for independent', () => {
    const clustered = tasksOf(30, (task) => (task % 2 === 0 ? 95 : 20));
    const independent = sumByTask(
      Array.from({ length: 90 }, (_, index) =>
        run(`t${index}`, Math.floor(index / 3) % 2 === 0 ? 95 : 20),
      ),
    );
    const width = ({ low, high }: { low: number; high: number }): number => high - low;
    const wide = clusterBootstrap(clustered, seededRandom(1));
    const narrow = clusterBootstrap(independent, seededRandom(1));
    for (const statistic of ['meanScore', 'successRate'] as const) {
      // In theory the square root of three, since three repetitions of a task tell what one does.
      const ratio = width(wide[statistic]) / width(narrow[statistic]);
      expect(ratio).toBeGreaterThan(1.6);
      expect(ratio).toBeLessThan(1.9);
    }
  });

  it('weighs a task by its scored runs in the pooled rate, and once in the mean', () => {
    const uneven = sumByTask([run('a', 100), run('a', 100), run('a', 100), run('b', 0)]);
    const { meanScore, successRate } = clusterBootstrap(uneven, seededRandom(1));
    expect([meanScore.low, meanScore.high]).toEqual([0, 100]);
    expect([successRate.low, successRate.high]).toEqual([0, 100]);
  });

  it('requires a task', () => {
    expect(() => clusterBootstrap(sumByTask([]), seededRandom(1))).toThrow('at least one task');
    expect(() => bootstrapMean(new Float64Array(0), seededRandom(1))).toThrow('at least one value');
  });
});

describe('laneIntervals', () => {
  it('uses the bootstrap from ten tasks on', () => {
    const found = laneIntervals(
      tasksOf(10, (task) => task * 10 + 5),
      seededRandom(1),
    );
    expect(found?.meanScore.method).toBe('cluster-bootstrap');
    expect(found?.successRate.method).toBe('cluster-bootstrap');
  });

  it('uses Student and Wilson below ten tasks, and stays between 0 and 100', () => {
    const found = laneIntervals(
      tasksOf(3, (task) => [10, 100, 95][task] ?? 0),
      seededRandom(1),
    );
    expect(found?.meanScore).toMatchObject({ method: 'student', low: 0, high: 100 });
    expect(found?.successRate.method).toBe('wilson');
  });

  it.each([
    ['all fail', 0],
    ['all succeed', 100],
  ])('does not collapse where %s', (_title, score) => {
    const found = laneIntervals(
      tasksOf(40, () => score),
      seededRandom(1),
    );
    for (const interval of [found!.meanScore, found!.successRate]) {
      expect(interval.method).toBe('wilson');
      expect(interval.high - interval.low).toBeGreaterThan(5);
    }
  });

  it('gives none for a single task, however many repetitions it has, nor for no run', () => {
    const scores = (_task: number, repetition: number): number => [100, 60, 20][repetition] ?? 0;
    expect(laneIntervals(tasksOf(1, scores), seededRandom(1))).toBeUndefined();
    expect(laneIntervals(sumByTask([]), seededRandom(1))).toBeUndefined();
  });

  it.each([2, 9, 10, 40])(
    'does not collapse where %p tasks have the same middling mean',
    (count) => {
      // Means that differ in the last binary digit are the same, and one of three repetitions succeeds in each task.
      const found = laneIntervals(
        tasksOf(count, (task, repetition) => [90, 0.1, 0.2][(task + repetition) % 3] ?? 0),
        seededRandom(1),
      );
      for (const interval of [found!.meanScore, found!.successRate]) {
        expect(interval.method).toBe('wilson');
        expect(interval.high - interval.low).toBeGreaterThan(20);
      }
    },
  );
});

describe('pairedDifference', () => {
  it('compares the tasks that both have, task by task', () => {
    const left = sumByTask([run('a', 80), run('a', 60), run('b', 50), run('only-left', 0)]);
    const right = sumByTask([run('b', 40), run('a', 50), run('only-right', 100)]);
    const found = pairedDifference(left, right, seededRandom(1));
    // a: 70 - 50 = 20, b: 50 - 40 = 10
    expect(found).toMatchObject({ tasks: 2, difference: 15 });
    expect(found?.interval?.low).toBeCloseTo(15 - 12.7062 * 5, 3);
  });

  it('is far narrower than the difference of two independent means where tasks differ in difficulty', () => {
    const left = tasksOf(30, (task) => task * 3 + (task % 3));
    const right = tasksOf(30, (task) => task * 3);
    const found = pairedDifference(left, right, seededRandom(1));
    expect(found?.difference).toBeCloseTo(1, 12);
    expect(found!.interval!.high - found!.interval!.low).toBeLessThan(1);
    expect(found!.interval!.low).toBeGreaterThan(0);
  });

  it.each([2, 12])('has no interval where all of %p tasks differ by the same', (count) => {
    const left = tasksOf(count, (task) => task + 10);
    const right = tasksOf(count, (task) => task);
    expect(pairedDifference(left, right, seededRandom(1))).toEqual({
      tasks: count,
      difference: 10,
    });
  });

  it('has no interval for one common task, and nothing to say without one', () => {
    const one = sumByTask([run('a', 80)]);
    expect(pairedDifference(one, sumByTask([run('a', 70)]), seededRandom(1))).toEqual({
      tasks: 1,
      difference: 10,
    });
    expect(pairedDifference(one, sumByTask([run('b', 70)]), seededRandom(1))).toBeUndefined();
  });
});
