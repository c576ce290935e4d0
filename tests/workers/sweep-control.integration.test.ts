import { WorkflowNotFoundError } from '@temporalio/client';
import { workflowIds } from '../../core/ids';
import { endWithoutCancelling } from '../../workers/end-sweep';
import { FakeStack } from '../support/fake-stack';
import { waitUntil } from '../support/wait-until';

const LANES = ['model-a@harness', 'model-b@harness'];
const WINDOW = 3;

let stack: FakeStack;
beforeAll(async () => {
  stack = await FakeStack.start();
});
afterAll(() => stack.stop());

/** Status of a workflow's newest execution; undefined when it never began. */
async function statusOf(workflowId: string): Promise<string | undefined> {
  try {
    return (await stack.client.workflow.getHandle(workflowId).describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

describe('a sweep that is ended for another launch', () => {
  it('has no run cancelled, also while the list of workflows knows nothing of them yet', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const change = {
      ...{ sweep: 'replaced', laneIds: LANES, window: WINDOW },
      disturb: (activity: string) => (activity === 'executeAgent' ? released : undefined),
    };
    await stack.withSweep(change, async (world, handle) => {
      await waitUntil(() => world.count('executeAgent') === LANES.length * WINDOW);
      // The index behind the list is written later than the workflows; on a busy machine by seconds.
      const list = jest
        .spyOn(stack.client.workflow, 'list')
        .mockReturnValue(nothing() as unknown as ReturnType<typeof stack.client.workflow.list>);
      try {
        await endWithoutCancelling(stack.client, 'replaced', handle.firstExecutionRunId);
      } finally {
        list.mockRestore();
        release();
      }
      const runs = LANES.flatMap((lane) =>
        [0, 1].flatMap((task) => [1, 2].map((repetition) => `${lane}/task-${task}/r${repetition}`)),
      );
      const statuses = await Promise.all(
        runs.map((run) => statusOf(workflowIds.run('replaced', run))),
      );
      expect(statuses.filter((status) => status === 'TERMINATED')).toHaveLength(
        LANES.length * WINDOW,
      );
      expect(statuses.filter((status) => status === undefined)).toHaveLength(LANES.length);
      for (const id of [workflowIds.sweep('replaced'), workflowIds.lane('replaced', LANES[0]!)])
        expect(await statusOf(id)).toBe('TERMINATED');
      // Nothing was given up: whoever starts the sweep again finds the attempts where they were.
      expect(world.lost).toEqual([]);
    });
  });
});

async function* nothing(): AsyncGenerator<never> {}
