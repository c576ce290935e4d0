import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { canonicalJson } from '../../core/ids';
import { lockedPackages } from './locked-packages';
import { sourceClosure } from './source-closure';

/** Our images, parents first. */
export const IMAGE_NAMES = [
  'base',
  'python',
  'agent',
  'inspector',
  'nanobot',
  'nanobot-paper',
  'hermes',
  'claude-code',
  'renderer',
] as const;
export type ImageName = (typeof IMAGE_NAMES)[number];

/** Images that only runs of their own harness need: set-up leaves them to whoever launches such runs. */
export const OPTIONAL_IMAGE_NAMES: readonly ImageName[] = [
  'nanobot-paper',
  'hermes',
  'claude-code',
];

/** Code of ours that an image carries as one bundled file. */
export interface ImageBundle {
  /** Entry file, relative to the project root. */
  readonly entry: string;
  /** Packages left out of the bundle and copied as they are, since they have native parts. */
  readonly external: readonly string[];
}

export interface ImageDefinition {
  readonly parent: ImageName | null;
  /** Folders under docker/ that the build may copy from, the Dockerfile's own one first. */
  readonly folders: readonly string[];
  readonly bundle?: ImageBundle;
  /** Name of a program of others, from the npm package that `program.json` beside the Dockerfile pins. */
  readonly program?: string;
}

export const IMAGES: Readonly<Record<ImageName, ImageDefinition>> = {
  base: { parent: null, folders: ['base'] },
  python: { parent: 'base', folders: ['python'] },
  agent: { parent: 'python', folders: ['agent'] },
  inspector: { parent: 'python', folders: ['inspector'] },
  nanobot: { parent: 'python', folders: ['nanobot', 'agent'] },
  'nanobot-paper': { parent: 'python', folders: ['nanobot-paper', 'agent'] },
  hermes: { parent: 'python', folders: ['hermes', 'agent'] },
  'claude-code': { parent: 'python', folders: ['claude-code', 'agent'], program: 'claude' },
  renderer: {
    parent: 'base',
    folders: ['renderer'],
    bundle: { entry: 'activities/evidence/renderer-main.ts', external: ['sharp'] },
  },
};

/** What an image is made of; paths are relative to the project root, sorted. */
export interface ImageIngredients {
  readonly dockerfile: string;
  /** Files under docker/ that the build context holds. */
  readonly contextFiles: readonly string[];
  /** Source files that go into the bundle; empty without one. */
  readonly bundledFiles: readonly string[];
  /** Packages that the bundled files import, without what those packages need themselves. */
  readonly importedPackages: readonly string[];
}

/** The nearest folder at or above `from` that has the Dockerfiles. Throws when there is none. */
export function projectRoot(from: string = __dirname): string {
  if (existsSync(join(from, 'docker', 'base', 'Dockerfile'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('no folder above has docker/base/Dockerfile');
  return projectRoot(parent);
}

/** Reads the folders named in {@link IMAGES}. Throws when the Dockerfile or a bundled file is missing. */
export function imageIngredients(name: ImageName, root: string = projectRoot()): ImageIngredients {
  const { folders, bundle } = IMAGES[name];
  const contextFiles = folders
    .flatMap((folder) => filesBelow(root, posix.join('docker', folder)))
    .filter((path) => posix.basename(path) !== 'Dockerfile')
    .sort();
  const closure = bundle ? sourceClosure(root, bundle.entry) : { files: [], packages: [] };
  return {
    dockerfile: `docker/${folders[0] ?? name}/Dockerfile`,
    contextFiles,
    bundledFiles: closure.files,
    importedPackages: closure.packages,
  };
}

/**
 * Identity of an image, lower-case hex: known before the image exists and equal on every host, since it
 * covers what goes into the build (Dockerfile, pins, copied files, bundled sources and their locked
 * packages, the parent's recipe) and nothing that comes out of it.
 */
export function imageRecipe(name: ImageName, root: string = projectRoot()): string {
  const { parent } = IMAGES[name];
  const ingredients = imageIngredients(name, root);
  const digests = (paths: readonly string[]) =>
    paths.map((path) => [path, sha256(readFileSync(join(root, path)))]);
  return sha256(
    canonicalJson({
      v: 1,
      name,
      parent: parent && imageRecipe(parent, root),
      dockerfile: digests([ingredients.dockerfile]),
      context: digests(ingredients.contextFiles),
      bundled: digests(ingredients.bundledFiles),
      packages: lockedPackages(root, ingredients.importedPackages),
    }),
  );
}

/** `startupbench/<name>:<first 16 hex digits of the recipe>` */
export function imageTag(name: ImageName, root: string = projectRoot()): string {
  return `startupbench/${name}:${imageRecipe(name, root).slice(0, 16)}`;
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Regular files below a folder, without what tools leave behind. */
function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === '__pycache__' ? [] : filesBelow(root, path);
    if (!entry.isFile())
      throw new Error(`${path} is neither a file nor a folder: images copy only those`);
    return /^\.|\.pyc$|~$|\.sw.$/u.test(entry.name) ? [] : [path];
  });
}
