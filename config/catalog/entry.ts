import { type OperatorProtocol, type ParameterQuirks } from '../../core/account';
import { type ModelPrices, microUsd } from '../../core/money';

/** A number from outside, with where it was read and the day it is known to hold from. */
export interface Sourced<Value> {
  readonly value: Value;
  /** Day from which the source states it, `YYYY-MM-DD`. */
  readonly since: string;
  /** Last day for which the source vouches; afterwards it is unknown. */
  readonly until?: string;
  readonly source: string;
  /** The dated public price table that states it of `source`, where the page itself was not at hand. */
  readonly via?: string;
}

/** A model that sweeps may name without saying more. What could not be sourced is left out: unknown, never 0. */
export interface CatalogEntry {
  /** The name that sweep files use. */
  readonly id: string;
  /** What its usual account speaks. */
  readonly provider: OperatorProtocol;
  /** The provider's name for it. */
  readonly name: string;
  /** Account that serves it unless the sweep names another; its usual address and key are in `account-presets.ts`. */
  readonly account: string;
  readonly contextWindowTokens?: Sourced<number>;
  /** Newest last; the last one whose day has come counts. */
  readonly prices: readonly Sourced<ModelPrices>[];
  readonly quirks: ParameterQuirks;
  /** What a reader of the numbers should know. */
  readonly note?: string;
}

/** Dollars for a million tokens. */
export interface UsdPrices {
  readonly input: number;
  readonly cachedInput: number;
  /** Left out where the vendor asks no more for it than for fresh input. */
  readonly cacheWrite?: number;
  readonly output: number;
}

function flat({ input, cachedInput, cacheWrite, output }: UsdPrices) {
  return {
    inputPerMillion: microUsd(input),
    cachedInputPerMillion: microUsd(cachedInput),
    cacheWritePerMillion: microUsd(cacheWrite ?? input),
    outputPerMillion: microUsd(output),
  };
}

/** `longContext` prices the whole call when its input has more tokens than `aboveInputTokens`. */
export function usd(
  prices: UsdPrices,
  longContext?: UsdPrices & { readonly aboveInputTokens: number },
): ModelPrices {
  return longContext === undefined
    ? flat(prices)
    : {
        ...flat(prices),
        longContext: { ...flat(longContext), aboveInputTokens: longContext.aboveInputTokens },
      };
}
