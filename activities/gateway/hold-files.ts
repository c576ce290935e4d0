import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type Holding } from './port';

const holdingSchema = z.object({ type: z.string(), message: z.string(), since: z.string() });

const pauseSchema = z.object({ reason: z.string() });

/** Undefined when nothing is held. A record that a crash of the machine left unreadable still says that one is. */
export function readHolding(path: string): Holding | undefined {
  const text = textOf(path);
  if (text === undefined) return undefined;
  return (
    parsed(holdingSchema, text) ?? {
      type: 'unknown',
      message: 'what is waited for was lost with the machine; it is tried again all the same',
      since: statSync(path).mtime.toISOString(),
    }
  );
}

/** Written whole or not at all. */
export function writeHolding(path: string, holding: Holding | undefined): void {
  replaceOrRemove(path, holding);
}

/** A person's reason to hold an attempt's exchanges; undefined = let them go. */
export function writePause(path: string, reason: string | undefined): void {
  replaceOrRemove(path, reason === undefined ? undefined : { reason });
}

/** Undefined when nobody has paused. A pause whose reason is lost is a pause. */
export function readPause(path: string): string | undefined {
  const text = textOf(path);
  if (text === undefined) return undefined;
  return parsed(pauseSchema, text)?.reason ?? 'paused; the reason was lost with the machine';
}

export function isHeld(files: { readonly holding: string; readonly pause: string }): boolean {
  return existsSync(files.holding) || existsSync(files.pause);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parsed<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function replaceOrRemove(path: string, value: object | undefined): void {
  if (value === undefined) {
    rmSync(path, { force: true });
    return;
  }
  writeFileSync(`${path}.new`, JSON.stringify(value), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}
