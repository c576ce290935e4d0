export interface AllowanceOptions {
  /** Requests that may come at once. @default 200 */
  readonly burst?: number;
  /** Requests a second after that. @default 10 */
  readonly perSecond?: number;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number;
}

const BYTES_PER_POINT = 1024 ** 2;

/**
 * Bounds what an attempt may ask of the gateway without a model being called: token counts, bad requests, requests after
 * the end. Model requests have a cap of their own. Who has used up the allowance waits, since any answer sooner would
 * only be asked for again.
 */
export class Allowance {
  private readonly burst: number;
  private readonly perSecond: number;
  private readonly now: () => number;
  private points: number;
  private atMs: number;

  constructor(options: AllowanceOptions = {}) {
    this.burst = options.burst ?? 200;
    this.perSecond = options.perSecond ?? 10;
    this.now = options.now ?? Date.now;
    this.points = this.burst;
    this.atMs = this.now();
  }

  /** Milliseconds to wait before the next request is looked at. */
  get waitMs(): number {
    this.refill();
    return this.points >= 1 ? 0 : Math.ceil(((1 - this.points) / this.perSecond) * 1_000);
  }

  /** A request that no model was called for; a large body counts for more. May go below zero: the next one waits. */
  charge(bytes: number): void {
    this.refill();
    this.points -= 1 + bytes / BYTES_PER_POINT;
  }

  private refill(): void {
    const nowMs = this.now();
    const gained = ((nowMs - this.atMs) / 1_000) * this.perSecond;
    this.points = Math.min(this.burst, this.points + Math.max(0, gained));
    this.atMs = nowMs;
  }
}
