import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import type Docker from 'dockerode';
import { type RenderedArtifact } from '../../core/evidence-view';
import { Failure } from '../../core/failure';
import { callDocker, endOf, removeContainer, removeLeftovers, type ContainerEnd } from './docker';
import { type RenderJob, type Renderer } from './port';
import { rendererOptions } from './renderer-options';
import { describeUnrenderable, outputOf } from './renderer-output';

export interface ContainerRendererOptions {
  readonly docker: Docker;
  readonly imageTag: string;
  /** Recipe of that image: names what rendered an artifact, and where its record is kept. */
  readonly recipe: string;
  /** Containers carry it as a label; leftovers of the same stack are removed every ten minutes. */
  readonly stack: string;
  /** End from inside, for the whole artifact, whole seconds. @default 150_000 */
  readonly innerTimeoutMs?: number;
  /** SIGKILL from outside where the inner end did not work. @default innerTimeoutMs + 30_000 */
  readonly outerTimeoutMs?: number;
}

const CLEANING_INTERVAL_MS = 600_000;
const LOOK_EVERY_MS = 5_000;

/**
 * One hardened container for each artifact. Whatever a file does to it is a recorded status; `Failure('RenderUnavailable')`
 * is only for what the file has nothing to do with: daemon away, image missing, container stopped by others.
 */
export function createContainerRenderer(options: ContainerRendererOptions): Renderer {
  const { docker, recipe, stack } = options;
  const innerTimeoutMs = options.innerTimeoutMs ?? 150_000;
  const outerTimeoutMs = options.outerTimeoutMs ?? innerTimeoutMs + 30_000;
  let cleanedAt = 0;
  return {
    recipe,
    render: async (job) => {
      if (Date.now() - cleanedAt > CLEANING_INTERVAL_MS) {
        await removeLeftovers(docker, stack, outerTimeoutMs);
        cleanedAt = Date.now();
      }
      await prepareFolder(job);
      const container = await callDocker('create the renderer container', () =>
        docker.createContainer(rendererOptions(job, { ...options, innerTimeoutMs })),
      );
      try {
        const end = await runToEnd(container, outerTimeoutMs, job.signal);
        return await collect(job, end, recipe);
      } finally {
        await removeContainer(container);
      }
    },
  };
}

/** The out folder is written by the container's user, who is nobody else on this host. */
async function prepareFolder({ outDir, sourcePath }: RenderJob): Promise<void> {
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  await chmod(outDir, 0o777);
  await chmod(sourcePath, 0o444);
}

async function runToEnd(
  container: Docker.Container,
  outerTimeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<ContainerEnd> {
  signal?.throwIfAborted();
  let killedAtMs: number | undefined;
  const kill = (): void => {
    killedAtMs ??= Date.now();
    // The container may have ended meanwhile; `wait` tells.
    container.kill({ signal: 'SIGKILL' }).catch(() => undefined);
  };
  const timer = setTimeout(kill, outerTimeoutMs);
  signal?.addEventListener('abort', kill, { once: true });
  try {
    await callDocker('start the renderer container', () => container.start());
    if (signal?.aborted === true) kill();
    await callDocker('wait for the renderer container', () => untilStopped(container));
    signal?.throwIfAborted();
    return await endOf(container, killedAtMs);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  }
}

/** A daemon that dies behind the head of its answer leaves `wait` open for ever: so it is looked at in between. */
async function untilStopped(container: Docker.Container): Promise<void> {
  for (;;) {
    const look = new AbortController();
    const timer = setTimeout(() => look.abort(), LOOK_EVERY_MS);
    const timeToLook = new Promise<boolean>((resolve) => {
      look.signal.addEventListener('abort', () => resolve(false), { once: true });
    });
    const waiting = container.wait({ abortSignal: look.signal } as Docker.ContainerWaitOptions);
    const stopped = waiting.then(
      () => true,
      (error: unknown) => {
        if (look.signal.aborted) return false;
        throw error;
      },
    );
    try {
      if (await Promise.race([stopped, timeToLook])) return;
    } finally {
      clearTimeout(timer);
    }
    if (!(await container.inspect()).State.Running) return;
  }
}

async function collect(
  job: RenderJob,
  end: ContainerEnd,
  recipe: string,
): Promise<RenderedArtifact> {
  const output = await outputOf(job.outDir);
  if (output && (end.exitCode === 0 || end.blame === 'file')) {
    if (end.exitCode === 0) return { ...output, rendererRecipe: recipe };
    // A record from before the end says what was read until then.
    const reason = [output.reason, end.reason].filter(Boolean).join('; ');
    return { ...output, status: 'truncated', reason, rendererRecipe: recipe };
  }
  if (end.blame === 'container')
    throw new Failure(
      'RenderUnavailable',
      `the renderer container was stopped from outside: ${end.reason}`,
    );
  const source = await readFile(job.sourcePath);
  return describeUnrenderable(source, job.format, recipe, end);
}
