import { workflowIds } from '../../core/ids';
import {
  cancelRunUpdate,
  laneProgressQuery,
  LANE_TYPE,
  pauseUpdate,
  rerunUpdate,
  resumeUpdate,
  setWindowUpdate,
  sweepProgressQuery,
} from '../../workflows/messages';
import { FakeStack } from '../support/fake-stack';
import { waitUntil } from '../support/wait-until';

let stack: FakeStack;
beforeAll(async () => {
  stack = await FakeStack.start();
});
afterAll(() => stack.stop());

const A = 'model-a@harness';
const B = 'model-b@harness';

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

describe('a sweep that is cancelled while its lanes tell what they spend', () => {
  it('ends cancelled, and only when all of its lanes have ended', async () => {
    const laneIds = ['a', 'b', 'c', 'd'].map((name) => `model-${name}@harness`);
    const money = { budgetMicroUsd: 1_200, reserveMicroUsd: 100, taskCount: 4, window: 4 };
    for (let round = 0; round < 6; round++) {
      const sweep = `cancelled-${round}`;
      const held = gate();
      const disturb = (activity: string) => (activity === 'executeAgent' ? held.opened : undefined);
      await stack.withSweep({ sweep, laneIds, ...money, disturb }, async (world, handle) => {
        await waitUntil(() => world.count('executeAgent') >= 8);
        await handle.cancel();
        // Agents end by the word or by themselves, at the same moment.
        held.open();
        await expect(handle.result()).rejects.toThrow(/cancel/iu);
        expect((await handle.describe()).status.name).toBe('CANCELLED');
        for (const lane of laneIds) {
          const described = await stack.client.workflow
            .getHandle(workflowIds.lane(sweep, lane))
            .describe();
          expect(described.status.name).not.toBe('RUNNING');
        }
      });
    }
  });
});

describe('a run that is asked for again while its lane ends', () => {
  it('is done again whatever the moment', async () => {
    const run = `${A}/task-0/r1`;
    for (let round = 0; round < 8; round++) {
      const change = { sweep: `at-the-end-${round}`, laneIds: [A], taskCount: 1, repetitions: 1 };
      await stack.withSweep({ ...change, items: 1 }, async (world, handle) => {
        await waitUntil(() => world.count('aggregateRun') > 0);
        await new Promise((resolve) => setTimeout(resolve, round * 6));
        const ask = { runId: run, who: 'tester', reason: 'again', force: true };
        const answer = await handle
          .executeUpdate(rerunUpdate, { args: [ask] })
          .catch(() => undefined);
        const { lanes } = await handle.result();
        expect(lanes[0]).toMatchObject({ waiting: 0, scored: 1 });
        const isNew = answer?.accepted === true && (world.generations.get(run) ?? 1) > 1;
        expect(world.count('executeAgent', run)).toBe(isNew ? 2 : 1);
      });
    }
  });
});

describe('orders to lanes that have not begun', () => {
  it('a pause while the plan is read keeps every lane from starting', async () => {
    const held = gate();
    const disturb = (activity: string) => (activity === 'loadSweep' ? held.opened : undefined);
    await stack.withSweep({ sweep: 'paused-early', disturb }, async (world, handle) => {
      await waitUntil(() => world.count('loadSweep') > 0);
      const paused = handle.executeUpdate(pauseUpdate, { args: [{ reason: 'too early' }] });
      await new Promise((resolve) => setTimeout(resolve, 200));
      held.open();
      expect((await paused).message).toContain('paused 2 lanes');
      await waitUntil(async () => {
        const { lanes } = await handle.query(sweepProgressQuery);
        return lanes.every(({ blockedBy }) => blockedBy === 'paused');
      });
      expect(world.count('executeAgent')).toBe(0);
      await handle.executeUpdate(resumeUpdate, { args: [{}] });
      const { lanes } = await handle.result();
      expect(lanes.map(({ scored }) => scored)).toEqual([4, 4]);
    });
  });

  it('reach them and not an older execution that still has their id', async () => {
    const sweep = 'old-lane';
    const old = await stack.client.workflow.start(LANE_TYPE, {
      workflowId: workflowIds.lane(sweep, A),
      taskQueue: 'nobody/workflows',
      args: [],
    });
    await stack.withSweep({ sweep, laneIds: [A], taskCount: 2 }, async (world, handle) => {
      await waitUntil(() => world.count('loadSweep') > 0);
      // In the order in which they were given.
      for (let n = 0; n < 5; n++) {
        await handle.executeUpdate(pauseUpdate, { args: [{ reason: 'one moment' }] });
        await handle.executeUpdate(resumeUpdate, { args: [{}] });
      }
      await handle.executeUpdate(pauseUpdate, { args: [{ reason: 'not yet' }] });
      await handle.executeUpdate(setWindowUpdate, { args: [{ lane: A, window: 7 }] });
      const cancelled = handle.executeUpdate(cancelRunUpdate, {
        args: [{ runId: `${A}/task-1/r2` }],
      });
      await old.terminate('over');
      expect((await cancelled).accepted).toBe(true);
      const lane = stack.client.workflow.getHandle(workflowIds.lane(sweep, A));
      expect(await lane.query(laneProgressQuery)).toMatchObject({
        ...{ blockedBy: 'paused', reason: 'not yet', window: 7, cancelled: 1, waiting: 3 },
      });
      expect(world.count('executeAgent')).toBe(0);
      await handle.executeUpdate(resumeUpdate, { args: [{}] });
      expect((await handle.result()).lanes[0]).toMatchObject({ scored: 3, cancelled: 1 });
    });
  });
});

describe('a run that is open', () => {
  it('is not run twice when it is asked for again before it has delivered anything', async () => {
    const run = `${A}/task-0/r1`;
    const held = gate();
    const disturb = (activity: string) => (activity === 'executeAgent' ? held.opened : undefined);
    const change = { sweep: 'not-twice', laneIds: [A, B], taskCount: 1, repetitions: 1, disturb };
    await stack.withSweep(change, async (world, handle) => {
      await waitUntil(() => world.count('executeAgent', run) === 1);
      const ask = { runId: run, who: 'tester', reason: 'impatience', force: false };
      expect((await handle.executeUpdate(rerunUpdate, { args: [ask] })).accepted).toBe(true);
      held.open();
      const { lanes } = await handle.result();
      expect(lanes[0]).toMatchObject({ scored: 1, ends: 1 });
      expect(world.count('executeAgent', run)).toBe(1);
    });
  });
});

describe('a run that is cancelled after its agent was paid', () => {
  it('counts with what it cost', async () => {
    const run = `${A}/task-0/r1`;
    const held = gate();
    const disturb = (activity: string, of: string) =>
      activity === 'renderEvidence' && of === run ? held.opened : undefined;
    const change = { sweep: 'paid', laneIds: [A], taskCount: 1, items: 3, disturb };
    await stack.withSweep({ ...change, agentCostMicroUsd: 50 }, async (world, handle) => {
      await waitUntil(() => world.count('renderEvidence', run) === 1);
      await handle.executeUpdate(cancelRunUpdate, { args: [{ runId: run }] });
      held.open();
      const [lane] = (await handle.result()).lanes;
      // The other repetition: its agent and three judges.
      expect(lane).toMatchObject({ scored: 1, cancelled: 1, costMicroUsd: 50 + 53 });
    });
  });
});
