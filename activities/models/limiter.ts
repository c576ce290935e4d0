interface Waiter {
  readonly ticket: number;
  readonly grant: () => void;
}

export interface LimiterOptions {
  readonly maxConcurrency: number;
  readonly now: () => number;
  /** Shortest time between two decreases: one burst of refusals counts once. @default 1000 */
  readonly cooldownMs?: number;
}

const DECREASE = 0.7;

/**
 * Calls at once for one account. The limit falls by 30 % when the provider says "too many" and grows by one per
 * round of successes (AIMD). Places go in the order in which calls first came: a call that is tried again keeps its
 * ticket, so it cannot be overtaken for ever.
 */
export class AdaptiveLimiter {
  private limit: number;
  private active = 0;
  private nextTicket = 0;
  private lastDecreaseMs = Number.NEGATIVE_INFINITY;
  private readonly waiters: Waiter[] = [];

  constructor(private readonly options: LimiterOptions) {
    this.limit = Math.max(1, options.maxConcurrency);
  }

  /** Calls allowed at once now. */
  get currentLimit(): number {
    return Math.floor(this.limit);
  }

  get waiting(): number {
    return this.waiters.length;
  }

  /** A place in the order; keep it for all tries of one call. */
  ticket(): number {
    return this.nextTicket++;
  }

  /** Waits for a place. Rejects with the signal's reason when aborted; then no place is held. */
  async acquire(ticket: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.active < this.currentLimit && this.waiters.length === 0) {
      this.active++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        const at = this.waiters.indexOf(waiter);
        if (at >= 0) this.waiters.splice(at, 1);
        reject(signal?.reason as Error);
      };
      const waiter: Waiter = {
        ticket,
        grant: () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
      };
      const after = this.waiters.findIndex((other) => other.ticket > ticket);
      this.waiters.splice(after < 0 ? this.waiters.length : after, 0, waiter);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /** Gives the place back. */
  release(): void {
    this.active--;
    while (this.active < this.currentLimit) {
      const next = this.waiters.shift();
      if (next === undefined) return;
      this.active++;
      next.grant();
    }
  }

  /** The provider said "too many": fewer calls at once from now on. */
  overloaded(): void {
    const now = this.options.now();
    if (now - this.lastDecreaseMs < (this.options.cooldownMs ?? 1_000)) return;
    this.lastDecreaseMs = now;
    this.limit = Math.max(1, this.limit * DECREASE);
  }

  succeeded(): void {
    this.limit = Math.min(this.options.maxConcurrency, this.limit + 1 / Math.max(1, this.limit));
  }
}
