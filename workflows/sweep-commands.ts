import {
  ApplicationFailure,
  condition,
  patched,
  setHandler,
  type SignalDefinition,
} from '@temporalio/workflow';
import { formatUsd } from '../core/money';
import { plural } from '../core/plural';
import { failureFact } from './failures';
import {
  attachUpdate,
  cancelInLaneSignal,
  cancelRunUpdate,
  laneWindowSignal,
  pauseLaneSignal,
  pauseUpdate,
  raiseBudgetUpdate,
  rerunInLaneSignal,
  rerunUpdate,
  resumeLaneSignal,
  resumeUpdate,
  setWindowUpdate,
  type CancelRunInput,
  type CommandResult,
  type PauseInput,
  type RaiseBudgetInput,
  type RerunInput,
  type ResumeInput,
  type SetWindowInput,
} from './messages';
import { type OpenSweep } from './open-sweep';
import { type LanePosition, type SweepBoard } from './sweep-state';
import { tellSoon } from './tell-lane';

const MAX_WINDOW = 500;
const RUN_ID = /^[a-z0-9._-]+@[a-z0-9._-]+\/[a-z0-9._-]+\/r[1-9][0-9]*$/u;

/** Validators check shapes only, since they are synchronous; the handlers wait for the plan and ask the store. */
export function handleCommands(open: OpenSweep): void {
  setHandler(attachUpdate, async () => done('attached'));
  setHandler(pauseUpdate, (input) => pause(open, input), { validator: validatePause });
  setHandler(resumeUpdate, (input) => resume(open, input), { validator: validateResume });
  setHandler(setWindowUpdate, (input) => setWindow(open, input), { validator: validateWindow });
  setHandler(rerunUpdate, (input) => rerun(open, input), { validator: validateRerun });
  setHandler(cancelRunUpdate, (input) => cancelRun(open, input), { validator: validateRunId });
  setHandler(raiseBudgetUpdate, (input) => raiseBudget(open, input), {
    validator: validateBudget,
  });
}

async function pause(open: OpenSweep, input: PauseInput): Promise<CommandResult> {
  if (input.lane === undefined) open.pausedEarly = input.reason;
  const board = await loaded(open);
  const { lane, reason } = input;
  board.pauses.pause(reason, lane);
  if (input.hold === true) {
    const held = await tellAll(open, board, lane, pauseLaneSignal, reason, true);
    board.pauses.keep(held.untold, reason, open.openLanes);
    return done(`paused ${plural(held.told, 'lane')}; open runs wait at their next model request`);
  }
  const { told: count, untold } = await tellAll(open, board, lane, pauseLaneSignal, reason);
  board.pauses.keep(untold, reason, open.openLanes);
  return done(`paused ${plural(count, 'lane')}; open runs go on to their end`);
}

async function resume(open: OpenSweep, input: ResumeInput): Promise<CommandResult> {
  if (input.lane === undefined) open.pausedEarly = undefined;
  const board = await loaded(open);
  board.pauses.resume(input.lane);
  const { told: count, untold } = await tellAll(open, board, input.lane, resumeLaneSignal);
  board.pauses.keep(untold, undefined, open.openLanes);
  return done(`resumed ${plural(count, 'lane')}`);
}

async function setWindow(open: OpenSweep, input: SetWindowInput): Promise<CommandResult> {
  const board = await loaded(open);
  board.windows.set(knownLane(board, input.lane), input.window);
  const told = await tellSoon(open, input.lane, laneWindowSignal, input.window);
  return told
    ? done(`lane ${input.lane} keeps ${plural(input.window, 'run')} open`)
    : refused(`lane ${input.lane} has ended`);
}

/** Writes the new generation's request first: with it in the store, nothing can lose it. */
async function rerun(open: OpenSweep, input: RerunInput): Promise<CommandResult> {
  const board = await loaded(open);
  const { laneId, planned } = position(board, input.runId);
  const { who, reason, force } = input;
  const { planKey } = board.input;
  const answer = await open.activities
    .requestRerun({ planKey, laneId, ...planned, who, reason, force })
    .catch((error: unknown) => {
      throw ApplicationFailure.nonRetryable(failureFact(error, 'StoreUnavailable').message);
    });
  if (!answer.accepted) return refused(answer.message);
  if (board.input.only !== undefined && patched('rerun-joins-launch')) board.join(input.runId);
  await orderRerun(open, board, { laneId, planned }, answer.isSameGeneration === true);
  return done(answer.message);
}

