import { createLaneLink } from '../../workers/lane-link';
import { type RunReference } from '../../core/activity-contract';
import { workflowIds } from '../../core/ids';
import {
  laneProgressQuery,
  pauseUpdate,
  resumeUpdate,
  sweepProgressQuery,
} from '../../workflows/messages';
import { failWith } from '../fakes/activities';
import { FakeStack } from '../support/fake-stack';
import { waitUntil } from '../support/wait-until';

let stack: FakeStack;
beforeAll(async () => {
  stack = await FakeStack.start();
});
afterAll(() => stack.stop());

const LANE = 'model@harness';

function gate(): { readonly held: Promise<void>; release: () => void } {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release };
}

describe('a lane whose open runs are held', () => {
  const position = (sweep: string, taskIndex: number) =>
    ({ planKey: sweep, laneId: LANE, taskIndex, repetition: 1 }) as RunReference;

  it('starts nothing more, says why, and goes on by itself: no attempt is counted', async () => {
    const sweep = 'held-lane';
    const { held, release } = gate();
    const options = { sweep, laneIds: [LANE], taskCount: 4, repetitions: 1, window: 2 };
    const disturb = (activity: string) => (activity === 'executeAgent' ? held : undefined);
    await stack.withSweep({ ...options, disturb }, async (world, handle) => {
      await waitUntil(() => world.count('executeAgent') === 2);
      const link = createLaneLink(stack.client);
      const trouble = { type: 'ProviderQuota', message: 'no credit left' };
      for (const task of [0, 1]) await link.report(sweep, position(sweep, task), trouble);
      const lane = stack.client.workflow.getHandle(workflowIds.lane(sweep, LANE));
      await waitUntil(async () => (await lane.query(laneProgressQuery)).holding?.runs === 2);
      expect(await lane.query(laneProgressQuery)).toMatchObject({
        running: 2,
        holding: trouble,
        reason: 'ProviderQuota: no credit left',
      });
      // A person has to pay: who follows the sweep is told that it gets on no more.
      await waitUntil(async () => (await handle.query(sweepProgressQuery)).state === 'blocked');
      expect((await link.orders(sweep, position(sweep, 0))).holding).toBe('ProviderQuota');

      await link.report(sweep, position(sweep, 0), undefined);
      await waitUntil(async () => (await handle.query(sweepProgressQuery)).state === 'running');
      // One is held still: a third run would only join it.
      expect((await lane.query(laneProgressQuery)).holding?.runs).toBe(1);
      release();
      const { lanes } = await handle.result();
      expect(lanes[0]).toMatchObject({ scored: 4, running: 0 });
      expect(lanes[0]?.holding).toBeUndefined();
      expect(world.count('executeAgent')).toBe(4);
      expect(world.lost).toEqual([]);
    });
  });

  it('tells its hosts to hold open exchanges after `pause` with hold, and to try them after `resume`', async () => {
    const sweep = 'pause-hold';
    const { held, release } = gate();
    const options = { sweep, laneIds: [LANE], taskCount: 1, repetitions: 1 };
    const disturb = (activity: string) => (activity === 'executeAgent' ? held : undefined);
    await stack.withSweep({ ...options, disturb }, async (world, handle) => {
      await waitUntil(() => world.count('executeAgent') === 1);
      let nowMs = 0;
      const link = createLaneLink(stack.client, () => (nowMs += 10_000));
      const orders = () => link.orders(sweep, position(sweep, 0));
      expect(await orders()).toEqual({ resumes: 0 });
      const answer = await handle.executeUpdate(pauseUpdate, {
        args: [{ reason: 'the provider moves', hold: true }],
      });
      expect(answer).toEqual({
        accepted: true,
        message: 'paused 1 lane; open runs wait at their next model request',
      });
      await waitUntil(async () => (await orders()).hold === 'the provider moves');
      // Nothing waits to be started, and yet the pause is what keeps the lane.
      const lane = stack.client.workflow.getHandle(workflowIds.lane(sweep, LANE));
      expect(await lane.query(laneProgressQuery)).toMatchObject({
        waiting: 0,
        blockedBy: 'paused',
        reason: 'the provider moves',
      });
      await handle.executeUpdate(resumeUpdate, { args: [{}] });
      await waitUntil(async () => (await orders()).resumes === 1);
      expect((await orders()).hold).toBeUndefined();
      await handle.executeUpdate(pauseUpdate, { args: [{ reason: 'a look' }] });
      expect((await orders()).hold).toBeUndefined();
      await handle.executeUpdate(resumeUpdate, { args: [{}] });
      release();
      await handle.result();
    });
  });

  it('does not start a run for ever whose requests break the provider', async () => {
    const options = { sweep: 'breaks', laneIds: [LANE], taskCount: 1, repetitions: 1 };
    const disturb = (activity: string) => {
      if (activity === 'executeAgent') failWith('ProviderFault', 'fails on this request');
    };
    await stack.withSweep({ ...options, disturb }, async (world, handle) => {
      expect((await handle.result()).lanes[0]).toMatchObject({ failed: 1, running: 0 });
      expect(world.count('executeAgent')).toBe(3);
    });
  });
});
