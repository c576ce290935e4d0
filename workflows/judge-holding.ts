import {
  ActivityFailure,
  ApplicationFailure,
  getExternalWorkflowHandle,
  workflowInfo,
} from '@temporalio/workflow';
import { type HeldDetail, type JudgeHold, type RunReference } from '../core/activity-contract';
import { wasCancelled, type FailureFact } from './failures';
import { laneTroubleSignal } from './messages';

/** Trouble of other types that the lane is told of within one wait; later ones are waited for unsaid. */
const MOST_CHANGES = 5;

/** True for a `judgeItem` that ended because its session has to wait. */
export function isHeld(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (!(cause instanceof ApplicationFailure)) return false;
  const [detail] = cause.details ?? [];
  return (detail as Partial<HeldDetail> | undefined)?.held === true;
}

/** A run whose judges wait, as its lane and the Temporal UI know it. */
export class JudgeWait {
  private isTold = false;

  constructor(
    private readonly run: RunReference,
    private readonly show: (waitsFor: string | undefined) => void,
  ) {}

  /**
   * Tries one item until it ends otherwise than by having to wait. `judge` resolves to the trouble that ended it, where
   * that was of another type than the one it was to wait for.
   */
  async withOne(
    trouble: FailureFact,
    judge: (held: JudgeHold) => Promise<FailureFact | undefined>,
  ): Promise<void> {
    let current: FailureFact | undefined = trouble;
    let sinceMs = Date.now();
    // Bounded by the changes that are told: without a type, nothing but an end comes back.
    for (let changes = 0; current !== undefined; changes++) {
      const { type }: FailureFact = current;
      await this.begin(current);
      current = await judge(changes < MOST_CHANGES ? { type, sinceMs } : { sinceMs });
      // The time of a pause is nobody's trouble.
      if (type === 'Paused') sinceMs = Date.now();
    }
    await this.end();
  }

  /** The same for several items at once, of which the lane hears once. */
  async withAll(trouble: FailureFact, judge: (held: JudgeHold) => Promise<void>): Promise<void> {
    await this.begin(trouble);
    await judge({ sinceMs: Date.now() });
    await this.end();
  }

  private async begin(trouble: FailureFact): Promise<void> {
    this.show(`${trouble.type}, ${trouble.message}`);
    // The lane knows of its own pause.
    if (trouble.type !== 'Paused') await this.tell(trouble);
    else if (this.isTold) await this.tell(undefined);
  }

  private async end(): Promise<void> {
    this.show(undefined);
    if (this.isTold) await this.tell(undefined);
  }

  /** A lane that is gone is no trouble of its run. */
  private async tell(trouble: FailureFact | undefined): Promise<void> {
    const { parent } = workflowInfo();
    if (parent === undefined) return;
    this.isTold = trouble !== undefined;
    const { taskIndex, repetition } = this.run;
    const said = trouble && { type: trouble.type, message: `judges wait: ${trouble.message}` };
    try {
      const lane = getExternalWorkflowHandle(parent.workflowId);
      await lane.signal(laneTroubleSignal, { taskIndex, repetition }, said ?? null);
    } catch (error) {
      if (wasCancelled(error)) throw error;
    }
  }
}
