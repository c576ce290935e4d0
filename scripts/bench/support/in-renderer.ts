import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { build } from 'esbuild';
import { rendererOptions } from '../../../activities/evidence/renderer-options';
import { imageTag, projectRoot } from '../../../activities/sandbox/image-recipe';

const LIMIT_MS = 150_000;

export interface ProgramRun<Answer> {
  readonly answer: Answer;
  /** From the call that makes the container to the container's end. */
  readonly wallSeconds: number;
}

/**
 * Runs a program of ours in a container like the renderer's, on its Node, packages and programs: `node PROGRAM SOURCE`.
 * The last line that it prints is its answer, as JSON.
 */
export async function runInRenderer<Answer>(
  program: string,
  sourcePath: string,
  image = imageTag('renderer'),
): Promise<ProgramRun<Answer>> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-renderer-'));
  const [input, outDir] = [join(folder, 'in'), join(folder, 'out')];
  for (const each of [input, outDir]) await mkdir(each);
  await chmod(outDir, 0o777);
  await copyFile(sourcePath, join(input, 'source'));
  await bundle(program, join(input, 'program.js'));
  const options = rendererOptions(
    { sourcePath: input, outDir, format: 'other' },
    { imageTag: image, stack: `bench-${randomBytes(4).toString('hex')}`, innerTimeoutMs: LIMIT_MS },
  );
  try {
    const started = performance.now();
    const container = await new Docker().createContainer({
      ...options,
      Env: [...(options.Env ?? []), 'NODE_PATH=/opt/startupbench/node_modules'],
      Cmd: ['sh', '-c', 'node /in/source/program.js /in/source/source >/out/answer 2>&1'],
    });
    try {
      await container.start();
      await container.wait();
      const wallSeconds = (performance.now() - started) / 1000;
      const words = await readFile(join(outDir, 'answer'), 'utf8');
      return { answer: answerIn(words) as Answer, wallSeconds };
    } finally {
      await container.remove({ force: true, v: true });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function answerIn(words: string): unknown {
  try {
    return JSON.parse(words.trim().split('\n').at(-1) ?? '');
  } catch {
    const last = words.trim().slice(-500) || 'no word, so it was stopped at its time limit';
    throw new Error(`the program in the renderer container failed: ${last}`);
  }
}

/** One file; packages that are not plain JavaScript come from the image. */
async function bundle(program: string, outfile: string): Promise<void> {
  await build({
    absWorkingDir: projectRoot(),
    entryPoints: [program],
    external: ['sharp'],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outfile,
    logLevel: 'error',
  });
}
