import { Client, type ConnectionLike } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { workflowIds } from '../../core/ids';
import { openStatus, readProgress } from '../../workers/sweep-progress';
import { type LaneProgress, type SweepProgress } from '../../workflows/messages';
import { StoredSweep } from '../support/stored-sweep';

const QUERY_NOT_OPEN = 2;
const COMPLETED = 2;

function lane(id: string, counts: Partial<LaneProgress>): LaneProgress {
  const none = { waiting: 0, running: 0, scored: 0, incomplete: 0, failed: 0, cancelled: 0 };
  return {
    lane: id,
    planned: 8,
    ...none,
    notSelected: 0,
    costMicroUsd: 0,
    window: 4,
    ends: 0,
    ...counts,
  };
}

interface Asked {
  readonly execution: { readonly workflowId: string };
  readonly queryRejectCondition?: number;
}

/** A server with one open sweep; `closed` are workflows of an earlier launch, which answer unless told not to. */
function serverOf(answers: Readonly<Record<string, unknown>>, closed: readonly string[]): Client {
  const queryWorkflow = async ({ execution: { workflowId }, queryRejectCondition }: Asked) => {
    if (closed.includes(workflowId) && queryRejectCondition === QUERY_NOT_OPEN)
      return { queryRejected: { status: COMPLETED } };
    const payload = defaultPayloadConverter.toPayload(answers[workflowId]);
    return { queryResult: { payloads: [payload] } };
  };
  const listWorkflowExecutions = async () => ({ executions: [], nextPageToken: [] });
  const workflowService = { queryWorkflow, listWorkflowExecutions };
  const connection = { workflowService, plugins: [] };
  return new Client({ connection: connection as unknown as ConnectionLike });
}

const SWEEP: SweepProgress = {
  sweep: 's',
  planKey: 'k',
  state: 'running',
  lanes: [lane('a@h', { waiting: 8 }), lane('b@h', { waiting: 8 })],
  costMicroUsd: 0,
  budgetMicroUsd: undefined,
};

it('takes open lanes at their own word, and none at that of an earlier launch', async () => {
  const earlier = lane('a@h', { scored: 8, ends: 8, costMicroUsd: 5, endedLane: 'done' });
  const now = lane('b@h', { waiting: 6, running: 2, costMicroUsd: 1 });
  const client = serverOf(
    {
      [workflowIds.sweep('s')]: SWEEP,
      [workflowIds.lane('s', 'a@h')]: earlier,
      [workflowIds.lane('s', 'b@h')]: now,
    },
    [workflowIds.lane('s', 'a@h')],
  );
  const progress = await readProgress(client, 's');
  expect(progress.lanes).toEqual([SWEEP.lanes[0], now]);
  expect(progress.costMicroUsd).toBe(1);
});

it('takes lanes that a launch of single runs leaves alone from the store', async () => {
  const stored = new StoredSweep();
  try {
    stored.writeSweep({
      models: '[{ id: a, provider: simulated }, { id: b, provider: simulated, seed: 2 }]',
    });
    const { plan, planKey } = await stored.build();
    for (const task of ['one', 'two']) {
      const run = stored.run(plan, task, 1, 'b@simulated');
      await stored.deliver(run);
      if (task === 'one') await stored.score(plan, run);
    }
    const sweep = plan.sweep;
    const asked = lane('a@simulated', { planned: 4, running: 1, notSelected: 3 });
    const aside = lane('b@simulated', { planned: 4, notSelected: 4 });
    const client = serverOf(
      {
        [workflowIds.sweep(sweep)]: { ...SWEEP, sweep, planKey, lanes: [asked, aside] },
        [workflowIds.lane(sweep, 'a@simulated')]: asked,
      },
      [workflowIds.lane(sweep, 'b@simulated')],
    );
    const now = new Date(0);
    const { lanes } = await openStatus(client, { store: stored.store, plan, planKey }, now, now);
    expect(lanes).toMatchObject([
      { lane: 'a@simulated', running: 1, notSelected: 3, scored: 0 },
      { lane: 'b@simulated', scored: 1, incomplete: 1, waiting: 0, notSelected: 2 },
    ]);
  } finally {
    stored.remove();
  }
});
