import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type Holding } from './port';

const holdingSchema = z.object({ type: z.string(), message: z.string(), since: z.string() });

/** Undefined when nothing is held. */
export function readHolding(path: string): Holding | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return holdingSchema.parse(JSON.parse(text));
}

/** Written whole or not at all. */
export function writeHolding(path: string, holding: Holding | undefined): void {
  replaceOrRemove(path, holding);
}

/** A person's reason to hold an attempt's exchanges; undefined = let them go. */
export function writePause(path: string, reason: string | undefined): void {
  replaceOrRemove(path, reason === undefined ? undefined : { reason });
}

/** Undefined when nobody has paused. */
export function readPause(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  return String((JSON.parse(text) as { reason?: unknown }).reason);
}

export function isHeld(files: { readonly holding: string; readonly pause: string }): boolean {
  return existsSync(files.holding) || existsSync(files.pause);
}

function replaceOrRemove(path: string, value: object | undefined): void {
  if (value === undefined) {
    rmSync(path, { force: true });
    return;
  }
  writeFileSync(`${path}.new`, JSON.stringify(value), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
