import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';

/** What a source file needs to run, found by following its imports. */
export interface SourceClosure {
  /** The entry and every source file it reaches, relative to the root, sorted. */
  readonly files: readonly string[];
  /** Names of the packages those files import, sorted; Node's own modules are not among them. */
  readonly packages: readonly string[];
}

/** `import`, `export ... from`, `import()` and `require()` of a literal; `import type` is erased and does not count. */
const IMPORTS =
  /(?:^|[;}\s])(?:import|export)\s(?!type\s)[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|[;}\s])import\s*['"]([^'"]+)['"]|(?:\bimport|\brequire)\(\s*['"]([^'"]+)['"]\s*\)/gmu;

/**
 * Follows imports from `entry` (relative to `root`) through TypeScript and JSON sources. It reads the text
 * rather than compiling it, so that a recipe needs no compiler; the image build compares with the bundler.
 * Throws when an imported file does not exist.
 */
export function sourceClosure(root: string, entry: string): SourceClosure {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string): void => {
    if (files.has(path)) return;
    files.add(path);
    for (const specifier of importsOf(readFileSync(join(root, path), 'utf8'))) {
      if (specifier.startsWith('.')) visit(resolveSource(root, path, specifier));
      else if (!isNodeModule(specifier)) packages.add(packageName(specifier));
    }
  };
  visit(entry);
  return { files: [...files].sort(), packages: [...packages].sort() };
}

function importsOf(source: string): string[] {
  return [...source.matchAll(IMPORTS)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

function resolveSource(root: string, importer: string, specifier: string): string {
  const target = posix.join(posix.dirname(importer), specifier);
  const candidates = [`${target}.ts`, `${target}/index.ts`, target];
  const found = candidates.find(
    (path) => /\.(?:ts|json)$/u.test(path) && existsSync(join(root, path)),
  );
  if (found === undefined)
    throw new Error(`${importer} imports ${specifier}, which does not exist`);
  return found;
}

function isNodeModule(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

/** `a/b` is of package `a`, `@scope/a/b` of `@scope/a`. */
function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
