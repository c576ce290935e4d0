import {
  condition,
  getExternalWorkflowHandle,
  patched,
  type SignalDefinition,
} from '@temporalio/workflow';
import { workflowIds } from '../core/ids';
import { allotSignal, laneWindowSignal, pauseLaneSignal, resumeLaneSignal } from './messages';
import { type OpenSweep } from './open-sweep';

/** An order that waits until its lane has begun. */
export interface WaitingOrder {
  /** A later order of the same kind makes this one void; `undefined` = each one counts. */
  readonly kind: string | undefined;
  send(): Promise<boolean>;
  answer(told: boolean): void;
}

/** Orders that set a state: only the last one counts, or a lane that begins paused would be resumed for a moment. */
const KINDS: Readonly<Record<string, string>> = {
  [pauseLaneSignal.name]: 'pause',
  [resumeLaneSignal.name]: 'pause',
  [laneWindowSignal.name]: 'window',
  [allotSignal.name]: 'allotment',
};

/**
 * Signals a lane; false when it is not open any more. One that has not begun yet is told when it has: before that its id
 * may be an older execution's, or nobody's. Never rejects: a sweep that is cancelled tells nobody anything.
 */
export function tellLane<Args extends unknown[]>(
  open: OpenSweep,
  laneId: string,
  signal: SignalDefinition<Args>,
  args: Args,
): Promise<boolean> {
  const send = () => signalLane(open, laneId, signal, args).catch(() => false);
  const waiting = open.waitingOrders.get(laneId);
  if (waiting === undefined && !mustWait(open, laneId)) return send();
  return new Promise((answer) => {
    const orders = waiting ?? [];
    const kind = KINDS[signal.name];
    const former = orders.findIndex((order) => kind !== undefined && order.kind === kind);
    if (former >= 0) for (const order of orders.splice(former, 1)) order.answer(true);
    orders.push({ kind, send, answer });
    if (waiting !== undefined) return;
    open.waitingOrders.set(laneId, orders);
    void deliver(open, laneId, orders);
  });
}

/** Does not wait for a lane that has not begun: it begins as the board says, and is told once more when it has. */
export async function tellSoon<Args extends unknown[]>(
  open: OpenSweep,
  laneId: string,
  signal: SignalDefinition<Args>,
  ...args: Args
): Promise<boolean> {
  const waits = mustWait(open, laneId);
  const told = open.tell(laneId, signal, ...args);
  return waits || told;
}

/** One after the other: signals that leave together may arrive in any order. */
async function deliver(open: OpenSweep, laneId: string, orders: WaitingOrder[]): Promise<void> {
  const { begunLanes, openLanes, waitingOrders } = open;
  await condition(() => begunLanes.has(laneId) || !openLanes.has(laneId)).catch(() => undefined);
  for (let order = orders.shift(); order !== undefined; order = orders.shift())
    order.answer(await order.send());
  waitingOrders.delete(laneId);
}

function mustWait({ openLanes, begunLanes }: OpenSweep, laneId: string): boolean {
  return openLanes.has(laneId) && !begunLanes.has(laneId) && patched('lanes-hear-once-begun');
}

async function signalLane<Args extends unknown[]>(
  { board, openLanes }: OpenSweep,
  laneId: string,
  signal: SignalDefinition<Args>,
  args: Args,
): Promise<boolean> {
  if (board === undefined || !openLanes.has(laneId)) return false;
  const handle = getExternalWorkflowHandle(workflowIds.lane(board.loaded.sweep, laneId));
  await handle.signal(signal, ...args);
  return true;
}
