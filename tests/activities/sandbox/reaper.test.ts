import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OwnerState } from '../../../activities/sandbox/reaper';
import { ReaperWorld } from './support/reaper-world';

const world = ReaperWorld.ofThisFile();

describe('the reaper', () => {
  it('removes what has its record, or whose run it saw closed twice a minute apart; nothing else', async () => {
    const ids: Record<string, string> = {};
    for (const name of ['recorded', 'closed', 'open', 'absent', 'throws'])
      ids[name] = await world.attempt(name);
    const problems: string[] = [];
    const under = world.reaper(
      { recorded: 'recorded', closed: 'closed', open: 'open', absent: 'absent', throws: 'throws' },
      { onProblem: (id) => problems.push(id) },
    );
    expect(await under.sweep()).toEqual([]);
    world.clock += 59_000;
    expect(await under.sweep()).toEqual([]);
    world.clock += 2_000;
    expect((await under.sweep()).sort()).toEqual([ids['closed'], ids['recorded']].sort());
    world.clock += 23 * 3_600_000;
    expect(await under.sweep()).toEqual([]);
    world.clock += 3_600_000;
    expect(await under.sweep()).toEqual([ids['absent']]);
    expect((await readdir(world.folder)).sort()).toEqual([ids['open'], ids['throws']].sort());
    expect(new Set(problems)).toEqual(new Set([ids['throws']]));
  });

  it('removes what is dead although the files of another attempt are damaged', async () => {
    const id = await world.attempt('closed');
    const damaged = await world.attempt('damaged');
    await writeFile(join(world.controlOf(damaged), 'reserved.json'), '');
    const under = world.reaper({ closed: 'closed', damaged: 'closed' });
    await under.sweep();
    world.clock += 61_000;
    // Its container says whose it is.
    expect((await under.sweep()).sort()).toEqual([id, damaged].sort());
  });

  it('begins to count anew when a run is open again', async () => {
    const id = await world.attempt('run');
    const states: Record<string, OwnerState> = { run: 'closed' };
    const under = world.reaper(states);
    await under.sweep();
    states['run'] = 'open';
    world.clock += 61_000;
    await under.sweep();
    states['run'] = 'closed';
    world.clock += 61_000;
    expect(await under.sweep()).toEqual([]);
    world.clock += 61_000;
    expect(await under.sweep()).toEqual([id]);
  });

  it('removes nothing on an answer from before its worker was frozen', async () => {
    const id = await world.attempt('run');
    let frozenMs = 0;
    const under = world.reaper(
      {},
      {
        ownerState: async () => {
          world.clock += frozenMs;
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
      const id = await world.attempt('closed', changes);
      world.daemon.containers.delete(id);
    }
    const under = world.reaper({ closed: 'closed' });
    await under.sweep();
    world.clock += 120_000;
    expect(await under.sweep()).toEqual([]);
    expect(await readdir(world.folder)).toHaveLength(2);
  });

  it('finds a container without a folder and a folder without a container', async () => {
    const noFolder = await world.attempt('one');
    await rm(join(world.folder, noFolder), { recursive: true });
    const noContainer = await world.attempt('two');
    world.daemon.containers.delete(noContainer);
    const under = world.reaper({ one: 'closed', two: 'closed' });
    await under.sweep();
    world.clock += 61_000;
    expect((await under.sweep()).sort()).toEqual([noFolder, noContainer].sort());
  });

  it('goes on with the others when one removal fails, and tries that one again', async () => {
    const ids = await Promise.all(['a', 'b', 'c'].map((name) => world.attempt(name)));
    world.daemon.hanging.add(ids[1]!);
    const under = world.reaper({ a: 'closed', b: 'closed', c: 'closed' });
    await under.sweep();
    world.clock += 61_000;
    expect((await under.sweep()).sort()).toEqual([ids[0], ids[2]].sort());
    world.daemon.hanging.clear();
    expect(await under.sweep()).toEqual([ids[1]]);
  });

  it('removes a folder that was never finished only after a day', async () => {
    await mkdir(join(world.folder, 'half-made'));
    const under = world.reaper({});
    world.clock = Date.now();
    expect(await under.sweep()).toEqual([]);
    const old = (Date.now() - 25 * 3_600_000) / 1_000;
    await utimes(join(world.folder, 'half-made'), old, old);
    expect(await under.sweep()).toEqual(['half-made']);
  });

  it('starts late, looks again and again, and stops when told', async () => {
    const id = await world.attempt('run');
    const stop = new AbortController();
    const under = world.reaper(
      { run: 'closed' },
      { startDelayMs: 20, periodMs: 10, confirmMs: 0, onRemoved: () => stop.abort() },
    );
    await under.run(stop.signal);
    expect(world.daemon.removed).toEqual([id]);
  });
});
