import { workflowIds } from '../../core/ids';
import {
  pauseUpdate,
  resumeUpdate,
  setWindowUpdate,
  sweepProgressQuery,
  type SweepProgress,
} from '../../workflows/messages';
import { failWith } from '../fakes/activities';
import { FakeStack } from '../support/fake-stack';
import { waitUntil } from '../support/wait-until';

let stack: FakeStack;
beforeAll(async () => {
  stack = await FakeStack.start({ 'limit.historyCount.suggestContinueAsNew': 120 });
});
afterAll(() => stack.stop());

const DEFECT = 'model-a@harness/task-0/r1';

describe('histories that grow long', () => {
  it('are continued as new by draining: no run is begun twice, no failure forgotten', async () => {
    const disturb = (activity: string, run: string) => {
      if (activity === 'prepareWorkspace' && run === DEFECT) failWith('InvalidInput');
    };
    const change = {
      sweep: 'long',
      laneIds: ['model-a@harness'],
      taskCount: 15,
      items: 1,
      disturb,
    };
    const world = await stack.withSweep({ ...change, window: 5 }, async (_world, handle) => {
      const progress = await handle.result();
      expect(progress.lanes[0]).toMatchObject({ planned: 30, scored: 29, failed: 1, waiting: 0 });
    });
    expect(world.count('loadLane')).toBeGreaterThan(1);
    expect(world.count('reserveHost', DEFECT)).toBe(1);
    for (const run of world.scored) expect(world.count('executeAgent', run)).toBe(1);
  });

  it('of a sweep keep the pause and every lane', async () => {
    const change = { sweep: 'chatty', taskCount: 8, items: 1, window: 1 };
    const world = await stack.withSweep(change, async (_world, handle) => {
      for (let round = 0; round < 12; round++) {
        await handle.executeUpdate(pauseUpdate, { args: [{ reason: `round ${round}` }] });
        await handle.executeUpdate(resumeUpdate, { args: [{}] });
      }
      await handle.executeUpdate(pauseUpdate, { args: [{ reason: 'the last' }] });
      const latest = stack.client.workflow.getHandle(workflowIds.sweep('chatty'));
      await waitUntil(async () => (await latest.describe()).runId !== handle.firstExecutionRunId);
      await waitUntil(async () => (await latest.query(sweepProgressQuery)).state === 'paused');
      await latest.executeUpdate(resumeUpdate, { args: [{}] });
      const progress = (await latest.result()) as SweepProgress;
      expect(progress.lanes.map((lane) => lane.scored)).toEqual([16, 16]);
    });
    expect(world.scored.size).toBe(32);
    for (const run of world.scored) expect(world.count('executeAgent', run)).toBe(1);
  });

  it('of a sweep keep the pause of one lane, and a resume ends it', async () => {
    const [a, b] = ['model-a@harness', 'model-b@harness'];
    let isHeld = true;
    // The other lane is not done before the sweep goes on in its next execution.
    const disturb = async (activity: string, run: string) => {
      if (activity === 'executeAgent' && run.startsWith(a)) await waitUntil(() => !isHeld);
    };
    const change = { sweep: 'one-lane', taskCount: 8, items: 1, window: 1, disturb };
    const world = await stack.withSweep(change, async (current, handle) => {
      await handle.executeUpdate(pauseUpdate, { args: [{ lane: b, reason: 'only this one' }] });
      await waitUntil(() => current.count('executeAgent') > 0);
      const latest = stack.client.workflow.getHandle(workflowIds.sweep('one-lane'));
      const isNext = async () => (await latest.describe()).runId !== handle.firstExecutionRunId;
      for (let n = 0; n < 30; n++)
        await handle.executeUpdate(setWindowUpdate, { args: [{ lane: a, window: 1 + (n % 2) }] });
      isHeld = false;
      await waitUntil(isNext);
      const ranBefore = current.calls.filter(({ runId }) => runId.startsWith(b)).length;
      await waitUntil(async () => {
        const { lanes } = await latest.query(sweepProgressQuery);
        return lanes[0]?.scored === 16 && lanes[1]?.blockedBy === 'paused';
      });
      const again = current.calls.filter(
        ({ runId, activity }) => runId.startsWith(b) && activity !== 'loadLane',
      ).length;
      expect(again).toBeLessThanOrEqual(ranBefore);
      await latest.executeUpdate(resumeUpdate, { args: [{ lane: b }] });
      const progress = (await latest.result()) as SweepProgress;
      expect(progress.lanes.map((lane) => lane.scored)).toEqual([16, 16]);
    });
    for (const run of world.scored) expect(world.count('executeAgent', run)).toBe(1);
  });
});
