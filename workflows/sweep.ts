import {
  CancellationScope,
  allHandlersFinished,
  condition,
  continueAsNew,
  patched,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { workflowIds } from '../core/ids';
import { DEFAULT_TIMINGS } from '../core/limits';
import { sweepActivities } from './activity-options';
import { sweepDetails } from './details';
import {
  allotSignal,
  drainLaneSignal,
  laneDigestSignal,
  sweepProgressQuery,
  type SweepInput,
  type SweepProgress,
} from './messages';
import { type OpenSweep } from './open-sweep';
import { handleCommands } from './sweep-commands';
import { startLane } from './sweep-lanes';
import { SweepBoard } from './sweep-state';
import { tellLane, tellSoon } from './tell-lane';

/** Models x harnesses x tasks x repetitions: starts the lanes, shares out the budget, answers commands. */
export async function sweep(input: SweepInput): Promise<SweepProgress> {
  const activities = sweepActivities(DEFAULT_TIMINGS);
  const open: OpenSweep = {
    board: undefined,
    pausedEarly: undefined,
    isDraining: false,
    openLanes: new Set(),
    begunLanes: new Set(),
    waitingOrders: new Map(),
    activities,
    tell: (laneId, signal, ...args) => tellLane(open, laneId, signal, args),
    reopenLane: (laneId, planned) => startLane(open, laneId, planned),
    shareOut: () => shareOut(open),
    show: () => show(open),
  };
  handleCommands(open);
  setHandler(sweepProgressQuery, () => progressOf(open, input));
  setHandler(laneDigestSignal, async (digest) => {
    open.board?.digest(digest);
    show(open);
    await shareOut(open);
  });
  const loaded = await activities.loadSweep({ planKey: input.planKey });
  const board = new SweepBoard(input, loaded);
  board.pauses.reason = open.pausedEarly ?? board.pauses.reason;
  open.board = board;
  for (const laneId of board.laneIds()) startLane(open, laneId);
  show(open);
  try {
    await untilDone(open);
  } catch (error) {
    await CancellationScope.nonCancellable(() => condition(() => open.openLanes.size === 0));
    show(open);
    throw error;
  }
  if (workflowInfo().continueAsNewSuggested && hasWork(board)) return startOver(input, board);
  show(open);
  return board.progress(0);
}

/** All lanes ended and all commands answered; a command may open a lane again. */
async function untilDone(open: OpenSweep): Promise<void> {
  const idle = () => open.openLanes.size === 0 && allHandlersFinished();
  await condition(() => idle() || workflowInfo().continueAsNewSuggested);
  if (idle()) return;
  open.isDraining = true;
  for (const laneId of open.openLanes) await tellSoon(open, laneId, drainLaneSignal);
  await condition(idle);
}

function progressOf(open: OpenSweep, input: SweepInput): SweepProgress {
  if (open.board !== undefined) return open.board.progress(open.openLanes.size);
  return {
    sweep: workflowInfo().workflowId.slice(workflowIds.sweep('').length),
    planKey: input.planKey,
    state: 'loading',
    lanes: [],
    costMicroUsd: 0,
    budgetMicroUsd: undefined,
  };
}

function show(open: OpenSweep): void {
  if (open.board !== undefined)
    setCurrentDetails(sweepDetails(open.board.progress(open.openLanes.size)));
}

async function shareOut(open: OpenSweep): Promise<void> {
  const { board } = open;
  if (board?.budgeted !== true) return;
  const changes = board.newAllotments({
    trustsOldWords: !patched('budget-waits-for-answers'),
    forgetsUnknown: board.hasUnknownShare && !patched('budget-keeps-unknown'),
  });
  for (const [laneId, amount] of changes) await tellSoon(open, laneId, allotSignal, amount);
}

function hasWork(board: SweepBoard): boolean {
  return board.progress(0).lanes.some((lane) => lane.endedLane === 'drained');
}

/** No lane is open, so none is cancelled by the close policy; what remains comes from the store again. */
function startOver(input: SweepInput, board: SweepBoard): Promise<never> {
  return continueAsNew<typeof sweep>({
    ...input,
    ...board.concerned,
    carried: {
      pausedBecause: board.pauses.reason,
      budgetMicroUsd: board.budgetMicroUsd,
      windows: Object.fromEntries(board.windows),
      laneCarried: Object.fromEntries(board.carried),
      resumedLanes: [...board.pauses.resumedLanes],
      lanes: board.knownLanes().map(({ endedLane: _ended, ...lane }) => lane),
    },
  });
}
