import type Docker from 'dockerode';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attemptPaths } from '../../../../activities/sandbox/attempt-paths';
import { AttemptState } from '../../../../activities/sandbox/attempt-state';
import { labelsOf } from '../../../../activities/sandbox/container-options';
import { attemptIdOf, type SandboxLabels } from '../../../../activities/sandbox/port';
import { type OwnerState, Reaper, type ReaperOptions } from '../../../../activities/sandbox/reaper';

export const labelsFor = (name: string, changes: Partial<SandboxLabels> = {}): SandboxLabels => ({
  stack: 'stack',
  hostId: 'host',
  runKey: name.padEnd(64, '0'),
  runId: `model@harness/${name}/r1`,
  generation: 1,
  attempt: 1,
  workflowId: `sweep/s/model@harness/${name}/r1`,
  ...changes,
});

/** Just enough of a daemon: containers by name, removal, and a switch that makes removal hang. */
export class FakeDaemon {
  readonly containers = new Map<string, SandboxLabels>();
  readonly removed: string[] = [];
  hanging = new Set<string>();

  get docker(): Docker {
    return {
      listContainers: async () =>
        [...this.containers].map(([name, labels]) => ({
          Names: [`/${name}`],
          Labels: labelsOf(labels),
        })),
      getContainer: (name: string) => ({
        remove: async () => {
          if (this.hanging.has(name))
            throw Object.assign(new Error('aborted'), { name: 'AbortError' });
          if (!this.containers.delete(name))
            throw Object.assign(new Error('gone'), { statusCode: 404 });
          this.removed.push(name);
        },
      }),
    } as unknown as Docker;
  }
}

/** A data folder, a daemon and a clock of a test's own; made anew for each test of the file. */
export class ReaperWorld {
  folder = '';
  daemon = new FakeDaemon();
  clock = 0;

  static ofThisFile(): ReaperWorld {
    const world = new ReaperWorld();
    beforeEach(async () => {
      world.folder = await mkdtemp(join(tmpdir(), 'startupbench-reaper-'));
      world.daemon = new FakeDaemon();
      world.clock = 1_000_000;
    });
    afterEach(() => rm(world.folder, { recursive: true, force: true }));
    return world;
  }

  controlOf(id: string): string {
    return attemptPaths(join(this.folder, id)).control;
  }

  async attempt(name: string, changes: Partial<SandboxLabels> = {}): Promise<string> {
    const labels = labelsFor(name, changes);
    const id = attemptIdOf(labels);
    await mkdir(this.controlOf(id), { recursive: true });
    await new AttemptState(this.controlOf(id)).write('reserved', { labels, at: 'now' });
    this.daemon.containers.set(id, labels);
    return id;
  }

  reaper(
    states: Record<string, OwnerState | 'recorded' | 'throws'>,
    changes: Partial<ReaperOptions> = {},
  ): Reaper {
    const stateOf = (labels: SandboxLabels) => states[labels.runId.split('/')[1]!];
    return new Reaper({
      docker: this.daemon.docker,
      stack: 'stack',
      hostId: 'host',
      sandboxesDir: this.folder,
      isRecorded: async (labels) => stateOf(labels) === 'recorded',
      ownerState: async (labels) => {
        const state = stateOf(labels);
        if (state === 'throws' || state === undefined || state === 'recorded')
          throw new Error('Temporal does not answer');
        return state;
      },
      now: () => this.clock,
      ...changes,
    });
  }
}
