import { ApplicationFailure } from '@temporalio/activity';
import { setTimeout as sleep } from 'node:timers/promises';
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
/** A lane that does not answer, since Temporal is away, holds nobody up for longer than this: its last word stands. */
const LONGEST_ASK_MS = 1_000;
/**
 * Where a worker has not heard its word for long, or never. Temporal first offers a question to the worker that had the
 * lane last, and where that one was killed asks another after ten seconds; meanwhile a pause must not let calls out.
 */
const FIRST_ASK_MS = 30_000;
const ASK_AGAIN_MS = 500;
/** What was asked longer ago is asked again: the answer may be from before this process stood still. */
const ASKED_ANEW_MS = 10_000;
/** A word that is older is worth no more than none. */
const WORTH_MS = 60_000;

export interface JudgeHoldingDependencies {
  readonly models: ModelClient;
  /** The way to the lanes of the runs that are judged here; absent = nobody can pause them. */
  readonly lane?: LaneLink;
  /** How long the first word of a lane is waited for; default 30,000. */
  readonly firstAskMs?: number;
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
    this.pauses = new LanePauses(deps.lane, deps.now, deps.firstAskMs ?? FIRST_ASK_MS);
  }

  /** Throws `HeldCall` for what is waited for. */
  client({ sweep, run, model, verdictKey, timings }: HoldableItem): ModelClient {
    const { holdAfterMs, holdProbeMs } = { ...HOLD_TIMINGS, ...timings };
    return holdingClient({
      models: this.deps.models,
      gate: this.gates.of(model.account, model.name),
      timings: { retryForMs: holdAfterMs, probeMs: holdProbeMs },
      session: verdictKey,
      pausedBecause: (signal) => this.pauses.reason(sweep, run, signal),
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

/** What a lane said last. */
interface Word {
  /** When it was asked that: the answer may have come long after, to a process that stood still. */
  readonly askedAtMs: number;
  /** Until when it was asked again in vain. */
  readonly atMs: number;
  readonly reason: string | undefined;
}

/** Which lanes hold their open runs too, as they said last. */
class LanePauses {
  private readonly known = new Map<string, Word>();
  private readonly asking = new Map<string, { readonly sinceMs: number; over: Promise<void> }>();

  constructor(
    private readonly lane: LaneLink | undefined,
    private readonly now: () => number,
    private readonly firstAskMs: number,
  ) {}

  async reason(
    sweep: string,
    run: RunReference,
    signal?: AbortSignal,
    again?: 'again',
  ): Promise<string | undefined> {
    if (this.lane === undefined) return undefined;
    const key = JSON.stringify([sweep, run.laneId]);
    const known = this.known.get(key);
    if (known === undefined || this.now() - known.atMs >= FRESH_MS) {
      const isWorth = this.isWorth(known);
      const patienceMs = isWorth ? LONGEST_ASK_MS : this.firstAskMs;
      await atMost(patienceMs, this.ask(this.lane, key, sweep, run), signal);
      if (signal?.aborted === true) return undefined;
      // Silence is waited for once, not before each call.
      if (!isWorth && this.known.get(key) === known) this.known.set(key, this.stillSaid(known));
      const heard = this.known.get(key);
      const isLate = heard !== known && this.now() - (heard?.atMs ?? 0) >= ASKED_ANEW_MS;
      if (isLate && again === undefined) return this.reason(sweep, run, signal, 'again');
    }
    return this.known.get(key)?.reason;
  }

  /** A word that is too old counts as none: a lane may have been paused while this process stood still. */
  private isWorth(word: Word | undefined): boolean {
    return word !== undefined && this.now() - word.atMs < WORTH_MS;
  }

  private stillSaid(word: Word | undefined): Word {
    return { askedAtMs: -Infinity, reason: undefined, ...word, atMs: this.now() };
  }

  private ask(lane: LaneLink, key: string, sweep: string, run: RunReference): Promise<void> {
    const open = this.asking.get(key);
    const sinceMs = this.now();
    if (open !== undefined && sinceMs - open.sinceMs < ASKED_ANEW_MS) return open.over;
    const asking = { sinceMs, over: Promise.resolve() };
    asking.over = this.answer(lane, key, sweep, run).then((word) => {
      if (word.askedAtMs >= (this.known.get(key)?.askedAtMs ?? -Infinity))
        this.known.set(key, word);
      if (this.asking.get(key) === asking) this.asking.delete(key);
    });
    this.asking.set(key, asking);
    return asking.over;
  }

  /** What was said last holds while Temporal is away; where that is worth nothing, it is asked again. */
  private async answer(
    lane: LaneLink,
    key: string,
    sweep: string,
    run: RunReference,
  ): Promise<Word> {
    for (;;) {
      const atMs = this.now();
      try {
        return { askedAtMs: atMs, atMs, reason: (await lane.orders(sweep, run)).hold };
      } catch {
        const known = this.known.get(key);
        if (this.isWorth(known)) return this.stillSaid(known);
        await sleep(ASK_AGAIN_MS, undefined, { ref: false });
      }
    }
  }
}

/** Returns when the work is done, the time is over or the signal is aborted. */
async function atMost(ms: number, work: Promise<void>, signal?: AbortSignal): Promise<void> {
  const over = new AbortController();
  const stop = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
  await Promise.race([work, sleep(ms, undefined, { signal: stop }).catch(() => undefined)]);
  over.abort();
}
