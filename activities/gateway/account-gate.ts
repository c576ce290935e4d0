import { probeDelayMs, type Trouble } from '../../core/account-trouble';

/** Time before the first try, in milliseconds; doubled at each further one, up to twelve times this. */
export interface GateTimings {
  readonly probeMs: number;
}

interface Waiter {
  readonly timings: GateTimings;
  readonly letGo: () => void;
}

/** A provider may name a time far away; a person may have paid meanwhile. */
const LONGEST_PAUSE_MS = 30 * 60_000;

/**
 * One account and model, as all attempts see it. While it is in trouble their exchanges wait here, and one at a time is
 * let go to try: its success lets all others go.
 */
export class AccountGate {
  private current: Trouble | undefined;
  /** Tries made since the trouble began. */
  private probes = 0;
  private waiters: Waiter[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** Replies that came; whoever fails in between knows that the account works for others. */
  successes = 0;

  /** Undefined while calls may be made. */
  get trouble(): Trouble | undefined {
    return this.current;
  }

  works(): void {
    this.successes++;
    if (this.current === undefined) return;
    this.current = undefined;
    this.probes = 0;
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const waiter of this.waiters.splice(0)) waiter.letGo();
  }

  failed(trouble: Trouble): void {
    this.current = trouble;
    this.schedule();
  }

  /** Until the account works, or it is this caller's turn to try. Rejects with the signal's reason. */
  async wait(timings: GateTimings, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        this.waiters = this.waiters.filter((other) => other !== waiter);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        timings,
        letGo: () => {
          signal.removeEventListener('abort', abort);
          resolve();
        },
      };
      signal.addEventListener('abort', abort, { once: true });
      this.waiters.push(waiter);
      this.schedule();
    });
  }

  /** A person, or a changed account, gives reason to try at once. */
  tryNow(): void {
    this.probes = 0;
    this.letOneGo();
  }

  private schedule(): void {
    const [next] = this.waiters;
    if (this.timer !== undefined || next === undefined) return;
    const { probeMs } = next.timings;
    const backoffMs = probeDelayMs(probeMs, this.probes);
    const askedMs = Math.min(this.current?.retryAfterMs ?? 0, LONGEST_PAUSE_MS);
    this.timer = setTimeout(
      () => {
        this.probes++;
        this.letOneGo();
      },
      Math.max(backoffMs, askedMs),
    );
    this.timer.unref();
  }

  private letOneGo(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiters.shift()?.letGo();
    // The next one's turn comes even if the first never says how it went.
    this.schedule();
  }
}

/** The gates of one gateway process. */
export class AccountGates {
  private readonly gates = new Map<string, AccountGate>();

  of(account: string, model: string): AccountGate {
    const key = JSON.stringify([account, model]);
    let gate = this.gates.get(key);
    if (gate === undefined) {
      gate = new AccountGate();
      this.gates.set(key, gate);
    }
    return gate;
  }

  tryNow(): void {
    for (const gate of this.gates.values()) gate.tryNow();
  }
}
