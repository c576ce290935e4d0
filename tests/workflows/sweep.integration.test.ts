import { type WorkflowHandle } from '@temporalio/client';
import { workflowIds } from '../../core/ids';
import {
  cancelRunUpdate,
  laneProgressQuery,
  pauseUpdate,
  raiseBudgetUpdate,
  resumeUpdate,
  searchAttributeKeys,
  setWindowUpdate,
  sweepProgressQuery,
  type SweepProgress,
} from '../../workflows/messages';
import { failWith } from '../fakes/activities';
import { FakeStack } from '../support/fake-stack';
import { waitUntil } from '../support/wait-until';

let stack: FakeStack;
beforeAll(async () => {
  stack = await FakeStack.start();
});
afterAll(() => stack.stop());

const lanesOf = (progress: SweepProgress) =>
  Object.fromEntries(progress.lanes.map((lane) => [lane.lane, lane]));
const laneHandle = (sweep: string, lane: string): WorkflowHandle =>
  stack.client.workflow.getHandle(workflowIds.lane(sweep, lane));

describe('a sweep', () => {
  it('scores every planned run once and reports the counts', async () => {
    const world = await stack.withSweep({ sweep: 'plain' }, async (_world, handle) => {
      const progress = await handle.result();
      expect(progress.state).toBe('done');
      expect(progress.costMicroUsd).toBe(8 * (10 + 3));
      for (const lane of progress.lanes)
        expect(lane).toMatchObject({ planned: 4, scored: 4, waiting: 0, running: 0, failed: 0 });
    });
    expect(world.count('executeAgent')).toBe(8);
    expect(world.count('judgeItem')).toBe(24);
    expect(world.cleaned).toHaveLength(8);
  });

  it('can be read in the Temporal UI: tables, summaries and search attributes', async () => {
    await stack.withSweep({ sweep: 'visible' }, async (_world, handle) => {
      await handle.result();
      const details = async (id: string) => {
        const metadata = await stack.client.workflow
          .getHandle(id)
          .query<{ currentDetails: string }>('__temporal_workflow_metadata');
        return metadata.currentDetails.replaceAll('\u00a0', '');
      };
      const ofSweep = await details(workflowIds.sweep('visible'));
      expect(ofSweep).toContain('**done**: 8 of 8 scored');
      expect(ofSweep).toContain('| model-a@harness | 4 | 4 | 0 | 0 |');
      const ofLane = await details(workflowIds.lane('visible', 'model-a@harness'));
      for (const row of [
        '| Planned | 4 |',
        '| Scored | 4 |',
        '| Waiting | 0 |',
        '| Ended | done |',
      ])
        expect(ofLane).toContain(row);
      const run = workflowIds.run('visible', 'model-a@harness/task-1/r2');
      const ofRun = await details(run);
      for (const row of ['| Stage | done |', '| Judged | 3 of 3 |']) expect(ofRun).toContain(row);
      const described = await stack.client.workflow.getHandle(run).describe();
      const keys = searchAttributeKeys;
      const attributes = described.typedSearchAttributes;
      const words = [keys.sweep, keys.model, keys.harness, keys.task, keys.stage, keys.outcome];
      expect(words.map((key) => attributes.get(key))).toEqual([
        ...['visible', 'model-a', 'harness', 'task-1', 'done', 'scored'],
      ]);
      expect(attributes.get(keys.repetition)).toBe(2);
      expect(attributes.get(keys.score)).toBe(100);
      expect(await described.staticSummary()).toBe('task-1, repetition 2');
    });
  });

  it('does nothing again that the store has scored', async () => {
    await stack.withSweep({ sweep: 'again' }, async (world, handle) => {
      await handle.result();
      const before = world.count('executeAgent');
      const progress = await (await stack.startSweep(world)).result();
      expect(world.count('executeAgent')).toBe(before);
      expect(progress.lanes.map((lane) => lane.scored)).toEqual([4, 4]);
    });
  });

  it('judges delivered runs without running their agents again', async () => {
    await stack.withSweep({ sweep: 'judged' }, async (world, handle) => {
      await handle.result();
      world.scored.delete('model-a@harness/task-1/r2');
      world.verdicts.delete('model-a@harness/task-1/r2/2');
      const judged = world.count('judgeItem');
      await (await stack.startSweep(world)).result();
      expect(world.count('executeAgent')).toBe(8);
      expect(world.count('judgeItem')).toBe(judged + 1);
    });
  });

  it('runs only what was asked for', async () => {
    const only = ['model-b@harness/task-0/r2'];
    const world = await stack.withSweep(
      { sweep: 'only' },
      async (_world, handle) => {
        const lanes = lanesOf(await handle.result());
        expect(lanes['model-b@harness']).toMatchObject({ planned: 4, scored: 1, notSelected: 3 });
        expect(lanes['model-a@harness']).toMatchObject({ planned: 4, scored: 0, notSelected: 4 });
      },
      { only },
    );
    expect([...world.scored]).toEqual(only);
  });

  it('starts nothing while paused, and goes on after resume', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const disturb = (activity: string) => (activity === 'executeAgent' ? held : undefined);
    await stack.withSweep({ sweep: 'paused', disturb }, async (world, handle) => {
      await waitUntil(() => world.count('executeAgent') === 4);
      const answer = await handle.executeUpdate(pauseUpdate, { args: [{ reason: 'a look' }] });
      expect(answer.accepted).toBe(true);
      // Said at once, while every lane is still busy.
      expect(await handle.query(sweepProgressQuery)).toMatchObject({
        ...{ state: 'paused', reason: 'a look' },
      });
      release();
      await waitUntil(async () => (await handle.query(sweepProgressQuery)).state === 'paused');
      const lane = laneHandle('paused', 'model-a@harness');
      await waitUntil(async () => (await lane.query(laneProgressQuery)).running === 0);
      expect(await lane.query(laneProgressQuery)).toMatchObject({
        blockedBy: 'paused',
        reason: 'a look',
        waiting: 2,
        scored: 2,
      });
      await handle.executeUpdate(resumeUpdate, { args: [{}] });
      await handle.result();
      expect(world.scored.size).toBe(8);
    });
  });

  it('widens a window at once', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const disturb = (activity: string) => (activity === 'executeAgent' ? held : undefined);
    await stack.withSweep({ sweep: 'window', window: 1, disturb }, async (world, handle) => {
      await waitUntil(() => world.count('executeAgent') === 2);
      const change = { lane: 'model-a@harness', window: 4 };
      await handle.executeUpdate(setWindowUpdate, { args: [change] });
      await waitUntil(() => world.count('executeAgent') === 5);
      release();
      await handle.result();
    });
  });

  it('refuses messages of the wrong shape without touching anything', async () => {
    await stack.withSweep({ sweep: 'shapes' }, async (_world, handle) => {
      const refused = (promise: Promise<unknown>) => expect(promise).rejects.toThrow();
      await refused(handle.executeUpdate(pauseUpdate, { args: [{ reason: '' }] }));
      const hold = 'yes' as unknown as boolean;
      await refused(handle.executeUpdate(pauseUpdate, { args: [{ reason: 'x', hold }] }));
      await refused(
        handle.executeUpdate(setWindowUpdate, { args: [{ lane: 'model-a@harness', window: 0 }] }),
      );
      await refused(handle.executeUpdate(cancelRunUpdate, { args: [{ runId: 'nonsense' }] }));
      await refused(handle.executeUpdate(raiseBudgetUpdate, { args: [{ maxCostMicroUsd: 1.5 }] }));
      expect((await handle.result()).lanes.map((lane) => lane.scored)).toEqual([4, 4]);
    });
  });

  it('spends no more than its budget, and goes on when it is raised', async () => {
    const money = { budgetMicroUsd: 60, reserveMicroUsd: 20 };
    await stack.withSweep({ sweep: 'budget', ...money }, async (world, handle) => {
      let stopped = await handle.query(sweepProgressQuery);
      // What one lane has left over may set the other one going once more.
      await waitUntil(async () => {
        stopped = await handle.query(sweepProgressQuery);
        return stopped.state === 'over-budget' && stopped.reason !== undefined;
      });
      expect(stopped.costMicroUsd).toBeLessThanOrEqual(60);
      expect(world.scored.size).toBeGreaterThanOrEqual(3);
      expect(world.scored.size).toBeLessThan(8);
      expect(stopped.reason).toContain('reserves');
      const refused = await handle.executeUpdate(raiseBudgetUpdate, {
        args: [{ maxCostMicroUsd: 50 }],
      });
      expect(refused.accepted).toBe(false);
      await handle.executeUpdate(raiseBudgetUpdate, { args: [{ maxCostMicroUsd: 1_000 }] });
      await handle.result();
      expect(world.scored.size).toBe(8);
    });
  });

  it('opens the breaker of one lane only, gives its runs back, and finishes after resume', async () => {
    let broken = true;
    const disturb = (activity: string, run: string) => {
      if (broken && activity === 'executeAgent' && run.startsWith('model-a'))
        failWith('ProviderQuota', 'the account is empty');
    };
    await stack.withSweep({ sweep: 'breaker', disturb }, async (world, handle) => {
      await waitUntil(async () => (await handle.query(sweepProgressQuery)).state === 'blocked');
      const lanes = lanesOf(await handle.query(sweepProgressQuery));
      expect(lanes['model-b@harness']).toMatchObject({ scored: 4, endedLane: 'done' });
      expect(lanes['model-a@harness']).toMatchObject({
        blockedBy: 'breaker',
        reason: 'ProviderQuota: the account is empty',
        waiting: 4,
        failed: 0,
      });
      expect(world.lost.every((lost) => lost.outcome === 'lost')).toBe(true);
      broken = false;
      await handle.executeUpdate(resumeUpdate, { args: [{}] });
      expect(lanesOf(await handle.result())['model-a@harness']).toMatchObject({ scored: 4 });
    });
  });

  it('cancels: running attempts are recorded as cancelled and removed', async () => {
    const disturb = (activity: string) =>
      activity === 'executeAgent' ? untilCancelled() : undefined;
    await stack.withSweep({ sweep: 'cancel', disturb }, async (world, handle) => {
      await waitUntil(() => world.count('executeAgent') === 4);
      await handle.cancel();
      await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
      expect(world.lost.map((lost) => lost.outcome)).toEqual(Array(4).fill('cancelled'));
      expect(world.cleaned).toHaveLength(4);
      for (const lane of world.options.laneIds)
        expect((await laneHandle('cancel', lane).describe()).status.name).toBe('CANCELLED');
    });
  });

  it('cancels one run and goes on with the others', async () => {
    const runId = 'model-a@harness/task-0/r1';
    const disturb = (activity: string, run: string) =>
      activity === 'executeAgent' && run === runId ? untilCancelled() : undefined;
    await stack.withSweep({ sweep: 'cancel-run', disturb }, async (world, handle) => {
      await waitUntil(() => world.count('executeAgent', runId) === 1);
      await handle.executeUpdate(cancelRunUpdate, { args: [{ runId }] });
      const lanes = lanesOf(await handle.result());
      expect(lanes['model-a@harness']).toMatchObject({ planned: 4, scored: 3, cancelled: 1 });
      expect(world.cleaned).toContain(`${runId} 1`);
    });
  });
});

/** Waits as an agent does, and stops when it is told to. */
async function untilCancelled(): Promise<void> {
  const { Context } = await import('@temporalio/activity');
  await Context.current().cancelled;
}
