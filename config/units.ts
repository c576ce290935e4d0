import { z } from 'zod';
import { microUsd, type MicroUsd } from '../core/money';

const DURATION_UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const BYTE_UNITS: Readonly<Record<string, number>> = {
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/** The longest time that timers take: 2^31 ms are 24.8 days. */
const MAX_DURATION_DAYS = 24;
const MS_PER_DAY = 86_400_000;
/** More than any sandbox's host has. */
const MAX_BYTES = 16 * 1024 ** 4;

function parseUnits(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([A-Za-z]+)$/u.exec(text.trim());
  const unit = match?.[2] === undefined ? undefined : units[match[2]];
  if (unit === undefined) return undefined;
  const amount = Math.round(Number(match?.[1]) * unit);
  return amount > 0 && Number.isSafeInteger(amount) ? amount : undefined;
}

function withUnits(
  units: Readonly<Record<string, number>>,
  example: string,
  most: { readonly amount: number; readonly text: string },
) {
  return z
    .string({ error: `write a number with a unit, like ${example}` })
    .transform((text, context) => {
      const amount = parseUnits(text, units);
      if (amount !== undefined && amount <= most.amount) return amount;
      const known = Object.keys(units).join(', ');
      context.addIssue({
        code: 'custom',
        message: `"${text}" is not a positive number with a unit (${known}), like ${example}, of at most ${most.text}`,
      });
      return z.NEVER;
    });
}

/** `2h`, `90s`, `500ms` to milliseconds, up to `maxDays`. */
export function durationUpTo(maxDays: number) {
  return withUnits(DURATION_UNITS, '2h or 90s', {
    amount: maxDays * MS_PER_DAY,
    text: `${maxDays}d`,
  });
}
export const durationSchema = durationUpTo(MAX_DURATION_DAYS);

/** `2GiB`, `512MiB` to bytes. */
export const bytesSchema = withUnits(BYTE_UNITS, '2GiB', { amount: MAX_BYTES, text: '16384GiB' });

/** Dollars to micro-dollars. */
export const usdSchema = z
  .number({ error: 'write an amount in US dollars, like 5 or 0.25' })
  .min(0.000_001, 'must be at least 0.000001: a millionth of a dollar is the smallest amount')
  .max(1_000_000_000, 'must be at most 1000000000')
  .transform((usd): MicroUsd => microUsd(usd));
