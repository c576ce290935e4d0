import fc from 'fast-check';
import { integerWeights, scoreOf, type WeightedOutcome } from '../../core/score';

const met = (weight: number): WeightedOutcome => ({ weight, outcome: 'met' });
const unmet = (weight: number): WeightedOutcome => ({ weight, outcome: 'unmet' });
const unjudged = (weight: number): WeightedOutcome => ({ weight, outcome: 'unjudged' });

describe('scoreOf', () => {
  it.each([
    ['everything met', [met(5), met(3), met(1)], 100, true],
    ['nothing met', [unmet(5), unmet(1)], 0, false],
    ['a third of the weight', [met(3), unmet(5), unmet(1)], 100 / 3, false],
    ['exactly 90 %', [met(9), unmet(1)], 90, true],
    [
      'exactly 90 % in tenths, where floating point says less',
      [met(0.1), met(0.2), met(0.6), unmet(0.1)],
      90,
      true,
    ],
    ['just below 90 %', [met(8999), unmet(1001)], 89.99, false],
    ['tiny decimal weights', [met(9e-7), unmet(1e-7)], 90, true],
    ['large and small weights', [met(1e21), unmet(1)], 100, true],
  ])('scores %s', (_title, items, score, success) => {
    const result = scoreOf(items);
    expect(result.score).toBeCloseTo(score, 12);
    expect(result.success).toBe(success);
    expect(result.unjudged).toBe(0);
    expect(result.interval).toEqual([result.score, result.score]);
  });

  it.each([
    ['success undecided', [met(8), unjudged(2)], [80, 100], undefined],
    ['success although something is open', [met(9), unjudged(1)], [90, 100], true],
    ['no success whatever is open', [unmet(2), met(7), unjudged(1)], [70, 80], false],
    ['everything open', [unjudged(1)], [0, 100], undefined],
  ])('gives an interval: %s', (_title, items, interval, success) => {
    const result = scoreOf(items);
    expect(result.interval).toEqual(interval);
    expect(result.success).toBe(success);
    expect(result).not.toHaveProperty('score');
  });

  it.each([
    ['no items', []],
    ['a zero weight', [met(0)]],
    ['a negative weight', [met(-1)]],
    ['a weight that is no number', [met(Number.NaN)]],
    ['an infinite weight', [met(Number.POSITIVE_INFINITY)]],
  ])('refuses %s', (_title, items) => {
    expect(() => scoreOf(items)).toThrow(RangeError);
  });

  const weight = fc.integer({ min: 1, max: 100_000 }).map((whole) => whole / 1000);
  const items = fc.array(
    fc.record({
      weight,
      outcome: fc.constantFrom('met' as const, 'unmet' as const, 'unjudged' as const),
    }),
    { minLength: 1, maxLength: 40 },
  );

  it('has an interval around the score that any verdict on the open items gives', () => {
    fc.assert(
      fc.property(items, fc.infiniteStream(fc.boolean()), (given, decide) => {
        const { interval, success } = scoreOf(given);
        const decided = given.map((item) =>
          item.outcome === 'unjudged'
            ? { ...item, outcome: decide.next().value ? 'met' : 'unmet' }
            : item,
        ) as WeightedOutcome[];
        const later = scoreOf(decided);
        expect(later.score).toBeGreaterThanOrEqual(interval[0]);
        expect(later.score).toBeLessThanOrEqual(interval[1]);
        if (success !== undefined) expect(later.success).toBe(success);
      }),
    );
  });

  it('does not depend on the unit of the weights, nor on the order of the items', () => {
    fc.assert(
      fc.property(items, fc.constantFrom(10, 100, 1000), (given, factor) => {
        const scaled = given.map((item) => ({
          ...item,
          weight: Number((item.weight * factor).toFixed(3)),
        }));
        expect(scoreOf([...scaled].reverse())).toEqual(scoreOf(given));
      }),
    );
  });
});

describe('integerWeights', () => {
  it('keeps proportions exactly', () => {
    expect(integerWeights([0.1, 0.25, 3])).toEqual([10n, 25n, 300n]);
    expect(integerWeights([1e-7, 2])).toEqual([1n, 20_000_000n]);
    expect(integerWeights([1e21, 1])).toEqual([10n ** 21n, 1n]);
  });
});
