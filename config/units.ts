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

function parseUnits(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([A-Za-z]+)$/u.exec(text.trim());
  const unit = match?.[2] === undefined ? undefined : units[match[2]];
  if (unit === undefined) return undefined;
  const amount = Math.round(Number(match?.[1]) * unit);
  return amount > 0 && Number.isSafeInteger(amount) ? amount : undefined;
}

function withUnits(units: Readonly<Record<string, number>>, example: string) {
  return z
    .string({ error: `write a number with a unit, like ${example}` })
    .transform((text, context) => {
      const amount = parseUnits(text, units);
      if (amount !== undefined) return amount;
      const known = Object.keys(units).join(', ');
      context.addIssue({
        code: 'custom',
        message: `"${text}" is not a positive number with a unit (${known}), like ${example}`,
      });
      return z.NEVER;
    });
}

/** `2h`, `90s`, `500ms` to milliseconds. */
export const durationSchema = withUnits(DURATION_UNITS, '2h or 90s');

/** `2GiB`, `512MiB` to bytes. */
export const bytesSchema = withUnits(BYTE_UNITS, '2GiB');

/** Dollars to micro-dollars. */
export const usdSchema = z
  .number({ error: 'write an amount in US dollars, like 5 or 0.25' })
  .positive('must be more than 0')
  .transform((usd): MicroUsd => microUsd(usd));
