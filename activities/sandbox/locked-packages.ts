import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One entry of the lockfile. */
export interface LockedPackage {
  /** Where npm puts it, such as `node_modules/sharp`. */
  readonly path: string;
  readonly version: string;
  /** Digest of its archive; absent for a package that is not from a registry. */
  readonly integrity?: string;
}

/** Where a package with native parts runs; a missing member means everywhere. */
export interface PackagePlatform {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

interface LockEntry extends PackagePlatform {
  readonly version?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * The named packages and everything they need, as package-lock.json has them, sorted by path. Throws when a
 * name is not in the lockfile.
 *
 * @param runsHere which platforms' packages to include; default: those of all platforms
 */
export function lockedPackages(
  root: string,
  names: readonly string[],
  runsHere: (platform: PackagePlatform) => boolean = () => true,
): LockedPackage[] {
  if (names.length === 0) return [];
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockEntry>>;
  };
  const found = new Map<string, LockedPackage>();
  const visit = (path: string): void => {
    const entry = lock.packages[path] ?? {};
    if (found.has(path) || !runsHere(entry)) return;
    found.set(path, {
      path,
      version: entry.version ?? '',
      ...(entry.integrity !== undefined && { integrity: entry.integrity }),
    });
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      const dependency = locate(lock.packages, path, name);
      if (dependency !== undefined) visit(dependency);
    }
  };
  for (const name of names) {
    const path = locate(lock.packages, '', name);
    if (path === undefined) throw new Error(`package-lock.json has no ${name}`);
    visit(path);
  }
  return [...found.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** Node's own rule: the nearest node_modules at or above the importer. */
function locate(
  packages: Readonly<Record<string, LockEntry>>,
  importer: string,
  name: string,
): string | undefined {
  const path = `${importer === '' ? '' : `${importer}/`}node_modules/${name}`;
  if (Object.hasOwn(packages, path)) return path;
  if (importer === '') return undefined;
  return locate(
    packages,
    importer.slice(0, Math.max(0, importer.lastIndexOf('/node_modules/'))),
    name,
  );
}
