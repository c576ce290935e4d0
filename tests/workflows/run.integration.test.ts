import { type WorkflowHandle } from '@temporalio/client';
import { workflowIds } from '../../core/ids';
import { laneProgressQuery, sweepProgressQuery } from '../../workflows/messages';
import { failWith, TEST_TIMINGS } from '../fakes/activities';
import { fakeWorld, FakeStack } from '../support/fake-stack';
import { waitUntil } from '../support/wait-until';

let stack: FakeStack;
beforeAll(async () => {
  stack = await FakeStack.start();
});
afterAll(() => stack.stop());

const ONE_RUN = { laneIds: ['model@harness'], taskCount: 1, repetitions: 1, items: 25 };
const RUN = 'model@harness/task-0/r1';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
type HistoryEvent = NonNullable<History['events']>[number];

async function eventsOf(sweep: string, run = RUN): Promise<HistoryEvent[]> {
  const history = await stack.client.workflow.getHandle(workflowIds.run(sweep, run)).fetchHistory();
  return history.events ?? [];
}

/** Positions in the history at which judge activities were scheduled and completed. */
function judgeEvents(events: readonly HistoryEvent[]) {
  const scheduled = events.flatMap((event, index) =>
    event.activityTaskScheduledEventAttributes?.activityType?.name === 'judgeItem'
      ? [{ index, id: Number(event.eventId), summary: summaryOf(event) }]
      : [],
  );
  const completed = events.flatMap((event, index) => {
    const id = Number(event.activityTaskCompletedEventAttributes?.scheduledEventId ?? -1);
    return scheduled.some((each) => each.id === id) ? [{ index, id }] : [];
  });
  return { scheduled, completed };
}

/** How often a step found nobody on its queue in time. */
async function timeouts(sweep: string): Promise<number> {
  const events = await eventsOf(sweep);
  return events.filter((event) => event.activityTaskTimedOutEventAttributes).length;
}

function summaryOf(event: HistoryEvent): string {
  return Buffer.from(event.userMetadata?.summary?.data ?? []).toString();
}

describe('the judging of a run', () => {
  it('schedules all other items at once when the first has warmed the cache, each with its summary', async () => {
    await stack.withSweep({ sweep: 'fan-out', ...ONE_RUN }, (_world, handle) =>
      handle.result().then(() => undefined),
    );
    const events = await eventsOf('fan-out');
    const { scheduled, completed } = judgeEvents(events);
    expect(scheduled).toHaveLength(25);
    const [first, ...others] = scheduled;
    expect(completed[0]?.id).toBe(first?.id);
    const firstOther = others[0]?.index ?? 0;
    expect(firstOther).toBeGreaterThan(completed[0]?.index ?? Infinity);
    expect(others.map((other) => other.index)).toEqual(others.map((_, at) => firstOther + at));
    expect(scheduled.map((each) => each.summary)).toContain('"item-7 (core)"');
    expect(events.length).toBeLessThan(400);
  });

  it('does not wait for a slow first item longer than the warm-up', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const disturb = (activity: string, _run: string, detail: string) =>
      activity === 'judgeItem' && detail === 'item-1' ? held : undefined;
    const timings = { ...TEST_TIMINGS, warmUpMs: 300 };
    const sweep = { sweep: 'warm-up', ...ONE_RUN, timings, disturb };
    await stack.withSweep(sweep, async (world, handle) => {
      await waitUntil(() => world.verdicts.size === 24);
      release();
      await handle.result();
    });
  });

  it('retries each item alone', async () => {
    let failures = 0;
    const disturb = (activity: string, _run: string, detail: string) => {
      if (activity === 'judgeItem' && detail === 'item-9' && failures++ < 2)
        throw new Error('stumbled');
    };
    const world = await stack.withSweep(
      { sweep: 'alone', ...ONE_RUN, disturb },
      async (_world, handle) => {
        expect((await handle.result()).lanes[0]).toMatchObject({ scored: 1 });
      },
    );
    expect(world.count('judgeItem')).toBe(27);
  });

  it('asks all others where the first item alone finds no verdict', async () => {
    const disturb = (activity: string, _run: string, detail: string) => {
      if (activity === 'judgeItem' && detail === 'item-1') failWith('JudgeMalformed');
    };
    const world = await stack.withSweep(
      { sweep: 'first-alone', ...ONE_RUN, disturb },
      async (_world, handle) => {
        expect((await handle.result()).lanes[0]).toMatchObject({ incomplete: 1 });
      },
    );
    expect(world.verdicts.size).toBe(24);
  });

  it('leaves a run incomplete when an item finds no verdict, with all the others kept', async () => {
    const disturb = (activity: string, _run: string, detail: string) => {
      if (activity === 'judgeItem' && detail === 'item-3') failWith('InvalidInput');
    };
    const world = await stack.withSweep(
      { sweep: 'unjudged', ...ONE_RUN, disturb },
      async (_world, handle) => {
        expect((await handle.result()).lanes[0]).toMatchObject({ scored: 0, incomplete: 1 });
      },
    );
    expect(world.verdicts.size).toBe(24);
    expect(world.count('executeAgent')).toBe(1);
  });

  it('asks no other item when the first meets bad credentials, and goes on where it was after resume', async () => {
    let broken = true;
    const disturb = (activity: string) => {
      if (broken && activity === 'judgeItem') failWith('ProviderAuth', 'bad key');
    };
    await stack.withSweep({ sweep: 'judge-auth', ...ONE_RUN, disturb }, async (world, handle) => {
      await waitUntil(async () => (await handle.query(sweepProgressQuery)).state === 'blocked');
      expect(world.count('judgeItem')).toBe(1);
      broken = false;
      await handle.executeUpdate('resume', { args: [{}] });
      await handle.result();
      expect(world.count('executeAgent')).toBe(1);
      expect(world.count('judgeItem')).toBe(26);
    });
  });
});

