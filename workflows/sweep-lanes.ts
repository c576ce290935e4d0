import {
  ApplicationFailure,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  ParentClosePolicy,
  isCancellation,
  log,
  sleep,
  startChild,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { workflowIds } from '../core/ids';
import { plural } from '../core/plural';
import { type PlannedRun } from '../core/sweep';
import { type lane as laneWorkflow } from './lane';
import { keyOfRun } from './lane-state';
import { LANE_TYPE, searchAttributeKeys, type LaneInput } from './messages';
import { type OpenSweep } from './open-sweep';
import { type SweepBoard } from './sweep-state';

/** First and longest pause before starting a lane whose id is still taken by an older execution. */
const ID_TAKEN_MS = 1_000;
const ID_TAKEN_MAX_MS = 60_000;

/** Runs a lane in the background until it has ended; a failed lane never fails the sweep. */
export function startLane(open: OpenSweep, laneId: string, reopenedFor?: PlannedRun): void {
  const { board } = open;
  if (board === undefined) return;
  open.openLanes.add(laneId);
  void runLane(open, board, laneId, reopenedFor)
    .then(({ progress, carried }) => {
      board.digest(progress);
      board.pauses.carry(laneId, carried);
    })
    .catch((error: unknown) => {
      const cause = error instanceof ChildWorkflowFailure ? (error.cause ?? error) : error;
      const reason = cause instanceof Error ? innermost(cause) : String(cause);
      board.laneFailed(laneId, isCancellation(error) ? 'cancelled' : 'failed', reason);
    })
    .then(() => {
      open.openLanes.delete(laneId);
      open.begunLanes.delete(laneId);
      open.show();
      return open.shareOut();
    });
}

function laneInput(board: SweepBoard, laneId: string, reopenedFor?: PlannedRun): LaneInput {
  const { sweep } = board.loaded;
  const window = board.windows.get(laneId);
  const carried = board.carried.get(laneId);
  // A share that was taken back while the lane was closed could not be told to it.
  const allotmentMicroUsd = board.allotmentOf(laneId);
  const selected = selectedRuns(board, laneId, reopenedFor);
  const isNotReopened = (run: PlannedRun) =>
    reopenedFor === undefined || keyOfRun(run) !== keyOfRun(reopenedFor);
  const pausedBecause = board.pauses.of(laneId);
  return {
    sweep,
    planKey: board.input.planKey,
    laneId,
    budgeted: board.budgeted,
    ...(pausedBecause !== undefined && { pausedBecause }),
    ...(window !== undefined && { window }),
    ...(carried !== undefined && {
      carried: {
        ...carried,
        unfinished: carried.unfinished.filter(isNotReopened),
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

async function runLane(
  open: OpenSweep,
  board: SweepBoard,
  laneId: string,
  reopenedFor: PlannedRun | undefined,
) {
  const { loaded } = board;
  const [model = laneId, harness = ''] = laneId.split('@');
  for (let pauseMs = ID_TAKEN_MS; ; pauseMs = Math.min(pauseMs * 2, ID_TAKEN_MAX_MS)) {
    try {
      const child = await startChild<typeof laneWorkflow>(LANE_TYPE, {
        // As the sweep is now: it may have been paused while the id was taken.
        args: [laneInput(board, laneId, reopenedFor)],
        workflowId: workflowIds.lane(loaded.sweep, laneId),
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
      open.begunLanes.add(laneId);
      return await child.result();
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      log.warn('an older execution of this lane is still open', { lane: laneId, pauseMs });
      await sleep(pauseMs);
    }
  }
}

function innermost(error: Error): string {
  return error instanceof ApplicationFailure || !(error.cause instanceof Error)
    ? error.message
    : innermost(error.cause);
}
