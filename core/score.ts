import { type VerdictOutcome } from './verdict';

/** A run succeeds at this share of its weight, in percent (StartupBench). */
export const SUCCESS_PERCENT = 90;

export interface WeightedOutcome {
  readonly weight: number;
  readonly outcome: VerdictOutcome;
}

/** Score of one run; with unjudged items only an interval is known. */
export interface Score {
  /** Percent: every unjudged item unmet, every unjudged item met. Equal bounds when all are judged. */
  readonly interval: readonly [number, number];
  readonly unjudged: number;
  /** Percent, unrounded; only when every item is judged. */
  readonly score?: number;
  /** Only when the whole interval lies on one side of 90 %. */
  readonly success?: boolean;
}

/**
 * `100 * sum(w met) / sum(w)`. Weights are decimals: they are scaled to integers, so that 90 % is decided exactly
 * (0.1 + 0.2 counts as 0.3). Throws a RangeError without items, or on a weight that is not a positive number.
 */
export function scoreOf(items: readonly WeightedOutcome[]): Score {
  if (items.length === 0) throw new RangeError('a score needs at least one item');
  const weights = integerWeights(items.map((item) => item.weight));
  let total = 0n;
  let met = 0n;
  let open = 0n;
  let unjudged = 0;
  items.forEach((item, index) => {
    const weight = weights[index] ?? 0n;
    total += weight;
    if (item.outcome === 'met') met += weight;
    if (item.outcome !== 'unjudged') return;
    open += weight;
    unjudged += 1;
  });
  const low = percent(met, total);
  const success = decideSuccess(met, met + open, total);
  return {
    interval: [low, percent(met + open, total)],
    unjudged,
    ...(unjudged === 0 ? { score: low } : {}),
    ...(success === undefined ? {} : { success }),
  };
}

function percent(part: bigint, total: bigint): number {
  return Number(100n * part) / Number(total);
}

function decideSuccess(low: bigint, high: bigint, total: bigint): boolean | undefined {
  const threshold = BigInt(SUCCESS_PERCENT) * total;
  if (100n * low >= threshold) return true;
  return 100n * high < threshold ? false : undefined;
}

/** Integers in the same proportions as the weights: their decimals, scaled by one power of ten. */
export function integerWeights(weights: readonly number[]): bigint[] {
  const decimals = weights.map(decimalOf);
  const lowest = Math.min(0, ...decimals.map((decimal) => decimal.exponent));
  return decimals.map(({ digits, exponent }) => digits * 10n ** BigInt(exponent - lowest));
}

/** The number that the shortest decimal notation names, as `digits * 10 ** exponent`. */
function decimalOf(weight: number): { readonly digits: bigint; readonly exponent: number } {
  if (!Number.isFinite(weight) || weight <= 0)
    throw new RangeError(`a weight must be a positive number, got ${weight}`);
  const [mantissa = '', power = '0'] = String(weight).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
