import { type Client } from '@temporalio/client';
import { type LaneLink } from '../activities/agent/lane-link';
import { workflowIds } from '../core/ids';
import { keyOfRun } from '../workflows/lane-state';
import { laneOrdersQuery, laneTroubleSignal, type LaneOrders } from '../workflows/messages';

/** One answer of a lane serves all its runs on this host for this long. */
const FRESH_MS = 2_000;

/** Agent hosts ask their lanes by query, which leaves nothing in a history, and report by signal. */
export function createLaneLink(client: Client, now: () => number = Date.now): LaneLink {
  const known = new Map<string, { readonly atMs: number; readonly orders: Promise<LaneOrders> }>();

  function ordersOf(workflowId: string): Promise<LaneOrders> {
    for (const [id, { atMs }] of known) if (now() - atMs >= FRESH_MS) known.delete(id);
    const recent = known.get(workflowId);
    if (recent !== undefined) return recent.orders;
    const orders = client.workflow.getHandle(workflowId).query(laneOrdersQuery);
    known.set(workflowId, { atMs: now(), orders });
    return orders;
  }

  return {
    orders: async (sweep, run) => {
      const { hold, resumes, holding } = await ordersOf(workflowIds.lane(sweep, run.laneId));
      const type = holding[keyOfRun(run)];
      return {
        resumes,
        ...(hold !== undefined && { hold }),
        ...(type !== undefined && { holding: type }),
      };
    },
    report: async (sweep, run, trouble) => {
      const id = workflowIds.lane(sweep, run.laneId);
      const { taskIndex, repetition } = run;
      await client.workflow
        .getHandle(id)
        .signal(laneTroubleSignal, { taskIndex, repetition }, trouble ?? null);
      known.delete(id);
    },
  };
}
