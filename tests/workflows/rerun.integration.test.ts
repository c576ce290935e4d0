import { rerunUpdate, sweepProgressQuery, type SweepProgress } from '../../workflows/messages';
import { FakeStack } from '../support/fake-stack';
import { waitUntil } from '../support/wait-until';

let stack: FakeStack;
beforeAll(async () => {
  stack = await FakeStack.start();
});
afterAll(() => stack.stop());

const lanesOf = (progress: SweepProgress) =>
  Object.fromEntries(progress.lanes.map((lane) => [lane.lane, lane]));

describe('a sweep that is asked for a run again', () => {
  it('does it again, also after its lane has ended', async () => {
    const runId = 'model-a@harness/task-0/r1';
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const disturb = (activity: string, run: string) =>
      activity === 'executeAgent' && run === 'model-b@harness/task-1/r2' ? held : undefined;
    await stack.withSweep({ sweep: 'rerun', disturb }, async (world, handle) => {
      await waitUntil(async () => {
        const lane = lanesOf(await handle.query(sweepProgressQuery))['model-a@harness'];
        return lane?.endedLane === 'done';
      });
      const ask = { runId, who: 'tester', reason: 'because' };
      const refused = await handle.executeUpdate(rerunUpdate, { args: [{ ...ask, force: false }] });
      expect(refused).toMatchObject({ accepted: false });
      const accepted = await handle.executeUpdate(rerunUpdate, { args: [{ ...ask, force: true }] });
      expect(accepted.accepted).toBe(true);
      await waitUntil(() => world.count('executeAgent', runId) === 2);
      release();
      const lanes = lanesOf(await handle.result());
      expect(lanes['model-a@harness']).toMatchObject({ planned: 4, scored: 4 });
      expect(world.count('executeAgent', runId)).toBe(2);
    });
  });

  it('does it within its budget also where it was started for neither the run nor its lane', async () => {
    const only = ['model-b@harness/task-1/r2'];
    const runId = 'model-a@harness/task-0/r1';
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const disturb = (activity: string, run: string) =>
      activity === 'executeAgent' && run === only[0] ? held : undefined;
    const change = { sweep: 'rerun-aside', budgetMicroUsd: 60, reserveMicroUsd: 20, disturb };
    const world = await stack.withSweep(
      change,
      async (current, handle) => {
        await waitUntil(() => current.count('executeAgent', only[0]) === 1);
        const ask = { runId, who: 'tester', reason: 'because', force: true };
        const { accepted } = await handle.executeUpdate(rerunUpdate, { args: [ask] });
        expect(accepted).toBe(true);
        release();
        const lanes = lanesOf(await handle.result());
        expect(lanes['model-a@harness']).toMatchObject({ scored: 1, notSelected: 3 });
        expect(lanes['model-b@harness']).toMatchObject({ scored: 1, notSelected: 3 });
      },
      { only },
    );
    expect([...world.scored].sort()).toEqual([runId, ...only]);
  });
});
