import { addCost, costOf, type MicroUsd, type ModelPrices, type TokenUsage } from './money';

/** An amount from low to high; `undefined` = unknown price. */
export interface CostRange {
  readonly low: MicroUsd | undefined;
  readonly high: MicroUsd | undefined;
}

export const NO_COST_RANGE: CostRange = { low: 0, high: 0 };

/** Tokens of an agent's run where no run of the task is stored: a short one and a long one. */
export const DEFAULT_AGENT_USAGE: { readonly low: TokenUsage; readonly high: TokenUsage } = {
  low: usage(150_000, 100_000, 8_000),
  high: usage(4_000_000, 3_200_000, 80_000),
};

/** Tokens of one judge session where none is stored. */
export const DEFAULT_SESSION_USAGE: { readonly low: TokenUsage; readonly high: TokenUsage } = {
  low: usage(10_000, 5_000, 400),
  high: usage(80_000, 50_000, 3_000),
};

function usage(inputTokens: number, cachedInputTokens: number, outputTokens: number): TokenUsage {
  return { inputTokens, cachedInputTokens, cacheWriteTokens: 0, outputTokens };
}

/** Range of one agent's run by default tokens, never above the attempt's cap. */
export function defaultAgentCost(
  prices: ModelPrices | undefined,
  capMicroUsd: MicroUsd | undefined,
): CostRange {
  return {
    low: capped(costOf(DEFAULT_AGENT_USAGE.low, prices), capMicroUsd),
    high: capped(costOf(DEFAULT_AGENT_USAGE.high, prices), capMicroUsd),
  };
}

function capped(amount: MicroUsd | undefined, cap: MicroUsd | undefined): MicroUsd | undefined {
  return amount === undefined || cap === undefined ? amount : Math.min(amount, cap);
}

/** Range of judging `sessions` items by default tokens. */
export function defaultJudgeCost(prices: ModelPrices | undefined, sessions: number): CostRange {
  return timesCost(
    {
      low: costOf(DEFAULT_SESSION_USAGE.low, prices),
      high: costOf(DEFAULT_SESSION_USAGE.high, prices),
    },
    sessions,
  );
}

/** From the cheapest to the dearest of what was observed; `undefined` when nothing was. */
export function observedCost(costs: readonly (MicroUsd | undefined)[]): CostRange | undefined {
  const known = costs.filter((cost) => cost !== undefined);
  if (known.length === 0) return undefined;
  return { low: Math.min(...known), high: Math.max(...known) };
}

export function addRanges(left: CostRange, right: CostRange): CostRange {
  return { low: addCost(left.low, right.low), high: addCost(left.high, right.high) };
}

/** `range` for `count` such things. Nothing costs nothing, even at an unknown price. */
export function timesCost(range: CostRange, count: number): CostRange {
  if (count === 0) return NO_COST_RANGE;
  return {
    low: range.low === undefined ? undefined : range.low * count,
    high: range.high === undefined ? undefined : range.high * count,
  };
}
