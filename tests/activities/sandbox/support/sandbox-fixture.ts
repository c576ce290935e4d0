import Docker from 'dockerode';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AttemptDiskOptions,
  giveTo,
  prepareDisk,
} from '../../../../activities/sandbox/attempt-disk';
import { attemptPaths, type AttemptPaths } from '../../../../activities/sandbox/attempt-paths';
import {
  DockerSandbox,
  type DockerSandboxOptions,
} from '../../../../activities/sandbox/docker-sandbox';
import { imageTag } from '../../../../activities/sandbox/image-recipe';
import { attemptIdOf, type SandboxSpecification } from '../../../../activities/sandbox/port';
import { sandboxUser } from '../../../../activities/sandbox/sandbox-user';
import { type AttemptLimits, DEFAULT_LIMITS } from '../../../../core/limits';
import { REAL_DISK } from '../../../support/real-disk';

/** Small limits, so that tests reach them quickly. */
export const SMALL_LIMITS: AttemptLimits = {
  ...DEFAULT_LIMITS,
  memoryBytes: 256 * 1024 ** 2,
  cpus: 1,
  pids: 64,
  fileBytes: 32 * 1024 ** 2,
  workspaceBytes: 64 * 1024 ** 2,
};

export interface TestAttempt {
  readonly specification: SandboxSpecification;
  readonly paths: AttemptPaths;
}

/** Attempts of a stack of this test's own; `dispose` removes every container and folder it made. */
export class SandboxFixture {
  readonly stack = `test-${randomBytes(4).toString('hex')}`;
  private readonly made: TestAttempt[] = [];
  private root: string | undefined;

  constructor(readonly docker: Docker = new Docker()) {}

  newSandbox(options: Omit<DockerSandboxOptions, 'docker'> = {}): DockerSandbox {
    return new DockerSandbox({ docker: this.docker, ...options });
  }

  async folder(): Promise<string> {
    this.root ??= await mkdtemp(join(REAL_DISK, 'startupbench-sandbox-'));
    return this.root;
  }

  async attempt(
    command: readonly string[],
    options: {
      readonly limits?: Partial<AttemptLimits>;
      readonly disk?: AttemptDiskOptions;
      readonly image?: 'agent' | 'nanobot';
      readonly standardInput?: string;
      readonly environment?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<TestAttempt> {
    const limits = { ...SMALL_LIMITS, ...options.limits };
    const labels = {
      stack: this.stack,
      hostId: 'host-1',
      runKey: randomBytes(32).toString('hex'),
      runId: 'model@harness/task/r1',
      generation: 1,
      attempt: 1,
      workflowId: 'sweep/test/model@harness/task/r1',
    };
    const attemptId = attemptIdOf(labels);
    const attemptDir = join(await this.folder(), attemptId);
    const paths = attemptPaths(attemptDir);
    await mkdir(paths.control, { recursive: true });
    const user = sandboxUser(attemptId);
    await prepareDisk(paths, limits.workspaceBytes, user, options.disk);
    await mkdir(join(paths.workspace, 'results'));
    await giveTo(join(paths.workspace, 'results'), user);
    const specification: SandboxSpecification = {
      attemptId,
      attemptDir,
      labels,
      image: imageTag(options.image ?? 'agent'),
      command,
      environment: options.environment ?? {},
      ...(options.standardInput !== undefined && { standardInput: options.standardInput }),
      limits,
    };
    const made = { specification, paths };
    this.made.push(made);
    return made;
  }

  /** A command of the agent, as a shell script. */
  async script(
    text: string,
    options?: Parameters<SandboxFixture['attempt']>[1],
  ): Promise<TestAttempt> {
    return this.attempt(['/bin/bash', '-c', text], options);
  }

  async dispose(): Promise<void> {
    await Promise.all(
      this.made.map(({ specification }) => this.newSandbox().remove(specification)),
    );
    if (this.root !== undefined) await rm(this.root, { recursive: true, force: true });
  }
}

export async function runToEnd(fixture: SandboxFixture, { specification }: TestAttempt) {
  const sandbox = fixture.newSandbox();
  await sandbox.startOrAdopt(specification);
  return sandbox.wait(specification, AbortSignal.timeout(300_000));
}
