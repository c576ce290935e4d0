import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { formatOfName } from '../../activities/evidence/artifact-format';
import { createContainerRenderer } from '../../activities/evidence/container-renderer';
import { imageTag } from '../../activities/sandbox/image-recipe';
import { type LocatedFile } from './listing';
import { faultsOf } from './markers';
import { type Outcome, disagreementsIn, statusOf } from './outcome';
import { readOfOutput } from './read-file';

export interface ContainerReader {
  /** @param inspect called with the out folder before it is removed */
  read(file: LocatedFile, inspect?: (outDir: string) => Promise<void>): Promise<Outcome>;
  close(): Promise<void>;
}

/** Renders files as the product does, a container each, and measures it. `close` removes the scratch folder. */
export async function createContainerReader(
  image = imageTag('renderer'),
): Promise<ContainerReader> {
  const folder = await mkdtemp(join(tmpdir(), 'evidence-corpus-'));
  const renderer = createContainerRenderer({
    docker: withMemoryPeak(new Docker()),
    imageTag: image,
    recipe: 'corpus',
    stack: `corpus-${randomBytes(4).toString('hex')}`,
  });
  return {
    read: async (file, inspect) => {
      const job = await mkdtemp(join(folder, 'job-'));
      const [sourcePath, outDir] = [join(job, 'source'), join(job, 'out')];
      await mkdir(outDir);
      await copyFile(file.path, sourcePath);
      const format = formatOfName(file.file);
      const started = performance.now();
      try {
        const rendered = await renderer.render({ sourcePath, outDir, format });
        const durationMs = performance.now() - started;
        const reason = rendered.reason ?? '';
        const faults = await faultsOf(file, await readOfOutput(rendered, outDir));
        await inspect?.(outDir);
        return {
          file: file.file,
          format: rendered.format,
          status: statusOf(rendered.status, reason),
          reason,
          durationMs,
          ...(await memoryPeak(outDir)),
          counts: rendered.counts,
          disagreements: disagreementsIn(rendered.warnings),
          faults,
        };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const durationMs = performance.now() - started;
        const nothing = { counts: {}, disagreements: [], faults: [] };
        return { file: file.file, format, status: 'crashed', reason, durationMs, ...nothing };
      } finally {
        await rm(job, { recursive: true, force: true });
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Kernels with control groups of version 1 and 2 keep the peak under different names. */
const PEAK_SCRIPT =
  '"$@"; code=$?; cat /sys/fs/cgroup/memory.peak /sys/fs/cgroup/memory/memory.max_usage_in_bytes ' +
  '>/out/memory-peak 2>/dev/null; exit $code';

/** The same containers, which leave their peak of memory in the out folder when they end. */
function withMemoryPeak(docker: Docker): Docker {
  const measured = Object.create(docker) as Docker;
  const create = (options: Docker.ContainerCreateOptions): Promise<Docker.Container> =>
    docker.createContainer({
      ...options,
      Entrypoint: ['sh', '-c', PEAK_SCRIPT, 'sh', ...[options.Entrypoint ?? []].flat()],
    });
  measured.createContainer = create as Docker['createContainer'];
  return measured;
}

async function memoryPeak(outDir: string): Promise<{ peakBytes?: number }> {
  try {
    const peakBytes = Number.parseInt(await readFile(join(outDir, 'memory-peak'), 'utf8'), 10);
    return Number.isNaN(peakBytes) ? {} : { peakBytes };
  } catch {
    return {};
  }
}
