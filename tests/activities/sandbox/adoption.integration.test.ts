import type Docker from 'dockerode';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DockerSandbox } from '../../../activities/sandbox/docker-sandbox';
import { Failure } from '../../../core/failure';
import { waitUntil } from '../../support/wait-until';
import { runToEnd, SandboxFixture } from './support/sandbox-fixture';

const fixture = new SandboxFixture();
afterAll(() => fixture.dispose());

describe('adoption', () => {
  it('a worker that lets go leaves the container; the next one gets its end', async () => {
    const attempt = await fixture.script(
      'touch results/ready; while [ ! -e go ]; do sleep 0.05; done; echo done',
    );
    const abort = new AbortController();
    const first = fixture.newSandbox();
    await first.startOrAdopt(attempt.specification);
    const waiting = first.wait(attempt.specification, abort.signal);
    await waitUntil(() => existsSync(join(attempt.paths.workspace, 'results/ready')));
    abort.abort();
    await expect(waiting).rejects.toThrow(/abort/u);
    const second = fixture.newSandbox();
    await second.startOrAdopt(attempt.specification);
    await writeFile(join(attempt.paths.workspace, 'go'), '');
    const end = await second.wait(attempt.specification, AbortSignal.timeout(300_000));
    expect(end.exit.lastLogLines).toEqual(['done']);
    expect(
      await fixture.newSandbox().wait(attempt.specification, AbortSignal.timeout(1_000)),
    ).toEqual(end);
  });

  it.each(['reserved', 'created', 'started'] as const)(
    'after a kill right behind the state "%s" the agent runs exactly once',
    async (state) => {
      const attempt = await fixture.script('echo run >> results/runs');
      const { specification, paths } = attempt;
      await expect(
        new DyingSandbox(fixture.docker, state).startOrAdopt(specification),
      ).rejects.toThrow('killed');
      const end = await runToEnd(fixture, attempt);
      expect(end.exit.exitCode).toBe(0);
      expect(readFileSync(join(paths.workspace, 'results/runs'), 'utf8')).toBe('run\n');
    },
  );

  it('a container that was created and never started, then cancelled, never starts', async () => {
    const attempt = await fixture.script('echo run >> results/runs');
    const { specification, paths } = attempt;
    await expect(
      new DyingSandbox(fixture.docker, 'started').startOrAdopt(specification),
    ).rejects.toThrow('killed');
    await fixture.newSandbox().stop(specification, 'cancelled');
    const end = await runToEnd(fixture, attempt);
    expect(end.intent).toBe('cancelled');
    expect(existsSync(join(paths.workspace, 'results/runs'))).toBe(false);
  });

  it('two executors at once start one container', async () => {
    const attempt = await fixture.script('echo run >> results/runs; sleep 0.3');
    const [left, right] = [fixture.newSandbox(), fixture.newSandbox()];
    await Promise.all([
      left.startOrAdopt(attempt.specification),
      right.startOrAdopt(attempt.specification),
    ]);
    await Promise.all(
      [left, right].map((one) => one.wait(attempt.specification, AbortSignal.timeout(300_000))),
    );
    expect(readFileSync(join(attempt.paths.workspace, 'results/runs'), 'utf8')).toBe('run\n');
  });
});

