import { openRunsAllowed, type BreakerState } from './breaker';
import { affordableStarts, type LaneMoney } from './budget';
import { type PlannedRun } from './sweep';

/** All a lane knows when it decides what starts next. */
export interface LaneSchedule {
  /** Runs not yet started, the head first. */
  readonly waiting: readonly PlannedRun[];
  /** Runs that are open now. */
  readonly open: number;
  readonly window: number;
  /** A person's reason to pause; `undefined` = not paused. */
  readonly pausedBecause: string | undefined;
  /** Starts nothing more, since the lane is about to continue as new or to give way. */
  readonly draining: boolean;
  readonly breaker: BreakerState;
  /** Open runs wait for their provider: further ones would only join them. @default false */
  readonly holding?: boolean;
  readonly money: LaneMoney;
}

export type BlockedBy = 'paused' | 'draining' | 'holding' | 'breaker' | 'budget';

export interface LaneActions {
  readonly start: readonly PlannedRun[];
  /** Why less was started than the window allows, with runs waiting. */
  readonly blockedBy: BlockedBy | undefined;
  /** Nothing is open and nothing waits. */
  readonly finished: boolean;
  /** When to choose again although nothing ended: a breaker's next probe. */
  readonly chooseAgainAtMs: number | undefined;
}

/** Chooses what a lane starts now. Pure: the same schedule and clock give the same actions. */
export function chooseStarts(lane: LaneSchedule, nowMs: number): LaneActions {
  const room = Math.min(Math.max(0, lane.window - lane.open), lane.waiting.length);
  const byBreaker = Math.max(0, openRunsAllowed(lane.breaker, nowMs) - lane.open);
  const byBudget = affordableStarts(lane.money, lane.open);
  const mayStart = lane.pausedBecause === undefined && !lane.draining;
  const count = mayStart && lane.holding !== true ? Math.min(room, byBreaker, byBudget) : 0;
  return {
    start: lane.waiting.slice(0, count),
    blockedBy: count < room ? blockedBy(lane, byBreaker, byBudget) : undefined,
    finished: lane.open === 0 && lane.waiting.length === 0,
    chooseAgainAtMs: mayStart ? lane.breaker.open?.probeAtMs : undefined,
  };
}

function blockedBy(lane: LaneSchedule, byBreaker: number, byBudget: number): BlockedBy {
  if (lane.pausedBecause !== undefined) return 'paused';
  if (lane.draining) return 'draining';
  if (lane.holding === true) return 'holding';
  return byBreaker <= byBudget ? 'breaker' : 'budget';
}
