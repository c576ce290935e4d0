import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  IMAGES,
  type ImageName,
  imageRecipe,
  imageTag,
} from '../../activities/sandbox/image-recipe';
import { stageBuildContext } from './build-context';
import { command } from './command';
import { type DockerClient, RECIPE_LABEL } from './docker-client';

/** Scratch folders in the data folder begin with this. */
export const SCRATCH_PREFIX = 'image-build-';

export interface ImageOutcome {
  readonly name: ImageName;
  readonly tag: string;
  readonly how: 'present' | 'pulled' | 'built';
  /** Without the time its parents took. */
  readonly durationMs: number;
}

export interface ImageBuilderOptions {
  readonly docker: DockerClient;
  readonly root: string;
  /** Scratch and cache files, build logs. */
  readonly dataFolder: string;
  /** Where finished images may be pulled from, such as `registry.example/team`; undefined = nowhere. */
  readonly registry?: string | undefined;
}

/** Makes images exist in the daemon, each at most once; independent ones are built side by side. */
export class ImageBuilder {
  readonly #options: ImageBuilderOptions;
  readonly #inProgress = new Map<ImageName, Promise<ImageOutcome>>();
  #secret: Promise<string> | undefined;
  #scratch: string | undefined;

  constructor(options: ImageBuilderOptions) {
    this.#options = options;
  }

  /** Resolves once the image has its tag. Rejects with the end of the build's log when that fails. */
  ensure(name: ImageName): Promise<ImageOutcome> {
    const known = this.#inProgress.get(name);
    if (known) return known;
    const work = this.#ensure(name);
    this.#inProgress.set(name, work);
    return work;
  }

  /** Removes scratch files, the packed package-manager set-up among them. */
  close(): void {
    if (this.#scratch !== undefined) rmSync(this.#scratch, { recursive: true, force: true });
  }

  async #ensure(name: ImageName): Promise<ImageOutcome> {
    const { docker, root, registry } = this.#options;
    const recipe = imageRecipe(name, root);
    const tag = imageTag(name, root);
    let started = Date.now();
    const outcome = (how: ImageOutcome['how']): ImageOutcome => ({
      name,
      tag,
      how,
      durationMs: Date.now() - started,
    });
    if (await docker.hasImage(tag, recipe)) return outcome('present');
    const published = `${registry ?? ''}/startupbench/${name}:${recipe}`;
    if (registry !== undefined && (await docker.pull(published))) {
      await docker.tag(published, tag);
      return outcome('pulled');
    }
    const parent = await this.#parentTag(name);
    started = Date.now();
    const image = await this.#build(name, recipe, parent);
    // A file edited in mid-build would give this tag a content that its recipe does not describe.
    if (imageRecipe(name, root) !== recipe) {
      throw new Error(`files of the image ${name} changed while it was built; build it again`);
    }
    await docker.tag(image, tag);
    return outcome('built');
  }

  async #parentTag(name: ImageName): Promise<string> {
    const { parent } = IMAGES[name];
    if (parent !== null) return (await this.ensure(parent)).tag;
    return command(join(this.#options.root, 'docker', 'base', 'debian-image.sh'), []);
  }

  /** Returns the id of the image, which has no tag yet. */
  async #build(name: ImageName, recipe: string, parent: string): Promise<string> {
    const { docker, root, dataFolder } = this.#options;
    const secret = await (this.#secret ??= this.#packHostSetup());
    const { folder, dockerfile } = await stageBuildContext(name, {
      root,
      folder: join(this.#scratchFolder(), name),
      cacheFolder: join(dataFolder, 'cache'),
      architecture: await docker.architecture(),
    });
    const idFile = join(this.#scratchFolder(), `${name}.id`);
    await docker.build(
      [
        ...['--label', `startupbench.image=${name}`, '--label', `${RECIPE_LABEL}=${recipe}`],
        ...['--secret', `id=hostcfg,src=${secret}`],
        ...['--build-arg', `PARENT=${parent}`],
        ...['--file', dockerfile, '--iidfile', idFile, folder],
      ],
      join(dataFolder, 'logs', `image-${name}.log`),
    );
    return readFileSync(idFile, 'utf8').trim();
  }

  async #packHostSetup(): Promise<string> {
    const file = join(this.#scratchFolder(), 'hostcfg.tar.gz');
    await command(join(this.#options.root, 'docker', 'hostcfg.sh'), [file]);
    return file;
  }

  #scratchFolder(): string {
    return (this.#scratch ??= mkdtempSync(join(this.#options.dataFolder, SCRATCH_PREFIX)));
  }
}
