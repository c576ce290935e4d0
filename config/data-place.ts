import { readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../core/failure';

const PLACE_FILE = 'place';
const ID_FILE = 'stack-id';

/**
 * Refuses a copy of a data folder whose original is still there: with its ids it would take the original's sandboxes
 * for its own, and with its process ids stop the original's processes. A folder that was moved goes on as it was.
 * Throws `Failure('ConfigMissing')`.
 *
 * @param note keep in the folder where it is
 */
export function refuseCopy(dataDir: string, note: boolean): void {
  const here = realPath(dataDir);
  if (here === undefined) return;
  const noted = read(join(here, PLACE_FILE));
  if (noted === here) return;
  const original = noted === undefined ? undefined : realPath(noted);
  if (original !== undefined && isSame(original, here)) return;
  if (original !== undefined && isTwin(original, here))
    throw new Failure(
      'ConfigMissing',
      `${dataDir} is a copy of ${original}, which is still there, and both would run as one stack: use the original, ` +
        `or stop and remove it first; for the copy's results alone: STARTUPBENCH_DATA=NEW STARTUPBENCH_STORE=file:${join(here, 'store')}`,
    );
  if (note) writeFileSync(join(here, PLACE_FILE), `${here}\n`, { mode: 0o600 });
}

/** One folder under two names, such as a second mount of it. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [statSync(one), statSync(other)];
  return first.dev === second.dev && first.ino === second.ino;
}

function isTwin(one: string, other: string): boolean {
  const id = read(join(one, ID_FILE));
  return id !== undefined && id === read(join(other, ID_FILE));
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
