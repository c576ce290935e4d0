import type Docker from 'dockerode';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from '../../core/failure';
import { type AttemptLimits, DEFAULT_LIMITS } from '../../core/limits';
import { type AttemptDiskOptions, giveTo, prepareDisk, removeAttemptFolder } from './attempt-disk';
import { attemptPaths, INSIDE, OWN_FOLDER, type AttemptPaths } from './attempt-paths';
import { DockerSandbox } from './docker-sandbox';
import { projectRoot } from './image-recipe';
import { readBelow } from './open-below';
import { attemptIdOf, type SandboxEnd, type SandboxSpecification } from './port';
import { sandboxUser } from './sandbox-user';

/** One way out of a sandbox that was tried. */
export interface ProbeFinding {
  readonly name: string;
  /** True when the sandbox held. */
  readonly ok: boolean;
  readonly detail: string;
}

export interface ProbeOptions {
  readonly docker: Docker;
  /** Full tag of the image to probe; it needs Python and the supervisor. */
  readonly image: string;
  readonly stack: string;
  readonly hostId: string;
  /** `<data>/sandboxes`: the probe lies where attempts lie. */
  readonly sandboxesDir: string;
  readonly disk?: AttemptDiskOptions;
  /** Default 60,000. */
  readonly timeoutMs?: number;
  /** Ends the probe early; nothing is left then either. */
  readonly signal?: AbortSignal;
}

/** Small, so that each limit is reached in a moment. */
const PROBE_LIMITS: AttemptLimits = {
  ...DEFAULT_LIMITS,
  memoryBytes: 128 * 1024 ** 2,
  cpus: 1,
  pids: 48,
  fileBytes: 8 * 1024 ** 2,
  workspaceBytes: 32 * 1024 ** 2,
};
const MAX_FINDINGS_BYTES = 1024 ** 2;
const findingsSchema = z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() }));

/**
 * Proves from inside a real sandbox, made as every other one is, that it holds: no way to the network, to the host, to
 * another attempt, to more rights or beyond its limits. Throws `Failure` where no sandbox can be run at all.
 */
export async function probeSandbox(options: ProbeOptions): Promise<ProbeFinding[]> {
  const { docker, sandboxesDir, stack, hostId } = options;
  const labels = {
    ...{ stack, hostId, runKey: `probe${randomBytes(16).toString('hex')}`, runId: 'probe' },
    ...{ generation: 1, attempt: 1, workflowId: 'probe' },
  };
  const attemptId = attemptIdOf(labels);
  const paths = attemptPaths(join(sandboxesDir, attemptId));
  const neighbour = attemptPaths(`${paths.attemptDir}-neighbour`);
  const sandbox = new DockerSandbox({ docker });
  const specification: SandboxSpecification = {
    attemptId,
    attemptDir: paths.attemptDir,
    labels,
    image: options.image,
    command: ['/usr/bin/python3', '-I', ...['probe.py', 'probe.json', 'found.json'].map(insideOwn)],
    environment: {},
    limits: PROBE_LIMITS,
  };
  let closeNeighbour: (() => Promise<void>) | undefined;
  try {
    closeNeighbour = await makeNeighbour(neighbour);
    await prepare(specification, paths, neighbour, options.disk);
    await sandbox.startOrAdopt(specification);
    const timeout = AbortSignal.timeout(options.timeoutMs ?? 60_000);
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
    const end = await sandbox.wait(specification, signal);
    return [...(await readFindings(paths, end)), ...findingsFromOutside(end)];
  } finally {
    await closeNeighbour?.();
    await sandbox.remove(specification);
    await removeAttemptFolder(neighbour);
  }
}

function insideOwn(name: string): string {
  return `${INSIDE.own}/${name}`;
}

/** What another attempt on this host would have: a socket that answers and a folder with a secret. */
async function makeNeighbour(paths: AttemptPaths): Promise<() => Promise<void>> {
  await mkdir(paths.run, { recursive: true });
  await mkdir(paths.control, { recursive: true });
  await writeFile(join(paths.control, 'secret'), 'of another attempt');
  const server = createServer((socket) => socket.end('reached'));
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(shortSocketPath(paths), resolve);
  });
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/** Addresses of Unix sockets are short: data folders need not be. */
function shortSocketPath(paths: AttemptPaths): string {
  const path = join(paths.run, 'gateway.sock');
  return Buffer.byteLength(path) < 100 ? path : `\0${path.slice(-90)}`;
}

async function prepare(
  { attemptId }: SandboxSpecification,
  paths: AttemptPaths,
  neighbour: AttemptPaths,
  disk: AttemptDiskOptions | undefined,
): Promise<void> {
  const user = sandboxUser(attemptId);
  await mkdir(paths.control, { recursive: true, mode: 0o700 });
  const kind = await prepareDisk(paths, PROBE_LIMITS.workspaceBytes, user, disk);
  const own = join(paths.home, OWN_FOLDER);
  await mkdir(own);
  await giveTo(own, user);
  await copyFile(join(projectRoot(), 'docker', 'probe', 'probe.py'), join(own, 'probe.py'));
  const settings = {
    ...PROBE_LIMITS,
    bounded: kind === 'bounded',
    foreignPaths: [
      ...['/var/run/docker.sock', '/run/docker.sock', neighbour.attemptDir],
      ...[join(neighbour.run, 'gateway.sock'), join(neighbour.control, 'secret'), paths.control],
    ],
  };
  await writeFile(join(own, 'probe.json'), JSON.stringify(settings));
}

async function readFindings(paths: AttemptPaths, end: SandboxEnd): Promise<ProbeFinding[]> {
  const bytes = await readBelow(paths.home, `${OWN_FOLDER}/found.json`, MAX_FINDINGS_BYTES);
  if (bytes === undefined)
    throw new Failure(
      'DockerUnavailable',
      `the probe left no findings; it ended with ${end.exit.exitCode ?? end.exit.signal ?? 'nothing'}: ${end.exit.lastLogLines.join(' | ')}`,
    );
  return findingsSchema.parse(JSON.parse(bytes.toString('utf8')));
}

/** What was reached must also be in the record that an attempt's outcome rests on. */
function findingsFromOutside({ exit }: SandboxEnd): ProbeFinding[] {
  return ['memory', 'pids'].map((limit) => ({
    name: `the end record says that the limit of ${limit} was reached`,
    ok: exit.limitsHit.includes(limit),
    detail: exit.limitsHit.join(', '),
  }));
}
