import { type RunReference } from '../../core/activity-contract';

/** Provider trouble that a run waits for. */
export interface RunTrouble {
  readonly type: string;
  readonly message: string;
}

/** What a lane wants of its open runs. */
export interface RunOrders {
  /** A person's reason to hold open exchanges; absent = let them go. */
  readonly hold?: string;
  /** Raised by each `resume`. */
  readonly resumes: number;
  /** Type of the trouble for which the lane takes this run to wait. */
  readonly holding?: string;
}

/** The way between an agent host and the lane of a run that it executes. Both may fail while Temporal is away. */
export interface LaneLink {
  orders(sweep: string, run: RunReference): Promise<RunOrders>;
  /** Says that the run waits for its provider, or (undefined) does no more. */
  report(sweep: string, run: RunReference, trouble: RunTrouble | undefined): Promise<void>;
}
