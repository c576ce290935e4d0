import { type Interval } from './interval';
import { meanOf } from './mean';

/** 97.5 % quantiles of Student's t distribution for 1, 2, ... degrees of freedom. */
const T_QUANTILES = [
  12.706204736, 4.30265273, 3.182446305, 2.776445105, 2.570581836, 2.446911851, 2.364624252,
  2.306004135, 2.262157163,
];

/**
 * Student's interval of a mean of 2 to 10 values; the bounds are not cut at the ends of a scale.
 * Throws a RangeError for other counts.
 */
export function studentInterval(values: Float64Array): Interval {
  const quantile = T_QUANTILES[values.length - 2];
  const mean = meanOf(values);
  if (quantile === undefined || mean === undefined)
    throw new RangeError(`studentInterval requires 2 to 10 values, got ${values.length}`);
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  const half = quantile * Math.sqrt(squares / (values.length - 1) / values.length);
  return { low: mean - half, high: mean + half, method: 'student' };
}
