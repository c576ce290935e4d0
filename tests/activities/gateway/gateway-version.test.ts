import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gatewayCode } from '../../../activities/gateway/gateway-version';
import { projectRoot } from '../../../activities/sandbox/image-recipe';

const ROOT = projectRoot();
const IMPORT = /(?:^|\n)(?:import|export)\s(?!type\s)[^;]*?from '(?<path>\.[^']+)'/gu;

/** Files that a module loads, itself included, packages apart. */
function loadedBy(start: string): Set<string> {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const { groups } of readFileSync(join(ROOT, path), 'utf8').matchAll(IMPORT)) {
      const target = relative(ROOT, join(ROOT, dirname(path), groups?.['path'] ?? ''));
      visit(existsSync(join(ROOT, `${target}.ts`)) ? `${target}.ts` : join(target, 'index.ts'));
    }
  };
  visit(start);
  return found;
}

describe('the version of a gateway', () => {
  it.each(['workers/gateway-main.ts', 'workers/fetcher-main.ts'])(
    'covers all code that %s loads: a process of older code gives way',
    (start) => {
      const loaded = loadedBy(start);
      expect(loaded.size).toBeGreaterThan(5);
      const covered = new Set(gatewayCode(ROOT));
      expect([...loaded].filter((path) => !covered.has(path))).toEqual([]);
    },
  );
});
