import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Longest path that Linux takes. */
const MAX_PATTERN_LENGTH = 4_095;

/**
 * Task folders that the patterns name, each once, in the order of the patterns and then of their names. `*` stands
 * for any part of a name. A pattern takes the folders that hold a task.yaml; a plain path must be such a folder.
 */
export function resolveTaskPatterns(
  base: string,
  patterns: readonly string[],
  fault: (index: number, message: string) => void,
): string[] {
  const found = new Set<string>();
  patterns.forEach((pattern, index) => {
    if (pattern.length > MAX_PATTERN_LENGTH || pattern.includes('\0')) {
      fault(index, `tasks: ${pattern.slice(0, 60)}... cannot be the name of a folder`);
      return;
    }
    if (!pattern.includes('*')) {
      const folder = resolve(base, pattern);
      if (isFolder(folder)) found.add(folder);
      else
        fault(
          index,
          existsSync(folder)
            ? `tasks: ${folder} is no folder: name the folder that holds task.yaml`
            : `tasks: there is no folder ${folder}`,
        );
      return;
    }
    const folders = expand(base, pattern).filter(looksLikeTask);
    if (folders.length === 0)
      fault(index, `tasks: no folder with a task.yaml matches ${pattern} (from ${base})`);
    for (const folder of folders) found.add(folder);
  });
  return [...found];
}

/** A folder with a rubric or a workspace but no task.yaml is a task with a fault, and not to be passed over. */
function looksLikeTask(folder: string): boolean {
  return ['task.yaml', 'rubric.yaml', 'workspace'].some((name) => existsSync(join(folder, name)));
}

function expand(base: string, pattern: string): string[] {
  let folders = [pattern.startsWith('/') ? '/' : base];
  for (const part of pattern.split('/').filter((text) => text !== '')) {
    folders = folders.flatMap((folder) => {
      if (!part.includes('*')) return [resolve(folder, part)];
      const expression = new RegExp(
        `^${part.split('*').map(escapeForExpression).join('[^/]*')}$`,
        'u',
      );
      return entriesOf(folder)
        .filter((entry) => expression.test(entry) && !entry.startsWith('.'))
        .map((entry) => join(folder, entry));
    });
  }
  return folders.filter(isFolder);
}

/** Or a link to one; false too for what cannot be looked at. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function escapeForExpression(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');
}
