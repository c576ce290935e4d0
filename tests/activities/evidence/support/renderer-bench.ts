import Docker from 'dockerode';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { formatOfName } from '../../../../activities/evidence/artifact-format';
import {
  type ContainerRendererOptions,
  createContainerRenderer,
} from '../../../../activities/evidence/container-renderer';
import { outputFile } from '../../../../activities/evidence/renderer-output';
import { imageTag } from '../../../../activities/sandbox/image-recipe';
import {
  type RenderedArtifact,
  type TextSegment,
  type WorkbookFacts,
} from '../../../../core/evidence-view';
import { evidenceFixture } from '../../../support/evidence';

/** One rendered file with the content of its parts. */
export interface Rendered {
  readonly artifact: RenderedArtifact;
  readonly segments: readonly TextSegment[];
  readonly workbook: WorkbookFacts | undefined;
  page(number: number): Promise<Buffer>;
}

export type RenderSettings = Partial<ContainerRendererOptions> & { readonly signal?: AbortSignal };

/** Renders files in real containers of a stack of its own; `close` removes whatever is left. */
export class RendererBench {
  readonly docker = new Docker();
  readonly stack = `test-${randomBytes(4).toString('hex')}`;
  readonly image = imageTag('renderer');

  private constructor(readonly folder: string) {}

  static async open(): Promise<RendererBench> {
    return new RendererBench(await mkdtemp(join(tmpdir(), 'renderer-')));
  }

  fixture(name: string, settings: RenderSettings = {}): Promise<Rendered> {
    return this.render(name, evidenceFixture(name), settings);
  }

  /** @param content bytes, or the path of a file */
  async render(
    name: string,
    content: Uint8Array | string,
    { signal, ...settings }: RenderSettings = {},
  ): Promise<Rendered> {
    const job = await mkdtemp(join(this.folder, 'job-'));
    const [sourcePath, outDir] = [join(job, 'source'), join(job, 'out')];
    if (typeof content === 'string') await copyFile(content, sourcePath);
    else await writeFile(sourcePath, content);
    const { docker, stack, image } = this;
    const options = { docker, stack, imageTag: image, recipe: 'recipe', ...settings };
    const artifact = await createContainerRenderer(options).render({
      sourcePath,
      outDir,
      format: formatOfName(name),
      ...(signal ? { signal } : {}),
    });
    const json = async (part: { readonly sha256: string } | undefined): Promise<unknown> =>
      part && JSON.parse(Buffer.from(await outputFile(outDir, part.sha256)).toString());
    return {
      artifact,
      segments: ((await json(artifact.text)) ?? []) as TextSegment[],
      workbook: (await json(artifact.workbook)) as WorkbookFacts | undefined,
      page: async (number) => {
        const image = artifact.pages.find(({ page }) => page === number);
        return Buffer.from(await outputFile(outDir, image?.sha256 ?? ''));
      },
    };
  }

  containers(): Promise<Docker.ContainerInfo[]> {
    const filters = { label: [`startupbench.stack=${this.stack}`] };
    return this.docker.listContainers({ all: true, filters });
  }

  async close(): Promise<void> {
    for (const { Id: id } of await this.containers())
      await this.docker.getContainer(id).remove({ force: true });
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Difference between the lightest and the darkest pixel; a blank page has hardly any. */
export async function contrastOf(jpeg: Buffer): Promise<number> {
  const { channels } = await sharp(jpeg).stats();
  return Math.max(...channels.map(({ min, max }) => max - min));
}
