import {
  isOverloaded,
  OVERLOAD_PATIENCE_MS,
  probeDelayMs,
  requestAtFault,
  ROUNDS_BEFORE_ASKING,
  STRIKES,
  type Trouble,
  troubleOf,
} from '../../core/account-trouble';
import { Failure, type FailureType } from '../../core/failure';

/** Milliseconds. */
export interface GateTimings {
  /** How long transport faults of one call are tried again before its session is held. */
  readonly retryForMs: number;
  /** Between two tries of an account in trouble at first; doubled up to twelve times this. */
  readonly probeMs: number;
}

/** A call that cannot be made now, through no fault of its request: its session goes on later. */
export class HeldCall extends Failure {}

/** What one request can bring about alone: some providers' firewalls answer words that they do not like with 403. */
const REQUEST_MAY_CAUSE: readonly FailureType[] = [
  'ProviderUnavailable',
  'ProviderAuth',
  'ModelUnknown',
];
/** Sessions that are never heard of again (cancelled runs) must not fill the memory. */
const MOST_REMEMBERED = 5_000;

/** A call that may go out. */
export interface Entry {
  readonly session: string;
  /** Replies that the account had given before. */
  readonly successes: number;
  /** It goes to find out whether the account works again. */
  readonly isProbe: boolean;
}

/** Where the failing call of one session stands. */
interface Troubled {
  firstMs: number;
  rounds: number;
  strikes: number;
  seenSuccesses: number;
}

/**
 * A judge's account and model as this process sees it. While it is in trouble one call at a time, ever more rarely, goes
 * out to try; all others are refused unmade, so that their activities end and give their places back.
 */
export class JudgeGate {
  private trouble: Trouble | undefined;
  private probes = 0;
  private dueAtMs = 0;
  private successes = 0;
  private lastSuccessMs = Number.NEGATIVE_INFINITY;
  private readonly troubled = new Map<string, Troubled>();

  constructor(private readonly now: () => number) {}

  /** Before a call goes out. Throws `HeldCall` when it is not its turn. */
  enter(session: string, { probeMs }: GateTimings): Entry {
    const { successes } = this;
    // Whose own request is suspected says nothing about the account, and need not wait for it.
    if (this.trouble === undefined || this.isSuspected(session))
      return { session, successes, isProbe: false };
    if (this.now() < this.dueAtMs) throw new HeldCall(this.trouble.type, this.trouble.message);
    this.dueAtMs = this.now() + probeDelayMs(probeMs, this.probes);
    this.probes++;
    return { session, successes, isProbe: true };
  }

  works(session?: string): void {
    this.successes++;
    this.lastSuccessMs = this.now();
    this.trouble = undefined;
    this.probes = 0;
    if (session !== undefined) this.troubled.delete(session);
  }

  /**
   * What a failed call comes to: `HeldCall` for trouble that a person or time ends, `Failure('ProviderFault')` for a
   * request that fails while the account serves others, else the error itself.
   */
  async failed(
    entry: Entry,
    error: unknown,
    timings: GateTimings,
    accountAnswers: () => Promise<boolean>,
  ): Promise<unknown> {
    const trouble = troubleOf(error);
    if (trouble === undefined) return error;
    const own = this.remember(entry, timings);
    const mayBeRequest = REQUEST_MAY_CAUSE.includes(trouble.type);
    if (mayBeRequest) own.rounds++;
    if (!this.servedSince(own) && mayBeRequest && own.rounds >= ROUNDS_BEFORE_ASKING)
      if (await accountAnswers()) this.works();
    const othersServed = this.servedSince(own);
    own.seenSuccesses = this.successes;
    const overloaded = isOverloaded(error);
    const isPatient = overloaded && this.now() - own.firstMs < OVERLOAD_PATIENCE_MS;
    if (!othersServed) own.strikes = 0;
    else if (mayBeRequest && !isPatient) own.strikes++;
    if (own.strikes >= STRIKES) {
      this.troubled.delete(entry.session);
      return requestAtFault(trouble, error);
    }
    const concernsAll = own.strikes === 0 && !(othersServed && overloaded);
    if (concernsAll) this.close(trouble, timings);
    return new HeldCall(trouble.type, trouble.message, { cause: error });
  }

  private close(trouble: Trouble, { probeMs }: GateTimings): void {
    if (this.trouble === undefined) {
      this.probes = 1;
      this.dueAtMs = this.now() + probeMs;
    }
    this.trouble = trouble;
  }

  private isSuspected(session: string): boolean {
    return (this.troubled.get(session)?.strikes ?? 0) > 0;
  }

  private servedSince({ seenSuccesses }: Troubled): boolean {
    return this.successes > seenSuccesses;
  }

  private remember({ session, successes }: Entry, { retryForMs }: GateTimings): Troubled {
    // A reply from before the trouble began says nothing: the call has been failing for `retryForMs`.
    const wasServed = this.now() - this.lastSuccessMs < retryForMs / 2;
    const seenSuccesses = wasServed ? successes : this.successes;
    const fresh = { firstMs: this.now(), rounds: 0, strikes: 0, seenSuccesses };
    const known = this.troubled.get(session) ?? fresh;
    this.troubled.delete(session);
    this.troubled.set(session, known);
    const [oldest] = this.troubled.keys();
    if (this.troubled.size > MOST_REMEMBERED && oldest !== undefined) this.troubled.delete(oldest);
    return known;
  }
}

/** The gates of one judge process. */
export class JudgeGates {
  private readonly gates = new Map<string, JudgeGate>();

  constructor(private readonly now: () => number) {}

  of(account: string, model: string): JudgeGate {
    const key = JSON.stringify([account, model]);
    let gate = this.gates.get(key);
    if (gate === undefined) {
      gate = new JudgeGate(this.now);
      this.gates.set(key, gate);
    }
    return gate;
  }
}
