import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import {
  type ImageBundle,
  type ImageName,
  imageIngredients,
} from '../../activities/sandbox/image-recipe';
import { type PackagePlatform, lockedPackages } from '../../activities/sandbox/locked-packages';
import { extractNpmProgram } from './npm-program';

/**
 * Fills `folder` with our code as one file (`<name>.js`), the packages that stay outside it
 * (`node_modules/`) and the Node program that runs it (`node`).
 */
export async function writeBundleFiles(
  name: ImageName,
  bundle: ImageBundle,
  options: { root: string; folder: string; cacheFolder: string; architecture: string },
): Promise<void> {
  const { root, folder, architecture } = options;
  mkdirSync(folder, { recursive: true });
  await writeBundle(name, bundle, root, join(folder, `${name}.js`));
  copyPackages(root, bundle.external, architecture, join(folder, 'node_modules'));
  await extractNpmProgram(join(root, 'docker', name, 'node.json'), join(folder, 'node'), options);
}

async function writeBundle(
  name: ImageName,
  bundle: ImageBundle,
  root: string,
  outfile: string,
): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [bundle.entry],
    external: [...bundle.external],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outfile,
    metafile: true,
    logLevel: 'error',
  });
  const counted = new Set<string>(imageIngredients(name, root).bundledFiles);
  const missed = Object.keys(metafile.inputs).filter(
    (path) => !path.startsWith('node_modules/') && !counted.has(path),
  );
  if (missed.length > 0) {
    throw new Error(
      `the recipe of ${name} does not cover ${missed.join(', ')}, which its bundle contains`,
    );
  }
}

/** Copies packages with what they need on a glibc Linux of that architecture. */
function copyPackages(
  root: string,
  names: readonly string[],
  architecture: string,
  target: string,
): void {
  const cpu = architecture === 'amd64' ? 'x64' : architecture;
  const runsThere = (platform: PackagePlatform) =>
    (platform.os ?? ['linux']).includes('linux') &&
    (platform.cpu ?? [cpu]).includes(cpu) &&
    (platform.libc ?? ['glibc']).includes('glibc');
  for (const { path } of lockedPackages(root, names, runsThere)) {
    if (!existsSync(join(root, path))) {
      throw new Error(`${path} is not installed; run npm ci on a linux-${cpu} machine with glibc`);
    }
    const inside = path.replace(/^node_modules\//u, '');
    cpSync(join(root, path), join(target, inside), { recursive: true });
  }
}
