import { InvalidArgumentError } from 'commander';
import { ID_PART } from '../../core/ids';
import { CommandError, EXIT } from '../exit';

/** `a,b,c` as a list; empty entries are refused. */
export function commaList(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.some((entry) => entry === ''))
    throw new InvalidArgumentError('give a comma-separated list');
  return entries;
}

/** A whole number from 1. */
export function countFlag(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('give a whole number, at least 1');
  return value;
}

/** An id, as sweeps and submissions have one; it names files too. */
export function idFlag(text: string): string {
  if (!ID_PART.test(text))
    throw new InvalidArgumentError('give 1 to 60 of a-z, 0-9, dot, dash and underscore');
  return text;
}

/** Throws `CommandError` where more than one of these was given: all but one would be ignored. */
export function onlyOneOf(given: Readonly<Record<string, unknown>>): void {
  const flags = Object.entries(given).flatMap(([flag, value]) => (isGiven(value) ? [flag] : []));
  if (flags.length > 1)
    throw new CommandError(EXIT.usage, `${flags.join(' and ')}: give only one of them`);
}

/** Throws `CommandError` where a flag was given without the one that it belongs to. */
export function onlyWith(
  other: string,
  hasOther: unknown,
  given: Readonly<Record<string, unknown>>,
): void {
  for (const [flag, value] of Object.entries(given))
    if (isGiven(value) && !isGiven(hasOther))
      throw new CommandError(EXIT.usage, `${flag} says something only with ${other}`);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false;
}
