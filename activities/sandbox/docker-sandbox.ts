import type Docker from 'dockerode';
import { type ContainerInspectInfo } from 'dockerode';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../core/failure';
import { removeAttemptFolder } from './attempt-disk';
import { attemptPaths, INSIDE, type AttemptPaths } from './attempt-paths';
import { AttemptState } from './attempt-state';
import { containerOptions } from './container-options';
import {
  callDocker,
  callDockerIfThere,
  dockerFailure,
  isConflict,
  isMissing,
} from './docker-errors';
import { differencesFromAsked } from './inspect-comparison';
import {
  type KillIntent,
  type Sandbox,
  type SandboxAddress,
  type SandboxEnd,
  type SandboxSpecification,
} from './port';
import { lost, sandboxEnd } from './sandbox-end';
import { sandboxUser, writeEtcFiles } from './sandbox-user';
import { KeyedMutex, Semaphore } from './semaphore';
import { STOP_GRACE_MS, writeOrders } from './supervisor-orders';

export interface DockerSandboxOptions {
  readonly docker: Docker;
  /** Creates and starts at once: more of them only wait on each other in the daemon. Default 4. */
  readonly maxCreates?: number;
  /** How long an unreachable daemon is waited for before the wait fails; default 30,000. */
  readonly daemonPatienceMs?: number;
  /** A missed event of the daemon, or its death, is noticed after this time; default 5,000. */
  readonly pollMs?: number;
  readonly now?: () => Date;
}

const REMOVE_TIMEOUT_MS = 30_000;
const CONFLICT_TRIES = 100;

/** A container per attempt, through the daemon's API. */
export class DockerSandbox implements Sandbox {
  private readonly docker: Docker;
  private readonly creates: Semaphore;
  /** Executors of one attempt: between the look at a container and what follows from it, nobody else changes it. */
  private readonly attempts = new KeyedMutex();
  private readonly daemonPatienceMs: number;
  private readonly pollMs: number;
  private readonly now: () => Date;

  constructor(options: DockerSandboxOptions) {
    this.docker = options.docker;
    this.creates = new Semaphore(options.maxCreates ?? 4);
    this.daemonPatienceMs = options.daemonPatienceMs ?? 30_000;
    this.pollMs = options.pollMs ?? 5_000;
    this.now = options.now ?? (() => new Date());
  }

  startOrAdopt(specification: SandboxSpecification): Promise<void> {
    return this.attempts.run(specification.attemptId, () => this.startOrAdoptAlone(specification));
  }

  private async startOrAdoptAlone(specification: SandboxSpecification): Promise<void> {
    const paths = attemptPaths(specification.attemptDir);
    const state = new AttemptState(paths.control);
    // Whoever comes behind the clean-up must not begin anew: nothing would be left to find it by.
    if (!existsSync(paths.control)) throw lost(specification, 'its folder is gone');
    if ((await state.read('ended')) !== undefined) return;
    // Before the look: an executor in another process may create and start it just now.
    const wasStarted = (await state.read('started')) !== undefined;
    const existing = await this.inspect(specification.attemptId);
    if (existing !== undefined && existing.State.Status !== 'created') {
      await this.recordStarted(state, existing);
      return;
    }
    if ((await state.readIntent()) !== undefined) {
      // It never ran, and never will: without a container the intent alone is its end.
      await removeContainer(this.docker, specification.attemptId);
      return;
    }
    if (existing === undefined && wasStarted) throw lost(specification, 'its container is gone');
    await this.creates.run(async () => {
      if (existing === undefined) await this.create(specification, paths, state);
      await this.start(specification, paths, state);
    });
  }

  async wait(specification: SandboxSpecification, signal: AbortSignal): Promise<SandboxEnd> {
    const paths = attemptPaths(specification.attemptDir);
    const state = new AttemptState(paths.control);
    const known = await state.read('ended');
    if (known !== undefined) return known;
    const stopped = await this.untilStopped(specification.attemptId, signal);
    const end = await sandboxEnd(specification, stopped);
    await state.write('ended', end);
    return (await state.read('ended')) ?? end;
  }

  stop(address: SandboxAddress, intent: KillIntent): Promise<void> {
    return this.attempts.run(address.attemptId, () => this.stopAlone(address, intent));
  }

  private async stopAlone(address: SandboxAddress, intent: KillIntent): Promise<void> {
    const state = new AttemptState(attemptPaths(address.attemptDir).control);
    await state.writeIntent({ intent, at: this.now().toISOString() });
    const container = this.docker.getContainer(address.attemptId);
    // The supervisor asks and then forces within its grace; the daemon's own limit is only for a dead supervisor.
    const seconds = Math.ceil(STOP_GRACE_MS / 1000) + 2;
    await callDockerIfThere('stop a sandbox', async () => {
      try {
        await container.stop({ t: seconds });
      } catch (error) {
        if ((error as { statusCode?: number }).statusCode !== 304) throw error;
      }
    });
  }

  remove({ attemptId, attemptDir }: SandboxAddress): Promise<void> {
    return this.attempts.run(attemptId, async () => {
      await removeContainer(this.docker, attemptId);
      await removeAttemptFolder(attemptPaths(attemptDir));
    });
  }

