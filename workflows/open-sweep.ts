import { type SignalDefinition } from '@temporalio/workflow';
import { type PlannedRun } from '../core/sweep';
import { type sweepActivities } from './activity-options';
import { type SweepBoard } from './sweep-state';
import { type WaitingOrder } from './tell-lane';

/** What the command handlers and the main line share. */
export interface OpenSweep {
  /** Set once the plan is loaded. */
  board: SweepBoard | undefined;
  /** A person's reason to pause while the plan is read: lanes begin paused. */
  pausedEarly: string | undefined;
  /** Lanes are told to end, so that the sweep can go on in a new execution. */
  isDraining: boolean;
  /** Ids of lanes that are open. */
  readonly openLanes: Set<string>;
  /** Those of them whose execution has begun. */
  readonly begunLanes: Set<string>;
  /** By lane: orders that wait until it has begun. */
  readonly waitingOrders: Map<string, WaitingOrder[]>;
  readonly activities: ReturnType<typeof sweepActivities>;
  /** False when the lane is not open any more; a lane that has not begun is told when it has. */
  tell<Args extends unknown[]>(
    laneId: string,
    signal: SignalDefinition<Args>,
    ...args: Args
  ): Promise<boolean>;
  /** Starts a lane again for one run asked for after the lane had ended. */
  reopenLane(laneId: string, planned: PlannedRun): void;
  /** Tells lanes their new shares of the budget. */
  shareOut(): Promise<void>;
  /** Shows in the Temporal UI how the sweep stands. */
  show(): void;
}
