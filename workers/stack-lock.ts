import { existsSync } from 'node:fs';
import { Failure } from '../core/failure';
import { isDataFolderLocked, lockDataFolder } from './data-lock';

/** Longer than `up` or `down` take. */
const PATIENCE_MS = 300_000;
const ROLE = 'stack';

/** Lets one `up` or `down` at a time work on a data folder; the others wait, and say so. */
export async function withStackLock<T>(
  dataDir: string,
  say: (line: string) => void,
  action: () => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  if (!existsSync(dataDir)) return action();
  if (await isDataFolderLocked(dataDir, ROLE))
    say(`another up or down works on ${dataDir}: waiting for its end`);
  const lock = await lockDataFolder(dataDir, ROLE, patienceMs).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      'ConfigMissing',
      `another up or down has worked on ${dataDir} for ${Math.round(patienceMs / 1_000)} s: wait for it or end it, ` +
        'then run the command again',
      { cause: error },
    );
  });
  try {
    return await action();
  } finally {
    lock.release();
  }
}
