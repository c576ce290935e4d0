import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { IMAGES, type ImageName, imageIngredients } from '../../activities/sandbox/image-recipe';
import { writeBundleFiles } from './bundle-files';
import { extractNpmProgram } from './npm-program';

/** A folder that holds exactly what the image's recipe covers, laid out as docker/ is. */
export interface BuildContext {
  readonly folder: string;
  /** The Dockerfile, outside the folder's reach. */
  readonly dockerfile: string;
}

/**
 * Copies what the recipe counts, and nothing else, so that a build cannot depend on a file that the recipe
 * does not know. An image with a bundle or a program of others gets `<name>-build/` besides.
 */
export async function stageBuildContext(
  name: ImageName,
  options: { root: string; folder: string; cacheFolder: string; architecture: string },
): Promise<BuildContext> {
  const { root, folder } = options;
  const { contextFiles, dockerfile } = imageIngredients(name, root);
  mkdirSync(folder, { recursive: true });
  for (const path of contextFiles) {
    const target = join(folder, relative('docker', path));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(root, path), target);
  }
  const { bundle, program } = IMAGES[name];
  if (bundle) {
    await writeBundleFiles(name, bundle, { ...options, folder: join(folder, `${name}-build`) });
  }
  if (program !== undefined) {
    const target = join(folder, `${name}-build`, program);
    mkdirSync(dirname(target), { recursive: true });
    await extractNpmProgram(join(root, 'docker', name, 'program.json'), target, options);
  }
  return { folder, dockerfile: join(root, dockerfile) };
}