describe('the attempts of a run', () => {
  it('begin when the attachments are parsed, where the sweep wants that', async () => {
    await stack.withSweep({ sweep: 'parsing', ...ONE_RUN, parses: true }, async (world, handle) => {
      await handle.result();
      const done = world.calls.map(({ activity }) => activity);
      expect(done.filter((activity) => activity === 'parseAttachments')).toHaveLength(1);
      expect(done.indexOf('parseAttachments')).toBeLessThan(done.indexOf('reserveHost'));
    });
    await stack.withSweep({ sweep: 'not-parsing', ...ONE_RUN }, async (world, handle) => {
      await handle.result();
      expect(world.calls.some(({ activity }) => activity === 'parseAttachments')).toBe(false);
    });
  });

  it('are made again after an infrastructure failure, and the lost ones recorded first', async () => {
    const disturb = (activity: string, _run: string, detail: string) => {
      if (activity === 'executeAgent' && detail !== '3')
        failWith('SandboxLost', 'removed by others');
    };
    const world = await stack.withSweep({ sweep: 'lost', ...ONE_RUN, disturb }, (_world, handle) =>
      handle.result().then(() => undefined),
    );
    const outcome = { runId: RUN, outcome: 'lost' };
    expect(world.lost).toEqual([
      { ...outcome, attempt: 1 },
      { ...outcome, attempt: 2 },
    ]);
    const order = world.calls.map((call) => call.activity);
    expect(order.indexOf('recordLostAttempt')).toBeLessThan(order.lastIndexOf('reserveHost'));
    expect(world.scored.size).toBe(1);
    expect((await eventsOf('lost')).length).toBeLessThan(400);
  });

  it('end after three: the run has failed, its lane and sweep have not', async () => {
    const disturb = (activity: string) => {
      if (activity === 'executeAgent') failWith('SandboxLost');
    };
    const world = await stack.withSweep(
      { sweep: 'three', ...ONE_RUN, disturb },
      async (_world, handle) => {
        expect((await handle.result()).lanes[0]).toMatchObject({ failed: 1, scored: 0 });
      },
    );
    expect(world.count('executeAgent')).toBe(3);
    const run = stack.client.workflow.getHandle(workflowIds.run('three', RUN));
    expect((await run.describe()).status.name).toBe('FAILED');
  });

  it('are not repeated for input that fails the same way each time', async () => {
    const disturb = (activity: string) => {
      if (activity === 'prepareWorkspace') failWith('InvalidInput', 'a blob is missing');
    };
    const world = await stack.withSweep({ sweep: 'hopeless', ...ONE_RUN, disturb }, (_w, handle) =>
      handle.result().then(() => undefined),
    );
    expect(world.count('reserveHost')).toBe(1);
  });

  it('are asked again, not given up, while their host is silent', async () => {
    const world = fakeWorld({
      sweep: 'silent',
      ...ONE_RUN,
      timings: { ...TEST_TIMINGS, hostSilenceMs: 1_000 },
    });
    await stack.withWorkers(world, [], async () => {
      const agent = await stack.worker('silent/agent', world, 'host-1', false);
      const handle = await agent.runUntil(async () => {
        const started = await stack.startSweep(world);
        await waitUntil(() => world.count('reserveHost') === 1);
        return started;
      });
      await waitUntil(async () => (await timeouts('silent')) >= 2);
      const queues = ['host@host-1', 'sandbox@host-1'];
      const workers = await Promise.all(
        queues.map((queue) => stack.worker(`silent/${queue}`, world, 'host-1', false)),
      );
      const running = workers.map((worker) => worker.run());
      await handle.result();
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
    });
    expect(world.attempts.get(RUN)).toBe(1);
    expect(world.lost).toEqual([]);
    expect(world.scored.size).toBe(1);
  });

  it('move to another host when the first stays silent for twice its lease', async () => {
    const timings = { ...TEST_TIMINGS, hostSilenceMs: 5_000, leaseMs: 2_500 };
    const world = fakeWorld({ sweep: 'moved', ...ONE_RUN, timings });
    await stack.withWorkers(world, [], async () => {
      const agent = await stack.worker('moved/agent', world, 'host-1', false);
      const handle = await agent.runUntil(async () => {
        const started = await stack.startSweep(world);
        await waitUntil(() => world.count('reserveHost') === 1);
        return started;
      });
      const queues = ['agent', 'host@host-2', 'sandbox@host-2'];
      const workers = await Promise.all(
        queues.map((queue) => stack.worker(`moved/${queue}`, world, 'host-2', false)),
      );
      const running = workers.map((worker) => worker.run());
      await handle.result();
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
    });
    expect(world.attempts.get(RUN)).toBe(2);
    expect(world.lost).toEqual([{ runId: RUN, attempt: 1, outcome: 'lost' }]);
    expect(world.scored.size).toBe(1);
  });
});

