import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/**
 * What decides how a workflow behaves: a digest over the sources of workflows/ and core/. A sweep keeps it in its memo;
 * `sweep run` with another one ends the old executions (their sandboxes run on) and starts again from the store.
 */
export function workflowBuildId(root: string = resolve(__dirname, '..')): string {
  const hash = createHash('sha256');
  const files = ['workflows', 'core'].flatMap((folder) => sources(join(root, folder)));
  for (const file of files.sort()) {
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
