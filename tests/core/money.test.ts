import { addCost, addUsage, costOf, formatUsd, microUsd, NO_USAGE } from '../../core/money';

const prices = {
  inputPerMillion: microUsd(5),
  cachedInputPerMillion: microUsd(0.5),
  cacheWritePerMillion: microUsd(6.25),
  outputPerMillion: microUsd(30),
};

describe('money', () => {
  it.each([
    [undefined, 'unknown'],
    [0, '$0.00'],
    [1_230_000, '$1.23'],
    [12_345, '$0.0123'],
    [-500_000, '$-0.5000'],
  ])('prints %p as %s', (amount, text) => {
    expect(formatUsd(amount)).toBe(text);
  });

  it('prices fresh input, cached input, cache writes and output apart', () => {
    const usage = {
      inputTokens: 1_000_000,
      cachedInputTokens: 600_000,
      cacheWriteTokens: 100_000,
      outputTokens: 10_000,
    };
    // 0.3 M x 5 + 0.6 M x 0.5 + 0.1 M x 6.25 + 0.01 M x 30
    expect(costOf(usage, prices)).toBe(microUsd(1.5 + 0.3 + 0.625 + 0.3));
  });

  it('never takes an unknown price for 0', () => {
    expect(costOf(NO_USAGE, undefined)).toBeUndefined();
    expect(addCost(5, undefined)).toBeUndefined();
    expect(addCost(undefined, 5)).toBeUndefined();
    expect(addCost(2, 3)).toBe(5);
  });

  it('adds usage field by field', () => {
    const usage = { inputTokens: 1, cachedInputTokens: 2, cacheWriteTokens: 3, outputTokens: 4 };
    expect(addUsage(usage, usage)).toEqual({
      inputTokens: 2,
      cachedInputTokens: 4,
      cacheWriteTokens: 6,
      outputTokens: 8,
    });
  });
});
