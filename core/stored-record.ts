import { Failure } from './failure';

/** Of every record. */
const RECORD_VERSION = 1;

/** Where a damaged record can be done without, by the beginning of its key. */
const MADE_AGAIN: readonly (readonly [RegExp, string])[] = [
  [/^sealed\/scores\//u, 'its score is then made again from the verdicts, and nothing is asked'],
  [/^sealed\/evidence\//u, 'the file is then rendered again, and nothing is asked'],
  [/^sealed\/verdicts\/.*\/verdict\.json$/u, 'the answered turns of its judge are then used again'],
  [/^sealed\/verdicts\/.*[/-]t\d+\.json$/u, 'its judge is then asked again from that turn on'],
];

/**
 * The text of a record as what it says; its inner shape is trusted, since records are written whole by our own code.
 * Throws `Failure('InvalidInput')` with place and fix where it is no record of ours, or of another version.
 *
 * @param store its description, for people
 */
export function parseRecord(text: string, key: string, store: string): object {
  const place = `record ${key} in ${store}`;
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || !('v' in value))
    throw new Failure(
      'InvalidInput',
      `${place} is ${text.trim() === '' ? 'empty' : 'no record of ours'}: it was cut off or changed; ${adviceOn(key)}`,
    );
  if (value.v !== RECORD_VERSION)
    throw new Failure(
      'InvalidInput',
      `${place} has version ${JSON.stringify(value.v)}, and this program reads ${RECORD_VERSION}: use the program that wrote it`,
    );
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function adviceOn(key: string): string {
  const again = MADE_AGAIN.find(([pattern]) => pattern.test(key))?.[1];
  const restore = 'restore it from a copy of the store';
  return again === undefined ? restore : `${restore}, or delete it: ${again}`;
}
