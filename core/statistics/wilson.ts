import { type Interval } from './interval';

/** 97.5 % quantile of the normal distribution. */
const Z = 1.959963984540054;

/**
 * Wilson's score interval of a rate, percent: it does not collapse at 0 % and 100 %. `rate` may rest on more runs
 * than `independent` ones: repetitions of a task count as one, which is the cautious reading.
 *
 * @param rate percent
 * @param independent number of independent observations, at least 1
 */
export function wilsonInterval(rate: number, independent: number): Interval {
  if (independent < 1) throw new RangeError('wilsonInterval requires at least one observation');
  const share = rate / 100;
  const square = Z * Z;
  const centre = (share + square / (2 * independent)) / (1 + square / independent);
  const half =
    (Z * Math.sqrt((share * (1 - share)) / independent + square / (4 * independent ** 2))) /
    (1 + square / independent);
  return {
    low: share === 0 ? 0 : Math.max(0, 100 * (centre - half)),
    high: share === 1 ? 100 : Math.min(100, 100 * (centre + half)),
    method: 'wilson',
  };
}
