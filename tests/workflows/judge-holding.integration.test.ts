import { workflowIds } from '../../core/ids';
import {
  cancelRunUpdate,
  laneProgressQuery,
  resumeUpdate,
  sweepProgressQuery,
} from '../../workflows/messages';
import { failHeld, failWith } from '../fakes/activities';
import { FakeStack } from '../support/fake-stack';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(120_000);
let stack: FakeStack;
beforeAll(async () => {
  stack = await FakeStack.start();
});
afterAll(() => stack.stop());

const LANE = 'model@harness';
const RUN = `${LANE}/task-0/r1`;
const ONE_RUN = { laneIds: [LANE], taskCount: 1, repetitions: 1, items: 25 };

const progressOf = (sweep: string) =>
  stack.client.workflow.getHandle(workflowIds.lane(sweep, LANE)).query(laneProgressQuery);

async function historyLength(sweep: string): Promise<number> {
  const handle = stack.client.workflow.getHandle(workflowIds.run(sweep, RUN));
  return (await handle.fetchHistory()).events?.length ?? 0;
}

describe('a run whose judges wait for their account', () => {
  it('waits with one of them, says so through its lane, and goes on by itself with nothing done twice', async () => {
    const sweep = 'judges-wait';
    let away = true;
    let tries = 0;
    const disturb = (activity: string, _run: string, item: string, held?: object) => {
      if (activity !== 'judgeItem' || !away) return;
      if (item === 'item-1' && tries++ === 0) return;
      failHeld('ProviderUnavailable', held as never);
    };
    await stack.withSweep({ ...ONE_RUN, sweep, disturb }, async (world, handle) => {
      await waitUntil(() => world.count('judgeItem') > 0);
      await waitUntil(async () => (await progressOf(sweep)).holding?.runs === 1);
      expect(await progressOf(sweep)).toMatchObject({
        running: 1,
        reason: 'ProviderUnavailable: judges wait: not now',
      });
      const first = world.count('judgeItem');
      // All that were out have come back; since then one is tried alone, and costs its run's history nothing.
      expect(first).toBeGreaterThanOrEqual(25);
      const events = await historyLength(sweep);
      await waitUntil(() => world.count('judgeItem') > first + 8);
      expect(await historyLength(sweep)).toBe(events);
      away = false;
      const { lanes } = await handle.result();
      expect(lanes[0]).toMatchObject({ scored: 1, incomplete: 0, failed: 0, running: 0 });
      expect(lanes[0]?.holding).toBeUndefined();
      expect(world.verdicts.size).toBe(25);
      expect(world.count('executeAgent')).toBe(1);
      // Not given back and begun anew.
      expect(world.count('loadRun')).toBe(1);
    });
    expect(await historyLength(sweep)).toBeLessThan(400);
  });

  it('starts no other run of the lane meanwhile', async () => {
    const sweep = 'no-other';
    let away = true;
    const disturb = (activity: string, _run: string, _item: string, held?: object) => {
      if (activity === 'judgeItem' && away) failHeld('ProviderQuota', held as never);
    };
    const change = { ...ONE_RUN, sweep, taskCount: 3, items: 2, window: 1, disturb };
    await stack.withSweep(change, async (world, handle) => {
      // A person has to pay: whoever follows the sweep is told.
      await waitUntil(async () => (await handle.query(sweepProgressQuery)).state === 'blocked');
      expect(world.count('executeAgent')).toBe(1);
      away = false;
      expect((await handle.result()).lanes[0]).toMatchObject({ scored: 3 });
    });
  });

  it('tells the lane of trouble of another type, and of none while a person has paused it', async () => {
    const sweep = 'other-trouble';
    let type: 'ProviderUnavailable' | 'ProviderAuth' | 'Paused' | undefined = 'ProviderUnavailable';
    const disturb = (activity: string, _run: string, _item: string, held?: object) => {
      if (activity === 'judgeItem' && type !== undefined) failHeld(type, held as never);
    };
    await stack.withSweep({ ...ONE_RUN, sweep, disturb }, async (world, handle) => {
      await waitUntil(() => world.count('judgeItem') > 0);
      const holding = async () => (await progressOf(sweep)).holding?.type;
      await waitUntil(async () => (await holding()) === 'ProviderUnavailable');
      type = 'ProviderAuth';
      await waitUntil(async () => (await holding()) === 'ProviderAuth');
      type = 'Paused';
      await waitUntil(async () => (await holding()) === undefined);
      type = undefined;
      expect((await handle.result()).lanes[0]).toMatchObject({ scored: 1 });
    });
  });

  it('is scored, in a bounded history, through an account that comes and goes', async () => {
    const sweep = 'comes-and-goes';
    const passed = new Set<string>();
    let left = 0;
    // Two items pass whenever it works, then it is away again for three tries.
    const disturb = (activity: string, _run: string, item: string, held?: object) => {
      if (activity !== 'judgeItem') return;
      if (left++ % 5 >= 2) failHeld('ProviderUnavailable', held as never);
      passed.add(item);
    };
    await stack.withSweep({ ...ONE_RUN, sweep, disturb }, async (world, handle) => {
      expect((await handle.result()).lanes[0]).toMatchObject({ scored: 1 });
      expect(world.count('loadRun')).toBe(1);
      expect(passed.size).toBe(25);
    });
    expect(await historyLength(sweep)).toBeLessThan(600);
  });

  it('goes back to its lane when it has waited in vain', async () => {
    const sweep = 'in-vain';
    let away = true;
    const disturb = (activity: string, _run: string, _item: string, held?: object) => {
      if (activity !== 'judgeItem' || !away) return;
      if (held === undefined) failHeld('ProviderAuth', undefined);
      failWith('ProviderAuth', 'bad key for twelve hours');
    };
    await stack.withSweep({ ...ONE_RUN, sweep, disturb }, async (world, handle) => {
      await waitUntil(() => world.count('judgeItem') > 0);
      await waitUntil(async () => (await progressOf(sweep)).blockedBy === 'breaker');
      expect(world.count('judgeItem')).toBe(2);
      expect((await progressOf(sweep)).holding).toBeUndefined();
      away = false;
      await handle.executeUpdate(resumeUpdate, { args: [{}] });
      expect((await handle.result()).lanes[0]).toMatchObject({ scored: 1 });
      expect(world.count('executeAgent')).toBe(1);
    });
  });

  it('leaves the item unjudged whose request breaks the provider, and judges all others', async () => {
    const sweep = 'one-breaks';
    const disturb = (activity: string, _run: string, item: string, held?: object) => {
      if (activity !== 'judgeItem' || item !== 'item-1') return;
      if (held === undefined) failHeld('ProviderUnavailable', undefined);
      failWith('ProviderFault', 'fails on this request');
    };
    await stack.withSweep({ ...ONE_RUN, sweep, disturb }, async (world, handle) => {
      expect((await handle.result()).lanes[0]).toMatchObject({ scored: 0, incomplete: 1 });
      expect(world.verdicts.size).toBe(24);
      expect(world.count('loadRun')).toBe(1);
    });
  });

  it('tries an item whose waiting ended in trouble of our own as often as any other', async () => {
    const sweep = 'own-trouble';
    let tries = 0;
    const disturb = (activity: string, _run: string, item: string, held?: object) => {
      if (activity !== 'judgeItem' || item !== 'item-1') return;
      if (tries++ === 0) failHeld('ProviderUnavailable', undefined);
      if (held !== undefined) failWith('StoreUnavailable', 'the store is away');
      if (tries < 5) throw new Error('stumbled');
    };
    await stack.withSweep({ ...ONE_RUN, sweep, disturb }, async (_world, handle) => {
      expect((await handle.result()).lanes[0]).toMatchObject({ scored: 1 });
    });
    expect(tries).toBe(5);
  });

  it('ends at once when it is cancelled', async () => {
    const sweep = 'cancelled-wait';
    const disturb = (activity: string, _run: string, _item: string, held?: object) => {
      if (activity === 'judgeItem') failHeld('ProviderAuth', held as never);
    };
    await stack.withSweep({ ...ONE_RUN, sweep, disturb }, async (world, handle) => {
      await waitUntil(() => world.count('judgeItem') > 0);
      await waitUntil(async () => (await progressOf(sweep)).holding !== undefined);
      await handle.executeUpdate(cancelRunUpdate, { args: [{ runId: RUN }] });
      const { lanes } = await handle.result();
      expect(lanes[0]).toMatchObject({ cancelled: 1, running: 0 });
      expect(lanes[0]?.holding).toBeUndefined();
    });
  });
});
