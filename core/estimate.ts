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

/** How many of something, at least and at most. */
export interface CountRange {
  readonly low: number;
  readonly high: number;
}

/** Range of so many judge sessions by default tokens. */
export function sessionsCost(prices: ModelPrices | undefined, sessions: CountRange): CostRange {
  return {
    low: times(costOf(DEFAULT_SESSION_USAGE.low, prices), sessions.low),
    high: times(costOf(DEFAULT_SESSION_USAGE.high, prices), sessions.high),
  };
}

/** Range of judging some items by what judging `all` of the same rubric has cost. */
export function shareOfCost(observed: CostRange, some: CountRange, all: CountRange): CostRange {
  const share = (end: 'low' | 'high') =>
    all[end] === 0 ? 0 : Math.round(((observed[end] ?? 0) * some[end]) / all[end]);
  return { low: share('low'), high: share('high') };
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

/** Nothing costs nothing, even at an unknown price. */
function times(cost: MicroUsd | undefined, count: number): MicroUsd | undefined {
  return count === 0 ? 0 : cost === undefined ? undefined : cost * count;
}
