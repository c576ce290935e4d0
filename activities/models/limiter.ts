import { FairQueue } from './fair-queue';
import { type Clock } from './clock';
import { type PlaceOutcome } from './port';

export interface LimiterOptions {
  readonly maxConcurrency: number;
  readonly clock: Clock;
}

/** Who a call is for. */
export interface Caller {
  readonly lane: string;
  readonly party: string;
  /** A call that is tried again goes before its party's other ones. */
  readonly again?: boolean;
}

/** A call's place among those that may be open at once. */
export interface Grant {
  /** How often the limit had fallen when the call began. */
  readonly epoch: number;
}

interface Waiter {
  readonly grant: (grant: Grant) => void;
}

const DECREASE = 0.7;
/** A provider that asks for a longer pause has a quota, not a rate; the call that was told so says it. */
const LONGEST_PAUSE_MS = 5 * 60_000;

/**
 * Calls at once for one account. The limit falls by 30 % when the provider says "too many" to a call that began under
 * the present limit, so that one burst counts once. It grows by one with each success up to half of where it fell
 * from, then by one per round of successes. Free places go round between lanes, then between a lane's parties.
 */
export class AdaptiveLimiter {
  private max: number;
  private limit: number;
  private fastUpTo = 0;
  private falling = false;
  private epoch = 0;
  private active = 0;
  private pausedUntilMs = 0;
  private waking = false;
  private readonly queue = new FairQueue<Waiter>();

  constructor(private readonly options: LimiterOptions) {
    this.max = Math.max(1, options.maxConcurrency);
    this.limit = this.max;
  }

  /** Calls allowed at once now. */
  get currentLimit(): number {
    return Math.floor(this.limit);
  }

  get open(): number {
    return this.active;
  }

  get waiting(): number {
    return this.queue.size;
  }

  /** The operator's limit, which may change while calls are open. */
  setMaximum(maxConcurrency: number): void {
    const max = Math.max(1, maxConcurrency);
    if (max === this.max) return;
    this.limit = this.limit === this.max ? max : Math.min(this.limit, max);
    this.max = max;
    this.giveOut();
  }

  /** Waits for a place. Rejects with the signal's reason when aborted; then no place is held. */
  async acquire(caller: Caller, signal?: AbortSignal): Promise<Grant> {
    signal?.throwIfAborted();
    return new Promise<Grant>((resolve, reject) => {
      const abort = () => {
        withdraw();
        reject(signal?.reason as Error);
      };
      const withdraw = this.queue.add(caller, {
        grant: (grant) => {
          signal?.removeEventListener('abort', abort);
          resolve(grant);
        },
      });
      signal?.addEventListener('abort', abort, { once: true });
      this.giveOut();
    });
  }

  /** A call that is open already, on a place that another process gave. */
  adopt(): Grant {
    this.active++;
    return { epoch: this.epoch };
  }

  /** Gives the place back and says how the call went. */
  release(grant: Grant, outcome: PlaceOutcome): void {
    this.active--;
    if (outcome.kind === 'succeeded') this.succeeded();
    if (outcome.kind === 'overloaded') this.overloaded(grant, outcome.retryAfterMs);
    this.giveOut();
  }

  private overloaded(grant: Grant, retryAfterMs: number | undefined): void {
    if (retryAfterMs !== undefined) {
      const pauseMs = Math.min(retryAfterMs, LONGEST_PAUSE_MS);
      this.pausedUntilMs = Math.max(this.pausedUntilMs, this.options.clock.now() + pauseMs);
    }
    if (grant.epoch < this.epoch) return;
    this.epoch++;
    if (!this.falling) this.fastUpTo = this.limit / 2;
    this.falling = true;
    this.limit = Math.max(1, this.limit * DECREASE);
  }

  private succeeded(): void {
    this.falling = false;
    const step = this.limit < this.fastUpTo ? 1 : 1 / this.limit;
    this.limit = Math.min(this.max, this.limit + step);
  }

  private giveOut(): void {
    const pauseMs = this.pausedUntilMs - this.options.clock.now();
    if (pauseMs > 0 && this.queue.size > 0) {
      this.wakeAfter(pauseMs);
      return;
    }
    while (this.active < this.currentLimit) {
      const next = this.queue.take();
      if (next === undefined) return;
      this.active++;
      next.grant({ epoch: this.epoch });
    }
  }

  private wakeAfter(pauseMs: number): void {
    if (this.waking) return;
    this.waking = true;
    void this.options.clock.sleep(pauseMs).then(() => {
      this.waking = false;
      this.giveOut();
    });
  }
}
