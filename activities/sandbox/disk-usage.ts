import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isCode } from './durable-file';

/** Each file counts at least this much, so that a million empty ones are as bounded as one big one. */
const BYTES_PER_ENTRY = 4096;

/**
 * Bytes that a tree takes, links not followed; stops as soon as `enough` is exceeded. Files that come and go while it
 * reads are no error.
 */
export async function usedBytes(root: string, enough: number): Promise<number> {
  let used = 0;
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined && used <= enough; folder = folders.pop()) {
    const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch(
      ifGone([]),
    );
    for (const entry of entries) {
      const path = Buffer.concat([Buffer.from(`${folder}/`), entry.name]).toString('latin1');
      if (entry.isDirectory()) folders.push(Buffer.from(path, 'latin1').toString());
      const facts = await lstat(Buffer.from(path, 'latin1')).catch(ifGone(undefined));
      used += Math.max(BYTES_PER_ENTRY, (facts?.blocks ?? 0) * 512);
      if (used > enough) break;
    }
  }
  return used;
}

function ifGone<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return value;
    throw error;
  };
}

export interface WatermarkOptions {
  /** Free bytes below which no new attempt starts; default 4 GiB. */
  readonly minFreeBytes?: number;
  readonly pollMs?: number;
  readonly freeBytes?: (path: string) => Promise<number>;
}

/** Waits until the disk that holds `folder` has room for another attempt: a full host pauses, it does not fail. */
export async function waitForDiskSpace(
  folder: string,
  signal: AbortSignal,
  options: WatermarkOptions = {},
): Promise<void> {
  const { minFreeBytes = 4 * 1024 ** 3, pollMs = 5_000, freeBytes = freeBytesOf } = options;
  while ((await freeBytes(folder)) < minFreeBytes) await sleep(pollMs, undefined, { signal });
}

async function freeBytesOf(path: string): Promise<number> {
  const facts = await statfs(join(path));
  return facts.bavail * facts.bsize;
}
