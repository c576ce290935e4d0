import { ApplicationFailure } from '@temporalio/activity';
import { type HeldDetail, type JudgeHold, type RunReference } from '../core/activity-contract';
import { type Timings } from '../core/limits';
import { type ModelIdentity } from '../core/sweep';
import { type LaneLink } from './agent/lane-link';
import { toApplicationFailure } from './failure-mapping';
import { CheckCosts, holdingClient } from './judge/holding-client';
import { HeldCall, JudgeGates } from './judge/judge-gate';
import { type ModelClient } from './models/port';

/** `holdAfterMs`, `holdForMs` and `holdProbeMs` of a plan that names none. */
const HOLD_TIMINGS = { holdAfterMs: 60_000, holdForMs: 12 * 3_600_000, holdProbeMs: 5_000 };
const MESSAGE_CHARACTERS = 500;
/** One answer of a lane serves all judges of its runs for this long. */
const FRESH_MS = 2_000;
/** A lane that does not answer, since Temporal is away, holds nobody up for longer than this. */
const LONGEST_ASK_MS = 1_000;

export interface JudgeHoldingDependencies {
  readonly models: ModelClient;
  /** The way to the lanes of the runs that are judged here; absent = nobody can pause them. */
  readonly lane?: LaneLink;
  readonly now: () => number;
}

/** One item as its holding sees it. */
export interface HoldableItem {
  readonly sweep: string;
  readonly run: RunReference;
  readonly model: ModelIdentity;
  readonly verdictKey: string;
  readonly timings: Timings;
}

/**
 * Lets judges wait for their account as agents do. An activity that cannot go on ends at once, with a failure that
 * says so: the run waits in Temporal, where no worker is needed for it, and the session goes on from its journal.
 */
export class JudgeHolding {
  private readonly gates: JudgeGates;
  private readonly checks = new CheckCosts();
  private readonly pauses: LanePauses;

  constructor(private readonly deps: JudgeHoldingDependencies) {
    this.gates = new JudgeGates(deps.now);
    this.pauses = new LanePauses(deps.lane, deps.now);
  }

  /** Throws `HeldCall` for what is waited for. */
  client({ sweep, run, model, verdictKey, timings }: HoldableItem): ModelClient {
    const { holdAfterMs, holdProbeMs } = { ...HOLD_TIMINGS, ...timings };
    return holdingClient({
      models: this.deps.models,
      gate: this.gates.of(model.account, model.name),
      timings: { retryForMs: holdAfterMs, probeMs: holdProbeMs },
      session: verdictKey,
      pausedBecause: () => this.pauses.reason(sweep, run),
      checks: this.checks,
    });
  }

  /**
   * What an activity fails with. A held call is tried again by Temporal where the run waits for just that (`held`), and
   * told to the run otherwise; after `holdForMs` it is trouble like any other, the lane's to decide. While a run waits,
   * failures of other kinds are told to it at once: retries without end are for holding alone.
   */
  failure(error: unknown, held: JudgeHold | undefined, timings: Timings): unknown {
    if (!(error instanceof HeldCall)) return held === undefined ? error : final(error);
    const { holdForMs, holdProbeMs } = { ...HOLD_TIMINGS, ...timings };
    const message = error.message.slice(0, MESSAGE_CHARACTERS);
    const isPause = error.type === 'Paused';
    const isOther = held?.type !== undefined && held.type !== error.type;
    const waits = held !== undefined && !isOther;
    if (waits && !isPause && this.deps.now() - held.sinceMs >= holdForMs)
      return ApplicationFailure.nonRetryable(message, error.type);
    return ApplicationFailure.create({
      message,
      type: error.type,
      nonRetryable: !waits,
      details: [{ held: true } satisfies HeldDetail],
      category: 'BENIGN',
      // A pause ends by a word, which is cheap to ask for.
      ...(isPause && { nextRetryDelay: holdProbeMs }),
    });
  }
}

function final(error: unknown): unknown {
  const failure = toApplicationFailure(error);
  if (!(failure instanceof ApplicationFailure)) return failure;
  return ApplicationFailure.create({
    message: failure.message,
    type: failure.type ?? 'Error',
    nonRetryable: true,
    ...(failure.cause !== undefined && { cause: failure.cause }),
  });
}

/** Which lanes hold their open runs too, as they said last. */
class LanePauses {
  private readonly known = new Map<string, { atMs: number; reason: string | undefined }>();
  private readonly asking = new Map<string, Promise<void>>();

  constructor(
    private readonly lane: LaneLink | undefined,
    private readonly now: () => number,
  ) {}

  async reason(sweep: string, run: RunReference): Promise<string | undefined> {
    if (this.lane === undefined) return undefined;
    const key = JSON.stringify([sweep, run.laneId]);
    const known = this.known.get(key);
    if (known === undefined || this.now() - known.atMs >= FRESH_MS)
      await atMost(LONGEST_ASK_MS, this.ask(this.lane, key, sweep, run));
    return this.known.get(key)?.reason;
  }

  private ask(lane: LaneLink, key: string, sweep: string, run: RunReference): Promise<void> {
    let asking = this.asking.get(key);
    if (asking === undefined) {
      asking = lane
        .orders(sweep, run)
        .then(
          ({ hold }) => hold,
          // What was said last holds while Temporal is away.
          () => this.known.get(key)?.reason,
        )
        .then((reason) => {
          this.known.set(key, { atMs: this.now(), reason });
          this.asking.delete(key);
        });
      this.asking.set(key, asking);
    }
    return asking;
  }
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, over]);
  clearTimeout(timer);
}