describe('a lane', () => {
  it('gives a run with provider trouble back and begins it again, three times at most', async () => {
    const disturb = (activity: string, run: string) => {
      if (activity === 'executeAgent' && run === RUN) failWith('ProviderUnavailable', 'HTTP 503');
    };
    const sweep = { ...ONE_RUN, taskCount: 4, window: 1, items: 1, sweep: 'trouble', disturb };
    const world = await stack.withSweep(sweep, async (_world, handle) => {
      expect((await handle.result()).lanes[0]).toMatchObject({ scored: 3, failed: 1 });
    });
    expect(world.count('executeAgent', RUN)).toBe(3);
  });

  it('waits for an id that an older execution still holds', async () => {
    const sweep = 'id-taken';
    const older = await stack.client.workflow.start('lane', {
      workflowId: workflowIds.run(sweep, RUN),
      taskQueue: 'nobody',
      args: [],
    });
    await stack.withSweep({ sweep, ...ONE_RUN }, async (world, handle) => {
      const lane = stack.client.workflow.getHandle(workflowIds.lane(sweep, 'model@harness'));
      await waitUntil(async () => {
        const progress = await lane.query(laneProgressQuery).catch(() => undefined);
        return progress?.running === 1;
      });
      expect(world.count('loadRun')).toBe(0);
      await older.terminate();
      expect((await handle.result()).lanes[0]).toMatchObject({ scored: 1 });
    });
  });
});
