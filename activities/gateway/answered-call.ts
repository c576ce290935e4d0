import {
  isOverloaded,
  OVERLOAD_PATIENCE_MS,
  requestAtFault,
  ROUNDS_BEFORE_ASKING,
  STRIKES,
  type Trouble,
  troubleOf,
} from '../../core/account-trouble';
import { Failure } from '../../core/failure';
import { type ModelCall, type ModelClient, type ModelReply } from '../models/port';
import { type AccountGate } from './account-gate';

/** One exchange's call to its provider, and what it may do while it waits. */
export interface AnsweredCall {
  readonly client: ModelClient;
  readonly call: Omit<ModelCall, 'retryForMs' | 'signal'>;
  readonly gate: AccountGate;
  readonly timings: CallTimings;
  readonly now: () => number;
  /** Ends everything. */
  readonly signal: AbortSignal;
  /** Ends waiting, but no call that is out. */
  readonly waitSignal: AbortSignal;
  /** Calls may go out: a worker cares for the attempt and nobody has paused it. */
  readonly allowed: () => Promise<void>;
  /** The exchange waits from now on; `shared` = so does every other of its account. */
  readonly held: (trouble: Trouble, shared: boolean) => void;
  /** Since when the whole attempt waits for its provider, on the clock of `now`. */
  readonly troubledSinceMs: () => number | undefined;
  /** It goes out again. */
  readonly released: () => void;
  /** A small call of its own: whether the account serves anything at all. */
  readonly accountAnswers: () => Promise<boolean>;
}

export interface CallTimings {
  /** How long transport faults are tried again before the exchange is held. */
  readonly retryForMs: number;
  /** From the attempt's first fault since its last reply, or this exchange's own, to giving up. */
  readonly holdForMs: number;
  /** First pause between tries of a held exchange. */
  readonly probeMs: number;
}

/**
 * Calls until there is a reply. Trouble of the account holds the exchange until the account works again; a request that
 * fails while the account serves others ends as `Failure('ProviderFault')`. Throws the failure of a refused request, and
 * that of the trouble when `holdForMs` are over.
 */
export async function callUntilAnswered(call: AnsweredCall): Promise<ModelReply> {
  const tries = new Tries(call);
  for (;;) {
    const probing = await tries.turn();
    let reply: ModelReply;
    try {
      reply = await call.client.complete({
        ...call.call,
        signal: call.signal,
        retryForMs: probing ? 0 : call.timings.retryForMs,
      });
    } catch (error) {
      call.signal.throwIfAborted();
      await tries.failed(error);
      continue;
    }
    call.gate.works();
    return { ...reply, failedTries: reply.failedTries + tries.failedTries };
  }
}

/** Where one exchange stands between its tries. */
class Tries {
  failedTries = 0;
  private firstMs: number | undefined;
  private rounds = 0;
  private strikes = 0;
  private seenSuccesses: number;

  constructor(private readonly call: AnsweredCall) {
    this.seenSuccesses = call.gate.successes;
  }

  /** The account seems to work, and this request not. */
  private get suspected(): boolean {
    return this.strikes > 0;
  }

  /** Waits until this exchange may go out; true when it goes to find out whether the account works again. */
  async turn(): Promise<boolean> {
    const { gate, timings, waitSignal } = this.call;
    if (gate.trouble !== undefined && !this.suspected) {
      this.call.held(gate.trouble, true);
      await gate.wait(timings, waitSignal);
      this.call.released();
    }
    await this.call.allowed();
    return gate.trouble !== undefined;
  }

  /** Decides what follows a failure: returns to try again, or throws what ends the exchange. */
  async failed(error: unknown): Promise<void> {
    const { gate, now, timings } = this.call;
    const cause = causeOf(error);
    this.failedTries += cause.tries ?? 1;
    const trouble = troubleOf(error);
    if (trouble === undefined) throw withTries(error, this.failedTries);
    this.firstMs ??= now();
    const sinceMs = now() - this.firstMs;
    const unavailable = trouble.type === 'ProviderUnavailable';
    const overloaded = isOverloaded(error);
    if (unavailable) this.rounds++;
    const othersServed = await this.accountServes(unavailable);
    const mayBlame = unavailable && (!overloaded || sinceMs >= OVERLOAD_PATIENCE_MS);
    if (!othersServed) this.strikes = 0;
    else if (mayBlame) this.strikes++;
    if (this.strikes >= STRIKES) throw withTries(requestAtFault(trouble, cause), this.failedTries);
    const heldSinceMs = Math.min(this.firstMs, this.call.troubledSinceMs() ?? this.firstMs);
    if (now() - heldSinceMs >= timings.holdForMs) throw withTries(error, this.failedTries);
    if (this.suspected || (othersServed && overloaded)) await this.waitAlone(trouble);
    else gate.failed(trouble);
  }

  /** Whether the account has answered anything since this exchange failed the last time. */
  private async accountServes(unavailable: boolean): Promise<boolean> {
    const { gate, signal } = this.call;
    const others = gate.successes > this.seenSuccesses;
    if (!others && unavailable && this.rounds >= ROUNDS_BEFORE_ASKING) {
      if (await this.call.accountAnswers()) gate.works();
      else this.failedTries++;
      signal.throwIfAborted();
    }
    const served = gate.successes > this.seenSuccesses;
    this.seenSuccesses = gate.successes;
    return served;
  }

  /** The account is not to blame: the others go on. */
  private async waitAlone(trouble: Trouble): Promise<void> {
    const { timings, waitSignal } = this.call;
    this.call.held(trouble, false);
    await sleep(timings.probeMs * 2 ** Math.min(this.rounds, 3), waitSignal);
    this.call.released();
  }
}

interface Cause {
  readonly tries?: number;
}

function causeOf(error: unknown): Cause {
  const cause = error instanceof Failure ? error.options.cause : undefined;
  return typeof cause === 'object' && cause !== null ? cause : {};
}

function withTries(error: unknown, tries: number): unknown {
  if (!(error instanceof Failure)) return error;
  const { options } = error;
  return new Failure(error.type, error.message, {
    ...options,
    cause: { ...(options.cause as object | undefined), tries },
  });
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}
