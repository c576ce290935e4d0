import { Client, type ConnectionLike } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { workflowIds } from '../../core/ids';
import { readProgress } from '../../workers/sweep-progress';
import { type LaneProgress, type SweepProgress } from '../../workflows/messages';

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
  const connection = { workflowService: { queryWorkflow }, plugins: [] };
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
