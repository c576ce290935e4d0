import { SUCCESS_PERCENT } from './score';

/**
 * A percentage for people, with `digits` decimals. Rounded to the nearest, but never onto a line that it does not
 * reach: what is below 90 (no success) never reads 90, what is below 100 never reads 100, what is above 0 never 0.
 */
export function percentText(percent: number, digits: number): string {
  const step = 10 ** -digits;
  for (const line of [SUCCESS_PERCENT, 100])
    if (percent < line && percent >= line - step) return (line - step).toFixed(digits);
  if (percent > 0 && percent < step) return step.toFixed(digits);
  return percent.toFixed(digits);
}