describe('an executor that is slower than another one of its attempt', () => {
  /** A sandbox whose first look at a container finds it missing, and is told so when `meanwhile` is over. */
  function overtaken(meanwhile: () => Promise<unknown>): DockerSandbox {
    let isFirstLook = true;
    return new DockerSandbox({
      docker: new Proxy(fixture.docker, {
        get: (target, name) => {
          if (name !== 'getContainer') return Reflect.get(target, name) as unknown;
          return (id: string) => {
            const container = target.getContainer(id);
            if (!isFirstLook) return container;
            isFirstLook = false;
            return {
              inspect: async () => {
                const missing: unknown = await container.inspect().catch((error: unknown) => error);
                await meanwhile();
                throw missing;
              },
            };
          };
        },
      }),
    });
  }

  it('adopts what the other has started meanwhile', async () => {
    const attempt = await fixture.script('echo run >> results/runs');
    const { specification, paths } = attempt;
    const sandbox = overtaken(() => fixture.newSandbox().startOrAdopt(specification));
    await sandbox.startOrAdopt(specification);
    const end = await sandbox.wait(specification, AbortSignal.timeout(300_000));
    expect(end.exit.exitCode).toBe(0);
    expect(readFileSync(join(paths.workspace, 'results/runs'), 'utf8')).toBe('run\n');
  });

  it('does not run again what the other has started and others have killed', async () => {
    const attempt = await fixture.script('echo run >> results/runs; sleep 20');
    const { specification, paths } = attempt;
    const runs = join(paths.workspace, 'results/runs');
    const container = fixture.docker.getContainer(specification.attemptId);
    const sandbox = overtaken(async () => {
      await fixture.newSandbox().startOrAdopt(specification);
      await waitUntil(() => existsSync(runs));
      await Promise.all([container.wait(), container.kill()]);
    });
    await sandbox.startOrAdopt(specification);
    await expect(sandbox.wait(specification, AbortSignal.timeout(300_000))).rejects.toMatchObject({
      name: 'SandboxLost',
    });
    expect(readFileSync(runs, 'utf8')).toBe('run\n');
  });

  it('starts nothing that is stopped while it creates it', async () => {
    const attempt = await fixture.script('sleep 20; echo run >> results/runs');
    const { specification, paths } = attempt;
    let stopping: Promise<void> | undefined;
    const createContainer = fixture.docker.createContainer.bind(fixture.docker);
    const sandbox = new DockerSandbox({
      docker: new Proxy(fixture.docker, {
        get: (target, name) => {
          if (name !== 'createContainer') return Reflect.get(target, name) as unknown;
          return async (options: Docker.ContainerCreateOptions) => {
            stopping = sandbox.stop(specification, 'cancelled');
            await Promise.race([stopping, new Promise((resolve) => setTimeout(resolve, 300))]);
            return createContainer(options);
          };
        },
      }),
    });
    await sandbox.startOrAdopt(specification);
    await stopping;
    const end = await sandbox.wait(specification, AbortSignal.timeout(300_000));
    expect(end.intent).toBe('cancelled');
    expect(existsSync(join(paths.workspace, 'results/runs'))).toBe(false);
  });

  it('makes nothing anew of an attempt that is removed', async () => {
    const { specification } = await fixture.script('echo run');
    await fixture.newSandbox().remove(specification);
    await expect(fixture.newSandbox().startOrAdopt(specification)).rejects.toMatchObject({
      name: 'SandboxLost',
    });
    expect(existsSync(specification.attemptDir)).toBe(false);
  });
});

/** Dies as a killed worker does, right after one state is on disk. */
class DyingSandbox extends DockerSandbox {
  constructor(docker: Docker, state: 'reserved' | 'created' | 'started') {
    const dying = new Proxy(docker, {
      get: (target, name) => {
        if (name === 'createContainer' && state === 'reserved')
          return () => Promise.reject(new Failure('DockerUnavailable', 'killed'));
        if (name === 'getContainer')
          return (id: string) => dyingContainer(target.getContainer(id), state);
        return Reflect.get(target, name) as unknown;
      },
    });
    super({ docker: dying });
  }
}

function dyingContainer(container: Docker.Container, state: string): Docker.Container {
  let inspected = 0;
  return new Proxy(container, {
    get: (target, name) => {
      if (name === 'start' && state === 'started')
        return () => Promise.reject(new Failure('DockerUnavailable', 'killed'));
      if (name === 'inspect' && state === 'created' && inspected++ >= 0)
        return async () => {
          const found = await target.inspect();
          if (found.State.Status === 'created') throw new Failure('DockerUnavailable', 'killed');
          return found;
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