async function orderRerun(
  open: OpenSweep,
  board: SweepBoard,
  run: LanePosition,
  isSameGeneration: boolean,
): Promise<void> {
  const { laneId, planned } = run;
  for (;;) {
    if (!open.openLanes.has(laneId)) {
      // A sweep that is about to go on in a new execution opens the lane there.
      if (open.isDraining && patched('rerun-waits-for-next')) board.leaveToNext(run);
      else open.reopenLane(laneId, planned);
      return;
    }
    if (await open.tell(laneId, rerunInLaneSignal, planned, isSameGeneration)) return;
    // It has closed, and its end has not been heard of yet.
    await condition(() => !open.openLanes.has(laneId));
    // Another command may have opened it again at the same moment: then it is told.
    if (!open.openLanes.has(laneId) || patched('rerun-tells-again')) continue;
    open.reopenLane(laneId, planned);
    return;
  }
}

async function cancelRun(open: OpenSweep, input: CancelRunInput): Promise<CommandResult> {
  const board = await loaded(open);
  const { laneId, planned } = position(board, input.runId);
  const told = await open.tell(laneId, cancelInLaneSignal, planned);
  return told
    ? done(`cancelling ${input.runId} where it is open or waits; what has ended is kept as it is`)
    : refused(`lane ${laneId} has ended`);
}

async function raiseBudget(open: OpenSweep, input: RaiseBudgetInput): Promise<CommandResult> {
  const board = await loaded(open);
  const before = board.budgetMicroUsd;
  if (before === undefined) return refused('the sweep has no budget, so nothing limits it');
  if (input.maxCostMicroUsd <= before)
    return refused(`the budget is ${formatUsd(before)} already; it can only be raised`);
  board.budgetMicroUsd = input.maxCostMicroUsd;
  await open.shareOut();
  return done(`budget raised from ${formatUsd(before)} to ${formatUsd(input.maxCostMicroUsd)}`);
}

async function loaded(open: OpenSweep): Promise<SweepBoard> {
  await condition(() => open.board !== undefined);
  if (open.board === undefined) throw ApplicationFailure.nonRetryable('the plan is not loaded');
  return open.board;
}

async function tellAll<Args extends unknown[]>(
  open: OpenSweep,
  board: SweepBoard,
  lane: string | undefined,
  signal: SignalDefinition<Args>,
  ...args: Args
): Promise<{ readonly told: number; readonly untold: readonly string[] }> {
  const lanes = lane === undefined ? [...open.openLanes] : [knownLane(board, lane)];
  const told = await Promise.all(lanes.map((laneId) => tellSoon(open, laneId, signal, ...args)));
  const untold = lanes.filter((_lane, index) => told[index] !== true);
  return { told: lanes.length - untold.length, untold };
}

function knownLane(board: SweepBoard, lane: string): string {
  if (board.loaded.laneIds.includes(lane)) return lane;
  throw ApplicationFailure.nonRetryable(
    `no lane ${lane}; the lanes are ${board.loaded.laneIds.join(', ')}`,
  );
}

function position(board: SweepBoard, id: string): LanePosition {
  const found = board.positionOf(id);
  if (found === undefined)
    throw ApplicationFailure.nonRetryable(`no run ${id} in this sweep's plan`);
  return found;
}

const done = (message: string): CommandResult => ({ accepted: true, message });
const refused = (message: string): CommandResult => ({ accepted: false, message });

function validatePause(input: PauseInput): void {
  demand(isText(input.reason), 'pause needs a reason of 1 to 500 characters');
  demand(isOptionalText(input.lane), 'lane must be a lane id');
  demand(input.hold === undefined || typeof input.hold === 'boolean', 'hold must be true or false');
}

function validateResume(input: ResumeInput): void {
  demand(isOptionalText(input.lane), 'lane must be a lane id');
}

function validateWindow(input: SetWindowInput): void {
  demand(isText(input.lane), 'setWindow needs a lane id');
  const { window } = input;
  demand(
    Number.isInteger(window) && window >= 1 && window <= MAX_WINDOW,
    `window must be a whole number from 1 to ${MAX_WINDOW}`,
  );
}

function validateRerun(input: RerunInput): void {
  validateRunId(input);
  demand(isText(input.who) && isText(input.reason), 'rerun needs who asks and a reason');
  demand(typeof input.force === 'boolean', 'force must be true or false');
}

function validateRunId(input: { readonly runId: string }): void {
  demand(isText(input.runId) && RUN_ID.test(input.runId), 'runId must read model@harness/task/r1');
}

function validateBudget(input: RaiseBudgetInput): void {
  const { maxCostMicroUsd } = input;
  demand(
    Number.isSafeInteger(maxCostMicroUsd) && maxCostMicroUsd > 0,
    'maxCostMicroUsd must be a positive whole number of micro-dollars',
  );
}

/** What comes from outside is not what its type says. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length >= 1 && value.length <= 500;
}
function isOptionalText(value: unknown): boolean {
  return value === undefined || isText(value);
}
function demand(holds: boolean, message: string): void {
  if (!holds) throw ApplicationFailure.nonRetryable(message, 'InvalidInput');
}
