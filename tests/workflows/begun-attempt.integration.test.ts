import { workflowIds } from '../../core/ids';
import { TEST_TIMINGS } from '../fakes/activities';
import { fakeWorld, FakeStack } from '../support/fake-stack';

let stack: FakeStack;
beforeAll(async () => {
  stack = await FakeStack.start();
});
afterAll(() => stack.stop());

const ONE_RUN = { laneIds: ['model@harness'], taskCount: 1, repetitions: 1, items: 1 };
const RUN = 'model@harness/task-0/r1';

describe('attempts', () => {
  it('that were begun are asked for at their own host, whose queue is polled where the one of all is not', async () => {
    const world = fakeWorld({ sweep: 'claimed', ...ONE_RUN, claimedBy: 'host-1' });
    await stack.withWorkers(world, [], async () => {
      const handle = await stack.startSweep(world);
      const queues = ['host@host-1', 'sandbox@host-1'];
      const workers = await Promise.all(
        queues.map((queue) => stack.worker(`claimed/${queue}`, world, 'host-1', false)),
      );
      const running = workers.map((worker) => worker.run());
      await handle.result();
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
    });
    expect(world.count('reserveHost')).toBe(1);
    expect(world.scored.size).toBe(1);
  });

  it('go to any host when the one that had begun them is silent', async () => {
    const timings = { ...TEST_TIMINGS, hostSilenceMs: 1_000 };
    const gone = { sweep: 'claimant-gone', ...ONE_RUN, timings, claimedBy: 'host-gone' };
    const world = await stack.withSweep(gone, (_world, handle) =>
      handle.result().then(() => undefined),
    );
    const run = stack.client.workflow.getHandle(workflowIds.run('claimant-gone', RUN));
    const { events } = await run.fetchHistory();
    const timeouts = events?.filter((event) => event.activityTaskTimedOutEventAttributes);
    expect(timeouts).toHaveLength(1);
    expect(world.count('reserveHost')).toBe(1);
    expect(world.scored.size).toBe(1);
  });
});
