import type Docker from 'dockerode';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attemptPaths } from '../../../activities/sandbox/attempt-paths';
import { AttemptState } from '../../../activities/sandbox/attempt-state';
import { labelsOf } from '../../../activities/sandbox/container-options';
import { HostSlots } from '../../../activities/sandbox/host-slots';
import { attemptIdOf, type SandboxLabels } from '../../../activities/sandbox/port';
import { type OwnerState, Reaper, type ReaperOptions } from '../../../activities/sandbox/reaper';

const labelsFor = (name: string, changes: Partial<SandboxLabels> = {}): SandboxLabels => ({
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
class FakeDaemon {
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

let folder: string;
let daemon: FakeDaemon;
let clock: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'startupbench-reaper-'));
  daemon = new FakeDaemon();
  clock = 1_000_000;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function attempt(name: string, changes: Partial<SandboxLabels> = {}): Promise<string> {
  const labels = labelsFor(name, changes);
  const id = attemptIdOf(labels);
  const { control } = attemptPaths(join(folder, id));
  await mkdir(control, { recursive: true });
  await new AttemptState(control).write('reserved', { labels, at: 'now' });
  daemon.containers.set(id, labels);
  return id;
}

function reaper(
  states: Record<string, OwnerState | 'recorded' | 'throws'>,
  changes: Partial<ReaperOptions> = {},
) {
  const stateOf = (labels: SandboxLabels) => states[labels.runId.split('/')[1]!];
  return new Reaper({
    docker: daemon.docker,
    stack: 'stack',
    hostId: 'host',
    sandboxesDir: folder,
    isRecorded: async (labels) => stateOf(labels) === 'recorded',
    ownerState: async (labels) => {
      const state = stateOf(labels);
      if (state === 'throws' || state === undefined || state === 'recorded')
        throw new Error('Temporal does not answer');
      return state;
    },
    now: () => clock,
    ...changes,
  });
}

describe('the reaper', () => {
  it('removes what has its record, or whose run it saw closed twice a minute apart; nothing else', async () => {
    const ids: Record<string, string> = {};
    for (const name of ['recorded', 'closed', 'open', 'absent', 'throws'])
      ids[name] = await attempt(name);
    const problems: string[] = [];
    const under = reaper(
      { recorded: 'recorded', closed: 'closed', open: 'open', absent: 'absent', throws: 'throws' },
      { onProblem: (id) => problems.push(id) },
    );
    expect(await under.sweep()).toEqual([]);
    clock += 59_000;
    expect(await under.sweep()).toEqual([]);
    clock += 2_000;
    expect((await under.sweep()).sort()).toEqual([ids['closed'], ids['recorded']].sort());
    clock += 23 * 3_600_000;
    expect(await under.sweep()).toEqual([]);
    clock += 3_600_000;
    expect(await under.sweep()).toEqual([ids['absent']]);
    expect((await readdir(folder)).sort()).toEqual([ids['open'], ids['throws']].sort());
    expect(new Set(problems)).toEqual(new Set([ids['throws']]));
  });

  it('removes what is dead although the files of another attempt are damaged', async () => {
    const id = await attempt('closed');
    const damaged = await attempt('damaged');
    await writeFile(join(attemptPaths(join(folder, damaged)).control, 'reserved.json'), '');
    const under = reaper({ closed: 'closed', damaged: 'closed' });
    await under.sweep();
    clock += 61_000;
    // Its container says whose it is.
    expect((await under.sweep()).sort()).toEqual([id, damaged].sort());
  });

  it('begins to count anew when a run is open again', async () => {
    const id = await attempt('run');
    const states: Record<string, OwnerState> = { run: 'closed' };
    const under = reaper(states);
    await under.sweep();
    states['run'] = 'open';
    clock += 61_000;
    await under.sweep();
    states['run'] = 'closed';
    clock += 61_000;
    expect(await under.sweep()).toEqual([]);
    clock += 61_000;
    expect(await under.sweep()).toEqual([id]);
  });

  it('removes nothing on an answer from before its worker was frozen', async () => {
    const id = await attempt('run');
    let frozenMs = 0;
    const under = reaper(
      {},
      {
        ownerState: async () => {
          clock += frozenMs;
          return 'closed';
        },
      },
    );
    await under.sweep();
    frozenMs = 61_000;
    expect(await under.sweep()).toEqual([]);
    frozenMs = 0;
    expect(await under.sweep()).toEqual([id]);
  });

  it('leaves folders of another stack or host alone', async () => {
    for (const changes of [{ stack: 'other' }, { hostId: 'other' }]) {
      const id = await attempt('closed', changes);
      daemon.containers.delete(id);
    }
    const under = reaper({ closed: 'closed' });
    await under.sweep();
    clock += 120_000;
    expect(await under.sweep()).toEqual([]);
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('finds a container without a folder and a folder without a container', async () => {
    const noFolder = await attempt('one');
    await rm(join(folder, noFolder), { recursive: true });
    const noContainer = await attempt('two');
    daemon.containers.delete(noContainer);
    const under = reaper({ one: 'closed', two: 'closed' });
    await under.sweep();
    clock += 61_000;
    expect((await under.sweep()).sort()).toEqual([noFolder, noContainer].sort());
  });

  it('goes on with the others when one removal fails, and tries that one again', async () => {
    const ids = await Promise.all(['a', 'b', 'c'].map((name) => attempt(name)));
    daemon.hanging.add(ids[1]!);
    const under = reaper({ a: 'closed', b: 'closed', c: 'closed' });
    await under.sweep();
    clock += 61_000;
    expect((await under.sweep()).sort()).toEqual([ids[0], ids[2]].sort());
    daemon.hanging.clear();
    expect(await under.sweep()).toEqual([ids[1]]);
  });

  it('removes a folder that was never finished only after a day', async () => {
    await mkdir(join(folder, 'half-made'));
    const under = reaper({});
    clock = Date.now();
    expect(await under.sweep()).toEqual([]);
    const old = (Date.now() - 25 * 3_600_000) / 1_000;
    await utimes(join(folder, 'half-made'), old, old);
    expect(await under.sweep()).toEqual(['half-made']);
  });

  it('starts late, looks again and again, and stops when told', async () => {
    const id = await attempt('run');
    const stop = new AbortController();
    const under = reaper(
      { run: 'closed' },
      { startDelayMs: 20, periodMs: 10, confirmMs: 0, onRemoved: () => stop.abort() },
    );
    await under.run(stop.signal);
    expect(daemon.removed).toEqual([id]);
  });
});

describe('slots of a host', () => {
  it('are found again by a new worker where a container exists, and only there', async () => {
    const running = await attempt('running');
    await attempt('reserved-only');
    await new AttemptState(attemptPaths(join(folder, running)).control).write('created', {
      containerId: 'c',
      at: 'now',
    });
    const slots = await HostSlots.load(folder, 3);
    expect(slots.free).toBe(2);
    expect(slots.tryTake(running)).toBe(true);
    expect(slots.free).toBe(2);
  });

  it('are handed to who waits, in time and once', async () => {
    const slots = await HostSlots.load(join(folder, 'absent'), 1);
    const { signal } = new AbortController();
    expect(slots.tryTake('a')).toBe(true);
    expect(slots.tryTake('b')).toBe(false);
    const order: string[] = [];
    const waiting = ['b', 'c'].map(async (id) => {
      await slots.takeWhenFree(id, signal);
      order.push(id);
      slots.release(id);
    });
    slots.release('a');
    await Promise.all(waiting);
    expect(order).toEqual(['b', 'c']);
    expect(slots.free).toBe(1);
  });

  it('are not waited for after an abort', async () => {
    const slots = await HostSlots.load(join(folder, 'absent'), 0);
    const abort = new AbortController();
    const waiting = slots.takeWhenFree('a', abort.signal);
    abort.abort();
    await expect(waiting).rejects.toThrow(/abort/u);
  });
});
