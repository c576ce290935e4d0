import { statSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';

/** Raises the lease: the file's modification time is now. */
export async function raiseLease(path: string): Promise<void> {
  const now = new Date();
  try {
    await utimes(path, now, now);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await writeFile(path, '', { mode: 0o600 });
  }
}

/** True while the lease is younger than `leaseMs`; a missing one is not fresh. */
export function leaseIsFresh(path: string, leaseMs: number, nowMs: number): boolean {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts !== undefined && nowMs - facts.mtimeMs < leaseMs;
}
