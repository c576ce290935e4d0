import type Docker from 'dockerode';
import { Failure } from '../../core/failure';

export const KIND_LABEL = 'startupbench.kind';
export const STACK_LABEL = 'startupbench.stack';
export const RENDERER_KIND = 'renderer';

/** How a renderer container ended, and whose doing it was. */
export interface ContainerEnd {
  readonly exitCode: number;
  /** `none`: it ended by itself in order. */
  readonly blame: 'none' | 'file' | 'container';
  readonly reason: string;
}

/** Exit codes of processes that SIGKILL and SIGTERM ended, as shells and Docker report them. */
const KILLED = 137;
const TERMINATED = 143;
/** What `timeout` exits with when its time was up. */
const TIMED_OUT = 124;
/** Node's own end when its heap is full (SIGABRT). */
const ABORTED = 134;

const BUILD_IMAGE = 'build it with: npx tsx scripts/images.ts renderer';

/** Runs a call to the daemon; its errors become `Failure('RenderUnavailable')` that says what was tried. */
export async function callDocker<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).trim();
    const advice = /no such image/iu.test(message) ? `; ${BUILD_IMAGE}` : '';
    throw new Failure('RenderUnavailable', `cannot ${what}: ${message}${advice}`, { cause: error });
  }
}

/** Clocks of this host and of its daemon may differ by this much. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * Tells a file that exhausted its limits from a container that others stopped: a kill that is neither
 * ours, nor the inner time limit's, nor the memory limit's was no file's doing.
 *
 * @param killedAtMs when we killed it at the outer time limit; a process that stood still comes to that long after
 * the container's own end, which then stays its own
 */
export async function endOf(
  container: Pick<Docker.Container, 'inspect' | 'logs'>,
  killedAtMs: number | undefined,
): Promise<ContainerEnd> {
  const { State: state } = await callDocker('inspect the renderer container', () =>
    container.inspect(),
  );
  const exitCode = state.ExitCode;
  if (exitCode === 0) return { exitCode, blame: 'none', reason: '' };
  if (state.OOMKilled || exitCode === ABORTED)
    return { exitCode, blame: 'file', reason: 'rendering needed more memory than 1 GiB' };
  const hadEnded = Date.parse(state.FinishedAt) < (killedAtMs ?? 0) - CLOCKS_DIFFER_MS;
  if ((killedAtMs !== undefined && !hadEnded) || exitCode === TIMED_OUT)
    return { exitCode, blame: 'file', reason: 'rendering was stopped at its time limit' };
  if (exitCode === KILLED || exitCode === TERMINATED)
    return { exitCode, blame: 'container', reason: `exit code ${exitCode}` };
  const words = await lastLogLine(container);
  return { exitCode, blame: 'file', reason: `the renderer failed (exit ${exitCode}): ${words}` };
}

async function lastLogLine(container: Pick<Docker.Container, 'logs'>): Promise<string> {
  const log = await callDocker('read the log of the renderer container', () =>
    container.logs({ stdout: false, stderr: true, tail: 20 }),
  );
  const lines = log
    .toString('utf8')
    .split('\n')
    // Each line begins with the stream's 8-byte header.
    .map((line) => line.slice(8).trim())
    .filter((line) => line !== '' && !line.startsWith('at '));
  return (lines.find((line) => /Error/u.test(line)) ?? lines[0] ?? 'no word').slice(0, 300);
}

/** Removes a container by force; one that is gone is fine, an unreachable daemon is left to `removeLeftovers`. */
export async function removeContainer(container: Docker.Container): Promise<void> {
  await container.remove({ force: true, v: true }).catch(() => undefined);
}

/** Removes renderer containers of this stack that outlived any job, such as a killed worker's. */
export async function removeLeftovers(
  docker: Docker,
  stack: string,
  olderThanMs: number,
): Promise<void> {
  const containers = await callDocker('list renderer containers', () =>
    docker.listContainers({
      all: true,
      filters: {
        label: [`${KIND_LABEL}=${RENDERER_KIND}`, `${STACK_LABEL}=${stack}`],
      },
    }),
  );
  const newest = Date.now() - olderThanMs;
  await Promise.all(
    containers
      .filter(({ Created: createdSeconds }) => createdSeconds * 1000 < newest)
      .map(({ Id: id }) => removeContainer(docker.getContainer(id))),
  );
}
