import { lstat, readdir, statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isCode } from './durable-file';

/** Each file counts at least this much, so that a million empty ones are as bounded as one big one. */
const BYTES_PER_ENTRY = 4096;
/** Unit of `blocks`, whatever the file system's own is. */
const BLOCK_BYTES = 512;

/**
 * Bytes that a tree takes, links not followed; stops as soon as `enough` is exceeded. Files that come and go while it
 * reads are no error.
 */
export async function usedBytes(root: string, enough: number): Promise<number> {
  let used = 0;
  // Names are bytes: what is written under one that is no text must count too.
  const folders = [Buffer.from(root)];
  for (let folder = folders.pop(); folder !== undefined && used <= enough; folder = folders.pop()) {
    const options = { withFileTypes: true, encoding: 'buffer' } as const;
    const entries = await readdir(folder, options).catch(ifGone([]));
    for (const entry of entries) {
      const path = Buffer.concat([folder, Buffer.from('/'), entry.name]);
      if (entry.isDirectory()) folders.push(path);
      const facts = await lstat(path).catch(ifGone(undefined));
      used += Math.max(BYTES_PER_ENTRY, (facts?.blocks ?? 0) * BLOCK_BYTES);
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
  const facts = await statfs(path);
  return facts.bavail * facts.bsize;
}
