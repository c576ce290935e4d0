import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AttemptState } from '../../../activities/sandbox/attempt-state';
import { AttemptUse } from '../../../activities/sandbox/attempt-use';
import { type SandboxLabels } from '../../../activities/sandbox/port';
import { type OwnerState } from '../../../activities/sandbox/reaper';
import { labelsFor, ReaperWorld } from './support/reaper-world';

const world = ReaperWorld.ofThisFile();

describe('an attempt that another workflow has taken up', () => {
  /** Its labels and its container name the first workflow for ever; `first` has left it to `second`. */
  async function adopted() {
    const id = await world.attempt('run');
    const control = world.controlOf(id);
    const state = new AttemptState(control);
    const owner = (workflowId: string) => ({ labels: labelsFor('run', { workflowId }), at: 'now' });
    const [first, second] = [labelsFor('run').workflowId, 'sweep/s/renamed@harness/run/r1'];
    await state.addOwner(owner(first));
    await state.addOwner(owner(second));
    const states: Record<string, OwnerState> = { [first]: 'closed', [second]: 'open' };
    const ownerState = async ({ workflowId }: SandboxLabels) => {
      const known = states[workflowId];
      if (known === undefined) throw new Error(`asked about ${workflowId}`);
      return known;
    };
    return { id, control, state, owner, states, first, second, ownerState };
  }

  it('lives as long as one of its workflows is open, whichever that is', async () => {
    const { id, states, first, second, ownerState } = await adopted();
    const under = world.reaper({}, { ownerState });
    const later = async (ms: number) => {
      world.clock += ms;
      return under.sweep();
    };
    await under.sweep();
    expect(await later(61_000)).toEqual([]);
    // Asked for by two sweeps at once, one of which was cancelled.
    Object.assign(states, { [first]: 'open', [second]: 'closed' });
    expect(await later(1)).toEqual([]);
    expect(await later(61_000)).toEqual([]);
    states[first] = 'absent';
    expect(await later(1)).toEqual([]);
    expect(await later(61_000)).toEqual([]);
    states[first] = 'closed';
    expect(await later(1)).toEqual([]);
    expect(await later(61_000)).toEqual([id]);
  });

  it('has no workflow but that of its container when its folder is gone', async () => {
    const { id, control, states, first, ownerState } = await adopted();
    await rm(control, { recursive: true });
    const under = world.reaper({}, { ownerState });
    await under.sweep();
    states[first] = 'closed';
    world.clock += 61_000;
    expect(await under.sweep()).toEqual([id]);
  });

  it('is known by its owners where its labels are damaged and there is no container', async () => {
    const { id, control, states, second, ownerState } = await adopted();
    world.daemon.containers.clear();
    await writeFile(join(control, 'reserved.json'), '');
    const under = world.reaper({}, { ownerState });
    await under.sweep();
    world.clock += 61_000;
    expect(await under.sweep()).toEqual([]);
    states[second] = 'closed';
    await under.sweep();
    world.clock += 61_000;
    expect(await under.sweep()).toEqual([id]);
  });

  it.each(['', 'null', '{}', '{"labels":{}}'])(
    'lives a day when an owner is %p, since nobody can ask about that one',
    async (content) => {
      const { id, control, states, second, ownerState } = await adopted();
      await writeFile(join(control, `owner-${'0'.repeat(32)}.json`), content);
      states[second] = 'closed';
      const under = world.reaper({}, { ownerState });
      await under.sweep();
      world.clock += 23 * 3_600_000;
      expect(await under.sweep()).toEqual([]);
      world.clock += 3_600_000;
      expect(await under.sweep()).toEqual([id]);
    },
  );

  it('stays when it is taken up while the reaper asks about the others', async () => {
    const { state, owner, states, second, ownerState } = await adopted();
    states[second] = 'closed';
    let taking = async () => {};
    const under = world.reaper(
      {},
      {
        ownerState: async (labels) => {
          await taking();
          return ownerState(labels);
        },
      },
    );
    await under.sweep();
    world.clock += 61_000;
    taking = () => state.addOwner(owner('sweep/s/third@harness/run/r1'));
    expect(await under.sweep()).toEqual([]);
    taking = async () => {};
    states['sweep/s/third@harness/run/r1'] = 'open';
    world.clock += 61_000;
    expect(await under.sweep()).toEqual([]);
  });
});

describe('an attempt that this process works on', () => {
  it('stays while it is held, and when it was held since its workflow was asked about', async () => {
    const id = await world.attempt('run');
    const use = new AttemptUse();
    let meanwhile = async () => {};
    const ownerState = async (): Promise<OwnerState> => {
      await meanwhile();
      return 'closed';
    };
    const under = world.reaper({}, { use, ownerState });
    await under.sweep();
    world.clock += 61_000;
    await use.hold(id, async () => {
      expect(await under.sweep()).toEqual([]);
    });
    meanwhile = () => use.hold(id, async () => undefined);
    expect(await under.sweep()).toEqual([]);
    meanwhile = async () => {};
    expect(await under.sweep()).toEqual([id]);
  });

  it('is taken up after its removal where that has begun, and then anew', async () => {
    const use = new AttemptUse();
    const order: string[] = [];
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let begun = () => {};
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const removal = use.removeIfDead(
      'id',
      async () => true,
      async () => {
        begun();
        await finished;
        order.push('removed');
      },
    );
    await beginning;
    const taken = use.hold('id', async () => order.push('taken up'));
    expect(
      await use.removeIfDead(
        'id',
        async () => true,
        async () => undefined,
      ),
    ).toBe(false);
    await use.hold('other', async () => order.push('another one'));
    finish();
    expect(await removal).toBe(true);
    await taken;
    expect(order).toEqual(['another one', 'removed', 'taken up']);
  });

  it('is free again after work or a removal that failed', async () => {
    const use = new AttemptUse();
    const fail = async () => {
      throw new Error('no');
    };
    await expect(use.hold('id', fail)).rejects.toThrow('no');
    await expect(use.removeIfDead('id', async () => true, fail)).rejects.toThrow('no');
    expect(
      await use.removeIfDead(
        'id',
        async () => true,
        async () => undefined,
      ),
    ).toBe(true);
    expect(await use.hold('id', async () => 'held')).toBe('held');
  });
});
