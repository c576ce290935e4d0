import {
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  ParentClosePolicy,
  allHandlersFinished,
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  isCancellation,
  log,
  patched,
  setCurrentDetails,
  setHandler,
  sleep,
  startChild,
  workflowInfo,
  type SignalDefinition,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { type LoadSweepResult } from '../core/activity-contract';
import { workflowIds } from '../core/ids';
import { DEFAULT_TIMINGS } from '../core/limits';
import { plural } from '../core/plural';
import { type PlannedRun } from '../core/sweep';
import { sweepActivities } from './activity-options';
import { sweepDetails } from './details';
import { type lane as laneWorkflow } from './lane';
import {
  LANE_TYPE,
  allotSignal,
  drainLaneSignal,
  laneDigestSignal,
  searchAttributeKeys,
  sweepProgressQuery,
  type LaneInput,
  type SweepInput,
  type SweepProgress,
} from './messages';
import { type OpenSweep } from './open-sweep';
import { handleCommands } from './sweep-commands';
import { SweepBoard } from './sweep-state';

/** First and longest pause before starting a lane whose id is still taken by an older execution. */
const ID_TAKEN_MS = 1_000;
const ID_TAKEN_MAX_MS = 60_000;

/** Models x harnesses x tasks x repetitions: starts the lanes, shares out the budget, answers commands. */
export async function sweep(input: SweepInput): Promise<SweepProgress> {
  const activities = sweepActivities(DEFAULT_TIMINGS);
  const open: OpenSweep = {
    board: undefined,
    openLanes: new Set(),
    activities,
    tell: (laneId, signal, ...args) => tellLane(open, laneId, signal, args),
    reopenLane: (laneId, planned) => startLane(open, laneId, planned),
    shareOut: () => shareOut(open),
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
  for (const laneId of open.openLanes) await open.tell(laneId, drainLaneSignal);
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

/** Runs a lane in the background until it has ended; a failed lane never fails the sweep. */
function startLane(open: OpenSweep, laneId: string, reopenedFor?: PlannedRun): void {
  const { board } = open;
  if (board === undefined) return;
  open.openLanes.add(laneId);
  const input = laneInput(board, laneId, reopenedFor);
  void runLane(board.loaded, input)
    .then(({ progress, carried }) => {
      board.digest(progress);
      board.carried.set(laneId, carried);
    })
    .catch((error: unknown) => {
      const cause = error instanceof ChildWorkflowFailure ? (error.cause ?? error) : error;
      const reason = cause instanceof Error ? innermost(cause) : String(cause);
      board.laneFailed(laneId, isCancellation(error) ? 'cancelled' : 'failed', reason);
    })
    .then(() => {
      open.openLanes.delete(laneId);
      show(open);
      return shareOut(open);
    });
}

function laneInput(board: SweepBoard, laneId: string, reopenedFor?: PlannedRun): LaneInput {
  const { sweep } = board.loaded;
  const window = board.windows.get(laneId);
  const carried = board.carried.get(laneId);
  // A share that was taken back while the lane was closed could not be told to it.
  const allotmentMicroUsd = board.allotmentOf(laneId);
  const selected = selectedRuns(board, laneId, reopenedFor);
  return {
    sweep,
    planKey: board.input.planKey,
    laneId,
    budgeted: board.budgeted,
    ...(board.pausedBecause !== undefined && { pausedBecause: board.pausedBecause }),
    ...(window !== undefined && { window }),
    ...(carried !== undefined && {
      carried: {
        ...carried,
        unfinished: carried.unfinished.filter((run) => !isSame(run, reopenedFor)),
        ...(allotmentMicroUsd !== undefined && { allotmentMicroUsd }),
      },
    }),
    ...(selected !== undefined && { only: selected }),
  };
}

/** A lane that never ran in this launch opens for the one run; any other goes on with what it had. */
function selectedRuns(
  board: SweepBoard,
  laneId: string,
  reopenedFor: PlannedRun | undefined,
): PlannedRun[] | undefined {
  const selected = board.selected(laneId);
  if (reopenedFor === undefined) return selected;
  if (selected !== undefined) return [...selected, reopenedFor];
  return board.carried.has(laneId) ? undefined : [reopenedFor];
}

function isSame(left: PlannedRun, right: PlannedRun | undefined): boolean {
  return left.taskIndex === right?.taskIndex && left.repetition === right.repetition;
}

async function runLane(loaded: LoadSweepResult, input: LaneInput) {
  const [model = input.laneId, harness = ''] = input.laneId.split('@');
  for (let pauseMs = ID_TAKEN_MS; ; pauseMs = Math.min(pauseMs * 2, ID_TAKEN_MAX_MS)) {
    try {
      const child = await startChild<typeof laneWorkflow>(LANE_TYPE, {
        args: [input],
        workflowId: workflowIds.lane(loaded.sweep, input.laneId),
        parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
        cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
        staticSummary: `${model} under ${harness}`,
        staticDetails: `${plural(loaded.plannedPerLane, 'planned run')}, cohort ${loaded.cohort}`,
        typedSearchAttributes: [
          { key: searchAttributeKeys.sweep, value: loaded.sweep },
          { key: searchAttributeKeys.model, value: model },
          { key: searchAttributeKeys.harness, value: harness },
        ],
      });
      return await child.result();
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      log.warn('an older execution of this lane is still open', { lane: input.laneId, pauseMs });
      await sleep(pauseMs);
    }
  }
}

async function tellLane<Args extends unknown[]>(
  open: OpenSweep,
  laneId: string,
  signal: SignalDefinition<Args>,
  args: Args,
): Promise<boolean> {
  const { board } = open;
  if (board === undefined || !open.openLanes.has(laneId)) return false;
  const handle = getExternalWorkflowHandle(workflowIds.lane(board.loaded.sweep, laneId));
  try {
    await handle.signal(signal, ...args);
    return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return false;
  }
}

async function shareOut(open: OpenSweep): Promise<void> {
  const { board } = open;
  if (board?.budgeted !== true) return;
  const changes = board.newAllotments(!patched('budget-waits-for-answers'));
  for (const [laneId, amount] of changes) await open.tell(laneId, allotSignal, amount);
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
      pausedBecause: board.pausedBecause,
      budgetMicroUsd: board.budgetMicroUsd,
      windows: Object.fromEntries(board.windows),
      laneCarried: Object.fromEntries(board.carried),
      lanes: board.progress(0).lanes.map(({ endedLane: _ended, ...lane }) => lane),
    },
  });
}

function innermost(error: Error): string {
  return error instanceof ApplicationFailure || !(error.cause instanceof Error)
    ? error.message
    : innermost(error.cause);
}
