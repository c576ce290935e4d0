/**
 * Quantile of sorted values by linear interpolation (R's type 7, numpy's default). Throws a RangeError without a
 * value.
 *
 * @example quantileOfSorted([1, 2, 3, 4], 0.5) = 2.5
 */
export function quantileOfSorted(sorted: ArrayLike<number>, probability: number): number {
  if (sorted.length === 0) throw new RangeError('quantileOfSorted requires at least one value');
  const position = probability * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below] ?? 0;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? low;
  return low + (position - below) * (high - low);
}
