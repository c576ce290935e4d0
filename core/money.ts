/** Money is integer micro-dollars (1 USD = 1,000,000). */
export type MicroUsd = number;

export const MICRO_USD_PER_USD = 1_000_000;

/** `usd` in dollars to micro-dollars, rounded to the nearest integer. */
export function microUsd(usd: number): MicroUsd {
  return Math.round(usd * MICRO_USD_PER_USD);
}

/** `$1.23`, with four decimals below one dollar; `unknown` where the amount is not known (never 0). */
export function formatUsd(amount: MicroUsd | undefined): string {
  if (amount === undefined) return 'unknown';
  const usd = amount / MICRO_USD_PER_USD;
  return `$${usd.toFixed(Math.abs(usd) < 1 && usd !== 0 ? 4 : 2)}`;
}

/** Tokens of one or more model calls. `inputTokens` includes the cached ones. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}

export const NO_USAGE: TokenUsage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
};

export function addUsage(left: TokenUsage, right: TokenUsage): TokenUsage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    cachedInputTokens: left.cachedInputTokens + right.cachedInputTokens,
    cacheWriteTokens: left.cacheWriteTokens + right.cacheWriteTokens,
    outputTokens: left.outputTokens + right.outputTokens,
  };
}

/** Prices in micro-dollars per million tokens. */
export interface ModelPrices {
  readonly inputPerMillion: MicroUsd;
  readonly cachedInputPerMillion: MicroUsd;
  readonly cacheWritePerMillion: MicroUsd;
  readonly outputPerMillion: MicroUsd;
  /** Prices of the whole call when its input has more tokens than this. */
  readonly longContext?: Omit<ModelPrices, 'longContext'> & { readonly aboveInputTokens: number };
}

/** Cost of a call; `undefined` when the prices are unknown. Cached tokens are priced apart from the fresh input. */
export function costOf(usage: TokenUsage, prices: ModelPrices | undefined): MicroUsd | undefined {
  if (prices === undefined) return undefined;
  const { longContext } = prices;
  if (longContext !== undefined && usage.inputTokens > longContext.aboveInputTokens)
    return costOf(usage, withoutTier(longContext));
  const fresh = usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens;
  return Math.round(
    (Math.max(0, fresh) * prices.inputPerMillion +
      usage.cachedInputTokens * prices.cachedInputPerMillion +
      usage.cacheWriteTokens * prices.cacheWritePerMillion +
      usage.outputTokens * prices.outputPerMillion) /
      1_000_000,
  );
}

function withoutTier(prices: NonNullable<ModelPrices['longContext']>): ModelPrices {
  const { aboveInputTokens: _aboveInputTokens, ...flat } = prices;
  return flat;
}

/** Sum in which one unknown makes the whole unknown. */
export function addCost(
  left: MicroUsd | undefined,
  right: MicroUsd | undefined,
): MicroUsd | undefined {
  return left === undefined || right === undefined ? undefined : left + right;
}
