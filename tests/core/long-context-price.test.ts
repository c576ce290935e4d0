import { costOf, type ModelPrices } from '../../core/money';

const PRICES: ModelPrices = {
  inputPerMillion: 5_000_000,
  cachedInputPerMillion: 500_000,
  cacheWritePerMillion: 5_000_000,
  outputPerMillion: 30_000_000,
  longContext: {
    aboveInputTokens: 272_000,
    inputPerMillion: 10_000_000,
    cachedInputPerMillion: 1_000_000,
    cacheWritePerMillion: 10_000_000,
    outputPerMillion: 45_000_000,
  },
};

describe('the price of a long prompt', () => {
  it.each([
    [272_000, 272_000 * 5 + 1_000 * 30],
    [272_001, 272_001 * 10 + 1_000 * 45],
  ])('of %i tokens is that of its tier, for the whole call', (inputTokens, expected) => {
    const usage = { inputTokens, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1_000 };
    expect(costOf(usage, PRICES)).toBe(expected);
  });
});
