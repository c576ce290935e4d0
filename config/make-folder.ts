import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Failure } from '../core/failure';
import { describeSystemError } from './system-error';

/**
 * Makes a folder and those above it. One by one: Node's own recursive way never ends where a file system answers
 * "no such folder" to a name below a folder that exists, as /proc does.
 * Throws `Failure('InvalidInput')` with the place and what to do.
 *
 * @param mode of the folders that are made; default private to their owner
 */
export function makeFolder(folder: string, mode = 0o700): void {
  const missing: string[] = [];
  let existing = resolve(folder);
  for (; !existsSync(existing); existing = dirname(existing)) missing.unshift(existing);
  try {
    if (!statSync(existing).isDirectory())
      throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR', path: existing });
    for (const each of missing) makeOne(each, mode);
  } catch (error) {
    throw new Failure(
      'InvalidInput',
      `cannot make the folder ${folder}: ${describeSystemError(error) ?? String(error)}`,
      { cause: error },
    );
  }
}

/** Another process may make it at the same time. */
function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (!existsSync(folder) || !statSync(folder).isDirectory()) throw error;
  }
}
