import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  IMAGE_NAMES,
  type ImageName,
  imageTag,
  OPTIONAL_IMAGE_NAMES,
  projectRoot,
} from '../activities/sandbox/image-recipe';
import { findDockerClient } from './images/docker-client';
import { ImageBuilder, SCRATCH_PREFIX } from './images/image-builder';
import { withMachineLock } from './images/machine-lock';

const USAGE = `usage: tsx scripts/images.ts [--list] [--all] [NAME...]
Builds the images that are missing, with what they are built from; without names, all that every stack needs.
  --all    also the images of single harnesses: ${OPTIONAL_IMAGE_NAMES.join(' ')}
  --list   print each image's tag and do nothing
names: ${IMAGE_NAMES.join(' ')}`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      list: { type: 'boolean' },
      all: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const unknown = positionals.filter((name) => !isImageName(name));
  if (values.help === true || unknown.length > 0) {
    console.error(
      unknown.length > 0 ? `no image is called ${unknown.join(', ')}\n${USAGE}` : USAGE,
    );
    return unknown.length > 0 ? 2 : 0;
  }
  const wanted = IMAGE_NAMES.filter(
    (name) => values.all === true || values.list === true || !OPTIONAL_IMAGE_NAMES.includes(name),
  );
  const names = positionals.length > 0 ? positionals.filter(isImageName) : wanted;
  if (values.list === true) {
    for (const name of names) console.log(`${name} ${imageTag(name)}`);
    return 0;
  }
  await withMachineLock(
    'images',
    () => console.error('waiting for another build of images'),
    () => ensureImages(names),
  );
  return 0;
}

async function ensureImages(names: readonly ImageName[]): Promise<void> {
  const root = projectRoot();
  const dataFolder = resolve(process.env['STARTUPBENCH_DATA'] ?? join(root, '.startupbench'));
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  removeLeftovers(dataFolder);
  const docker = await findDockerClient();
  const registry = process.env['STARTUPBENCH_IMAGE_REGISTRY'];
  const builder = new ImageBuilder({ docker, root, dataFolder, registry });
  const ensure = async (name: ImageName): Promise<void> => {
    const { tag, how, durationMs } = await builder.ensure(name);
    const duration = (durationMs / 1000).toFixed(1).padStart(6);
    const sizeMb = await docker.imageSizeMb(tag);
    console.error(
      `  ${name.padEnd(13)} ${tag.padEnd(42)} ${how.padEnd(8)} ${duration} s ${sizeMb} MB`,
    );
  };
  try {
    const results = await Promise.allSettled(names.map(ensure));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  } finally {
    builder.close();
  }
}

/** Scratch folders of builds that were killed; the lock says that no other build is running. */
function removeLeftovers(dataFolder: string): void {
  for (const name of readdirSync(dataFolder)) {
    if (name.startsWith(SCRATCH_PREFIX)) rmSync(join(dataFolder, name), { recursive: true });
  }
}

function isImageName(name: string): name is ImageName {
  return (IMAGE_NAMES as readonly string[]).includes(name);
}

main().then(
  (exitCode) => (process.exitCode = exitCode),
  (error: unknown) => {
    console.error(`startupbench: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);
