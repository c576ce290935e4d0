import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the local Temporal server of a data folder answers: `<data>/temporal.json`, written by `up`. */
export interface TemporalFile {
  readonly address: string;
  readonly namespace: string;
  readonly uiUrl: string | undefined;
}

export const TEMPORAL_FILE = 'temporal.json';

/** A JSON file of the data folder; `undefined` when absent or not whole (it is then written again by its owner). */
export async function readDataFile<T>(dataDir: string, name: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(join(dataDir, name), 'utf8')) as T;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT')
      return undefined;
    throw error;
  }
}

/** Renamed into place, so that a reader never sees half of it. */
export async function writeDataFile(dataDir: string, name: string, value: unknown): Promise<void> {
  const temporary = join(dataDir, `${name}.${process.pid}.tmp`);
  await writeFile(temporary, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  await rename(temporary, join(dataDir, name));
}
