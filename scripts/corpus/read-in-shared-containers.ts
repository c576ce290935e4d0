import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { formatOfName } from '../../activities/evidence/artifact-format';
import { rendererOptions } from '../../activities/evidence/renderer-options';
import { outputOf } from '../../activities/evidence/renderer-output';
import { imageTag } from '../../activities/sandbox/image-recipe';
import { type LocatedFile } from './listing';
import { faultsOf } from './markers';
import { type Outcome, disagreementsIn, statusOf } from './outcome';
import { readOfOutput } from './read-file';

/** The product's limit on one artifact. */
const SECONDS_A_FILE = 150;
/** Source, format and out folder, which the loop gives for each file. */
const ARGUMENTS = 3;

/**
 * Each file by a renderer process of its own, under the product's limits, with nothing left of the one before:
 * neither processes nor scratch files. Exit code, start and end in milliseconds go beside what it wrote.
 */
const LOOP = `
for job in /in/source/*; do
  out=/out/$(basename "$job"); started=$(date +%s%3N)
  timeout --kill-after=5 ${SECONDS_A_FILE} "$@" "$job/source" "$(cat "$job/format")" "$out" 2>"$out/words" </dev/null
  echo "$? $started $(date +%s%3N)" >"$out/end"
  kill -9 -1 2>/dev/null; rm -rf /tmp/* /tmp/.[!.]*
done`;

export interface SharedContainerReader {
  /** Outcomes in the order of the files, which share one container. */
  readMany(files: readonly LocatedFile[]): Promise<Outcome[]>;
  close(): Promise<void>;
}

/**
 * Renders several files in one container that is otherwise the product's, which saves the container's start and end
 * for each. Memory is not measured: a container only knows the peak of all its files.
 */
export async function createSharedContainerReader(
  image = imageTag('renderer'),
): Promise<SharedContainerReader> {
  const folder = await mkdtemp(join(tmpdir(), 'evidence-shared-'));
  const docker = new Docker();
  const stack = `corpus-${randomBytes(4).toString('hex')}`;
  return {
    readMany: async (files) => {
      const batch = await mkdtemp(join(folder, 'batch-'));
      try {
        const outDirs = await layOut(files, batch);
        const words = await runBatch(docker, optionsOf(batch, image, stack));
        return await Promise.all(
          files.map((file, at) => outcomeOf(file, outDirs[at] ?? '', words)),
        );
      } finally {
        await rm(batch, { recursive: true, force: true });
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** `in/<n>/{source,format}` and `out/<n>` of each file; the container's user is nobody on this host. */
async function layOut(files: readonly LocatedFile[], batch: string): Promise<string[]> {
  const outDirs: string[] = [];
  for (const [at, file] of files.entries()) {
    const name = String(at).padStart(4, '0');
    const [job, outDir] = [join(batch, 'in', name), join(batch, 'out', name)];
    for (const each of [job, outDir]) await mkdir(each, { recursive: true });
    await copyFile(file.path, join(job, 'source'));
    await chmod(join(job, 'source'), 0o444);
    await writeFile(join(job, 'format'), formatOfName(file.file));
    await chmod(outDir, 0o777);
    outDirs.push(outDir);
  }
  return outDirs;
}

function optionsOf(batch: string, image: string, stack: string): Docker.ContainerCreateOptions {
  const options = rendererOptions(
    { sourcePath: join(batch, 'in'), outDir: join(batch, 'out'), format: 'other' },
    { imageTag: image, stack, innerTimeoutMs: SECONDS_A_FILE * 1000 },
  );
  // The loop is the container's only process that must not be killed; each file ends by itself in time.
  const renderer = (options.Cmd ?? []).slice(0, -ARGUMENTS);
  return { ...options, Entrypoint: ['sh', '-c', LOOP, 'sh'], Cmd: renderer };
}

/** What the container says when it ends. */
async function runBatch(docker: Docker, options: Docker.ContainerCreateOptions): Promise<string> {
  const container = await docker.createContainer(options);
  try {
    await container.start();
    await container.wait();
    const { State: state } = await container.inspect();
    return `the container ended with ${state.ExitCode}${state.OOMKilled ? ', out of memory' : ''}`;
  } finally {
    await container.remove({ force: true, v: true });
  }
}

async function outcomeOf(file: LocatedFile, outDir: string, words: string): Promise<Outcome> {
  const end = await endOf(outDir);
  const shared = { file: file.file, durationMs: end?.durationMs ?? 0 };
  const crashed = (reason: string): Outcome => ({
    ...{ ...shared, format: formatOfName(file.file), status: 'crashed', reason },
    ...{ counts: {}, disagreements: [], faults: [] },
  });
  if (!end) return crashed(`left no record; ${words}`);
  if (end.exitCode !== 0) return crashed(await reasonOf(end.exitCode, outDir));
  try {
    const output = await outputOf(outDir);
    if (!output) return crashed('left no record');
    const rendered = { ...output, rendererRecipe: 'corpus' };
    const reason = rendered.reason ?? '';
    return {
      ...{ ...shared, format: rendered.format, status: statusOf(rendered.status, reason), reason },
      counts: rendered.counts,
      disagreements: disagreementsIn(rendered.warnings),
      faults: await faultsOf(file, await readOfOutput(rendered, outDir)),
    };
  } catch (error) {
    return crashed(error instanceof Error ? error.message : String(error));
  }
}

async function endOf(
  outDir: string,
): Promise<{ exitCode: number; durationMs: number } | undefined> {
  try {
    const [exitCode = NaN, from = NaN, to = NaN] = (await readFile(join(outDir, 'end'), 'utf8'))
      .trim()
      .split(' ')
      .map(Number);
    return { exitCode, durationMs: to - from };
  } catch {
    return undefined;
  }
}

const TIMED_OUT = 124;
/** SIGKILL and Node's own end when its heap is full. */
const OUT_OF_MEMORY: readonly number[] = [137, 134];

async function reasonOf(exitCode: number, outDir: string): Promise<string> {
  if (exitCode === TIMED_OUT) return 'rendering was stopped at its time limit';
  if (OUT_OF_MEMORY.includes(exitCode)) return 'rendering needed more memory than 1 GiB';
  const words = (await readFile(join(outDir, 'words'), 'utf8')).trim().slice(0, 300);
  return `the renderer failed (exit ${exitCode}): ${words}`;
}
