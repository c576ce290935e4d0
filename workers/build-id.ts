import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/**
 * What decides how a workflow behaves: a digest over the sources of workflows/ and core/. A sweep keeps it in its memo;
 * `sweep run` with another one ends the old executions (their sandboxes run on) and starts again from the store.
 */
export function workflowBuildId(root: string = resolve(__dirname, '..')): string {
  return digestOf(root, ['workflows', 'core']);
}

/** Digest over all our sources: a running process with another one runs other code than this. */
export function codeDigest(root: string = resolve(__dirname, '..')): string {
  return digestOf(root, ['workflows', 'core', 'activities', 'config', 'workers', 'infra']);
}

/** Of the process of our own providers. */
export function providerDigest(root: string = resolve(__dirname, '..')): string {
  return digestOf(root, ['core', 'activities/models']);
}

function digestOf(root: string, folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of folders.flatMap((folder) => sources(join(root, folder))).sort()) {
    hash.update(`${relative(root, file)}\0`);
    hash.update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

function sources(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /(?<!\.d)\.[jt]s$/u.test(entry.name) ? [path] : [];
  });
}