  private async create(
    specification: SandboxSpecification,
    paths: AttemptPaths,
    state: AttemptState,
  ): Promise<void> {
    const user = sandboxUser(specification.attemptId);
    await writeEtcFiles(paths.etc, user, INSIDE.home);
    await writeOrders(specification, paths, user);
    let containerId: string;
    try {
      const options = containerOptions(specification, paths);
      containerId = (await this.docker.createContainer(options)).id;
    } catch (error) {
      if (isMissing(error))
        throw new Failure(
          'ConfigMissing',
          `image ${specification.image} is not on this host; build it with: npx tsx scripts/images.ts ${imageName(specification.image)}`,
          { cause: error },
        );
      // Somebody created it under this name between our look and our call: it is this attempt's.
      if (!isConflict(error)) throw dockerFailure('create a sandbox', error);
      containerId = await this.untilCreated(specification);
    }
    await state.write('created', { containerId, at: this.now().toISOString() });
  }

  /** Its name is taken a moment before it can be inspected. */
  private async untilCreated(specification: SandboxSpecification): Promise<string> {
    for (let tries = 0; tries < CONFLICT_TRIES; tries++) {
      const found = await this.inspect(specification.attemptId);
      if (found !== undefined) return found.Id;
      await sleep(100);
    }
    throw new Failure(
      'DockerUnavailable',
      `the name ${specification.attemptId} is taken, but no container has it`,
    );
  }

  private async start(
    specification: SandboxSpecification,
    paths: AttemptPaths,
    state: AttemptState,
  ): Promise<void> {
    const created = await this.inspect(specification.attemptId);
    if (created === undefined) throw lost(specification, 'its container is gone before the start');
    await this.recordStarted(state, created);
    // Whoever created it has started it too, and it may have ended: Docker would run it a second time.
    if (created.State.Status !== 'created') return;
    await callDocker('start a sandbox', () =>
      this.docker.getContainer(specification.attemptId).start(),
    ).catch((error: unknown) => {
      if ((error as Failure).options.cause !== undefined && isNotModified(error)) return;
      throw error;
    });
    const running = await this.inspect(specification.attemptId);
    if (running === undefined) throw lost(specification, 'its container is gone after the start');
    const differences = differencesFromAsked(containerOptions(specification, paths), running);
    if (differences.length === 0) return;
    await removeContainer(this.docker, specification.attemptId);
    throw new Failure(
      'ConfigMissing',
      `the Docker daemon did not confine the sandbox as asked (${differences.join('; ')}); no agent runs on this host`,
    );
  }

  private async recordStarted(state: AttemptState, container: ContainerInspectInfo): Promise<void> {
    await state.write('started', {
      containerId: container.Id,
      imageDigest: container.Image,
      at: this.now().toISOString(),
    });
  }

  private async inspect(name: string): Promise<ContainerInspectInfo | undefined> {
    return callDockerIfThere('inspect a sandbox', () => this.docker.getContainer(name).inspect());
  }

  /** `undefined` when the container is gone. Aborting detaches; the container runs on. */
  private async untilStopped(
    name: string,
    signal: AbortSignal,
  ): Promise<ContainerInspectInfo | undefined> {
    let unreachableSince: number | undefined;
    for (;;) {
      signal.throwIfAborted();
      try {
        const found = await this.inspect(name);
        unreachableSince = undefined;
        if (found === undefined || isStopped(found)) return found;
        await this.waitOnce(name, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof Failure) || error.type !== 'DockerUnavailable') throw error;
        unreachableSince ??= this.now().getTime();
        if (this.now().getTime() - unreachableSince > this.daemonPatienceMs) throw error;
        await sleep(500, undefined, { signal });
      }
    }
  }

  /** Returns when the daemon says that it stopped, when it is time to look again, or when told to stop. */
  private async waitOnce(name: string, signal: AbortSignal): Promise<void> {
    const abort = new AbortController();
    const stopWaiting = () => abort.abort();
    signal.addEventListener('abort', stopWaiting, { once: true });
    const timer = setTimeout(stopWaiting, this.pollMs);
    const over = new Promise<void>((resolve) => {
      abort.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const stopped = async () => {
      try {
        await this.docker
          .getContainer(name)
          .wait({ abortSignal: abort.signal } as Docker.ContainerWaitOptions);
      } catch (error) {
        if (!abort.signal.aborted && !isMissing(error))
          throw dockerFailure('wait for a sandbox', error);
      }
    };
    try {
      // A daemon that dies behind the head of its answer leaves the call open for ever, even when it is aborted.
      await Promise.race([stopped(), over]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stopWaiting);
    }
  }
}

function isStopped(container: ContainerInspectInfo): boolean {
  return container.State.Status === 'exited' || container.State.Status === 'dead';
}

function isNotModified(error: unknown): boolean {
  const cause = error instanceof Failure ? error.options.cause : error;
  return (cause as { statusCode?: number } | undefined)?.statusCode === 304;
}

/** Removes a container by force, whether it is there or not; bounded in time. */
export async function removeContainer(
  docker: Docker,
  name: string,
  timeoutMs = REMOVE_TIMEOUT_MS,
): Promise<void> {
  const remove = async () => {
    try {
      await docker.getContainer(name).remove({ force: true, v: true });
    } catch (error) {
      // Another removal is under way.
      if (!isConflict(error)) throw error;
    }
  };
  await callDockerIfThere(`remove container ${name}`, remove, timeoutMs);
}

/** `nanobot` of `startupbench/nanobot:0123...`. */
function imageName(tag: string): string {
  return tag.replace(/^.*\//u, '').replace(/:.*$/u, '');
}
