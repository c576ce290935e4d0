import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type WebFetch } from '../../core/web';

/** `control/web.json`: what an attempt may fetch; absent where its task grants nothing. */
export interface WebOrders {
  readonly v: 1;
  readonly grants: readonly string[];
}

/** A line of `control/web/fetches.jsonl`. */
export interface KeptFetch {
  readonly delivery: string;
  readonly fetch: WebFetch;
}

export function webFiles(controlDir: string): {
  readonly orders: string;
  /** Contents by digest, and the list. */
  readonly folder: string;
  readonly list: string;
} {
  const folder = join(controlDir, 'web');
  return { orders: join(controlDir, 'web.json'), folder, list: join(folder, 'fetches.jsonl') };
}

export function readWebOrders(controlDir: string): WebOrders | undefined {
  const text = readIfThere(webFiles(controlDir).orders);
  return text === undefined ? undefined : (JSON.parse(text) as WebOrders);
}

/** What was fetched so far; a torn last line, of a gateway that was killed, does not count. */
export function readWebFetches(controlDir: string): KeptFetch[] {
  const lines = (readIfThere(webFiles(controlDir).list) ?? '').split('\n');
  return lines.flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as KeptFetch];
    } catch {
      return [];
    }
  });
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
