import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  IMAGES,
  type ImageName,
  imageRecipe,
  imageTag,
} from '../../activities/sandbox/image-recipe';
import { stageBuildContext } from './build-context';
import { command } from './command';
import { type DockerClient } from './docker-client';

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
  readonly onOutcome: (outcome: ImageOutcome) => void;
}

/** Makes images exist in the daemon, each at most once; independent ones are built side by side. */
export class ImageBuilder {
  readonly #options: ImageBuilderOptions;
  readonly #inProgress = new Map<ImageName, Promise<void>>();
  #secret: Promise<string> | undefined;
  #scratch: string | undefined;

  constructor(options: ImageBuilderOptions) {
    this.#options = options;
  }

  /** Resolves once the image has its tag. Rejects with the end of the build's log when that fails. */
  ensure(name: ImageName): Promise<void> {
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

  async #ensure(name: ImageName): Promise<void> {
    const { docker, root, registry } = this.#options;
    const tag = imageTag(name, root);
    const started = Date.now();
    if (await docker.hasImage(tag)) {
      this.#report(name, tag, 'present', started);
      return;
    }
    const published = `${registry ?? ''}/startupbench/${name}:${imageRecipe(name, root)}`;
    if (registry !== undefined && (await docker.pullAs(published, tag))) {
      this.#report(name, tag, 'pulled', started);
      return;
    }
    const parent = await this.#parentTag(name);
    const buildStarted = Date.now();
    await this.#build(name, tag, parent);
    this.#report(name, tag, 'built', buildStarted);
  }

  async #parentTag(name: ImageName): Promise<string> {
    const { root } = this.#options;
    const { parent } = IMAGES[name];
    if (parent === null) return command(join(root, 'docker', 'base', 'debian-image.sh'), []);
    await this.ensure(parent);
    return imageTag(parent, root);
  }

  async #build(name: ImageName, tag: string, parent: string): Promise<void> {
    const { docker, root, dataFolder } = this.#options;
    const secret = await (this.#secret ??= this.#packHostSetup());
    const { folder, dockerfile } = await stageBuildContext(name, {
      root,
      folder: join(this.#scratchFolder(), name),
      cacheFolder: join(dataFolder, 'cache'),
      architecture: await docker.architecture(),
    });
    const labels = [`startupbench.image=${name}`, `startupbench.recipe=${imageRecipe(name, root)}`];
    await docker.build(
      [
        ...labels.flatMap((label) => ['--label', label]),
        ...['--secret', `id=hostcfg,src=${secret}`],
        ...['--build-arg', `PARENT=${parent}`],
        ...['--file', dockerfile, '--tag', tag, folder],
      ],
      join(dataFolder, 'logs', `image-${name}.log`),
    );
  }

  async #packHostSetup(): Promise<string> {
    const file = join(this.#scratchFolder(), 'hostcfg.tar.gz');
    await command(join(this.#options.root, 'docker', 'hostcfg.sh'), [file]);
    return file;
  }

  #scratchFolder(): string {
    return (this.#scratch ??= mkdtempSync(join(this.#options.dataFolder, SCRATCH_PREFIX)));
  }

  #report(name: ImageName, tag: string, how: ImageOutcome['how'], started: number): void {
    this.#options.onOutcome({ name, tag, how, durationMs: Date.now() - started });
  }
}
