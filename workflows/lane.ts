import {
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  ParentClosePolicy,
  allHandlersFinished,
  condition,
  continueAsNew,
  isCancellation,
  log,
  patched,
  setCurrentDetails,
  setHandler,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { type LoadLaneResult } from '../core/activity-contract';
import { runId, workflowIds } from '../core/ids';
import { DEFAULT_TIMINGS } from '../core/limits';
import { type PlannedRun } from '../core/sweep';
import { sweepActivities } from './activity-options';
import { laneDetails } from './details';
import { sendDigests } from './lane-digests';
import { keyOfRun, LaneState } from './lane-state';
import {
  RUN_TYPE,
  allotSignal,
  cancelInLaneSignal,
  cancelledRunCostSignal,
  drainLaneSignal,
  laneOrdersQuery,
  laneProgressQuery,
  laneTroubleSignal,
  laneWindowSignal,
  pauseLaneSignal,
  rerunInLaneSignal,
  resumeLaneSignal,
  searchAttributeKeys,
  type LaneInput,
  type LaneResult,
  type RunEnd,
  type RunInput,
} from './messages';
import { type run as runWorkflow } from './run';

/** First and longest pause before starting a child whose id is still taken by an older execution. */
const ID_TAKEN_MS = 1_000;
const ID_TAKEN_MAX_MS = 60_000;

/** One model under one harness: keeps a window of open runs until every planned run has ended. */
export async function lane(input: LaneInput): Promise<LaneResult> {
  const scopes = new Map<string, CancellationScope>();
  const obey = takeSignals(scopes);
  const { planKey, laneId } = input;
  const loaded = await sweepActivities(DEFAULT_TIMINGS).loadLane({ planKey, laneId });
  const state = new LaneState(input, loaded);
  obey(state);
  setHandler(laneProgressQuery, () => state.progress(Date.now()));
  setHandler(laneOrdersQuery, () => state.orders());
  let digests = sendDigests(state);
  const show = () => setCurrentDetails(laneDetails(state.progress(Date.now())));
  const untilEnded = async () => {
    for (;;) {
      state.draining ||= workflowInfo().continueAsNewSuggested;
      const actions = state.choose(Date.now());
      for (const planned of actions.start) launch(input, loaded, planned, state, scopes);
      show();
      if (actions.finished || (state.draining && scopes.size === 0)) return;
      await changed(state, actions.chooseAgainAtMs);
    }
  };
  for (;;) {
    try {
      await untilEnded();
    } catch (error) {
      // Cancelled: the runs are told by their scopes, and clean up before they end.
      await CancellationScope.nonCancellable(() => condition(() => scopes.size === 0));
      state.endedLane = 'cancelled';
      show();
      throw error;
    }
    await condition(allHandlersFinished);
    const { finished } = state.choose(Date.now());
    if (!finished && goesOnAlone(state)) return startOver(input, state);
    state.endedLane = finished ? 'done' : 'drained';
    show();
    await digests.stop();
    // A run may have been asked for again while the sweep was told of the end.
    if (state.choose(Date.now()).finished === finished || !patched('lane-looks-again')) break;
    state.endedLane = undefined;
    digests = sendDigests(state);
  }
  return { progress: state.progress(Date.now()), carried: state.carry() };
}

type Order = (state: LaneState) => void;

/**
 * Takes signals from the first moment on, in the order in which they come: those that wait for their handlers would be
 * sorted by name. Returns what begins to act on them, the ones before included.
 */
function takeSignals(scopes: Map<string, CancellationScope>): (state: LaneState) => void {
  const early: { readonly rank: number; readonly order: Order }[] = [];
  let act = (order: Order, rank: number): void => void early.push({ rank, order });
  setHandler(laneTroubleSignal, (planned, trouble) =>
    act((state) => state.troubled(planned, trouble ?? undefined, Date.now()), 0),
  );
  setHandler(cancelledRunCostSignal, (planned, costMicroUsd) =>
    act((state) => state.costsUntilCancelled(planned, costMicroUsd ?? undefined), 0),
  );
  setHandler(pauseLaneSignal, (reason, hold) =>
    act((state) => state.pause(reason, hold === true), 1),
  );
  setHandler(resumeLaneSignal, () => act((state) => state.resume(), 2));
  setHandler(laneWindowSignal, (window) =>
    act((state) => {
      state.window = window;
      state.version++;
    }, 3),
  );
  setHandler(rerunInLaneSignal, (planned, isSameGeneration) =>
    act((state) => state.rerun(planned, isSameGeneration), 4),
  );
  setHandler(cancelInLaneSignal, (planned) =>
    act((state) => {
      if (state.startsAgain(planned) && patched('cancel-ends-rerun')) state.forgetRerun(planned);
      state.cancelWaiting(planned);
      scopes.get(keyOfRun(planned))?.cancel();
    }, 5),
  );
  setHandler(allotSignal, (microUsd) => act((state) => state.allot(microUsd), 6));
  setHandler(drainLaneSignal, () =>
    act((state) => {
      state.draining = true;
      state.endsDrained = true;
      state.version++;
    }, 7),
  );
  return (state) => {
    act = (order) => order(state);
    // Lanes that began before 2026-12 had them by name.
    if (early.length > 1 && !patched('lane-hears-in-order'))
      early.sort((left, right) => left.rank - right.rank);
    for (const { order } of early.splice(0)) order(state);
  };
}

/** Waits until something changed, or until `atMs` when the breaker lets one run try. */
async function changed(state: LaneState, atMs: number | undefined): Promise<void> {
  const { version } = state;
  const moved = () => state.version !== version;
  if (atMs === undefined || atMs <= Date.now()) await condition(moved);
  else await condition(moved, atMs - Date.now());
}

function launch(
  input: LaneInput,
  loaded: LoadLaneResult,
  planned: PlannedRun,
  state: LaneState,
  scopes: Map<string, CancellationScope>,
): void {
  const scope = new CancellationScope();
  const key = keyOfRun(planned);
  state.started(planned);
  scopes.set(key, scope);
  const finish = (end: RunEnd) => {
    scopes.delete(key);
    state.ended(planned, end, Date.now());
  };
  void scope
    .run(() => runToEnd(input, loaded, planned))
    .catch((error: unknown) => endOfFailure(error))
    .then(finish);
}

async function runToEnd(
  input: LaneInput,
  loaded: LoadLaneResult,
  planned: PlannedRun,
): Promise<RunEnd> {
  const child = await startRun(input, loaded, planned);
  return child.result();
}

/** An execution of an earlier sweep may still be closing under the same id: tried again on a durable timer. */
async function startRun(input: LaneInput, loaded: LoadLaneResult, planned: PlannedRun) {
  const { sweep, planKey, laneId } = input;
  const task = loaded.taskIds[planned.taskIndex] ?? `task-${planned.taskIndex}`;
  const id = runId(laneId, task, planned.repetition);
  const [model = laneId, harness = ''] = laneId.split('@');
  const args: [RunInput] = [{ sweep, planKey, laneId, ...planned }];
  for (let pauseMs = ID_TAKEN_MS; ; pauseMs = Math.min(pauseMs * 2, ID_TAKEN_MAX_MS)) {
    try {
      return await startChild<typeof runWorkflow>(RUN_TYPE, {
        args,
        workflowId: workflowIds.run(sweep, id),
        parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
        cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
        staticSummary: `${task}, repetition ${planned.repetition}`,
        staticDetails: id,
        typedSearchAttributes: [
          { key: searchAttributeKeys.sweep, value: sweep },
          { key: searchAttributeKeys.model, value: model },
          { key: searchAttributeKeys.harness, value: harness },
          { key: searchAttributeKeys.task, value: task },
          { key: searchAttributeKeys.repetition, value: planned.repetition },
          { key: searchAttributeKeys.stage, value: 'waiting' },
        ],
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      log.warn('an older execution of this run is still open', { run: id, pauseMs });
      await sleep(pauseMs);
    }
  }
}

/** A failed child never fails its lane: its `RunEnd` is in the failure's details. */
function endOfFailure(error: unknown): RunEnd {
  if (isCancellation(error)) return { state: 'cancelled', units: [], costMicroUsd: 0 };
  const cause = error instanceof ChildWorkflowFailure ? error.cause : error;
  const [end] = cause instanceof ApplicationFailure ? (cause.details ?? []) : [];
  if (isRunEnd(end)) return end;
  const message = cause instanceof Error ? cause.message : String(cause);
  const failure = { type: 'SandboxLost' as const, message };
  return {
    state: 'failed',
    failure,
    units: [{ outcome: 'failed', ...failure }],
    costMicroUsd: undefined,
  };
}

function isRunEnd(value: unknown): value is RunEnd {
  return typeof value === 'object' && value !== null && 'state' in value && 'units' in value;
}

/** A long history is continued as new, unless the sweep wants to go on in a new execution itself. */
function goesOnAlone(state: LaneState): boolean {
  if (!workflowInfo().continueAsNewSuggested) return false;
  return !state.endsDrained || !patched('drained-lanes-end');
}

/** Nothing is open, so no child is lost; the queue comes from the store again. */
function startOver(input: LaneInput, state: LaneState): Promise<never> {
  const { pausedBecause: _paused, ...rest } = input;
  return continueAsNew<typeof lane>({
    ...rest,
    ...state.selected,
    window: state.window,
    carried: state.carry(),
    ...(state.pausedBecause !== undefined && { pausedBecause: state.pausedBecause }),
  });
}
