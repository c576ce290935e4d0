import { type Clock } from './clock';

const LOOK_EVERY_MS = 1_000;
/** A busy process is late by less. */
const STOOD_STILL_MS = 10_000;

/** Measures how long something took, without the time in which this process stood still (stopped, or its machine suspended). */
export class AwakeTime {
  private readonly timer: NodeJS.Timeout;
  private lookedAtMs: number;
  private passedMs = 0;

  constructor(private readonly clock: Pick<Clock, 'now'>) {
    this.lookedAtMs = clock.now();
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.timer.unref();
  }

  /** Milliseconds since it was made. */
  stop(): number {
    clearInterval(this.timer);
    this.look();
    return this.passedMs;
  }

  private look(): void {
    const nowMs = this.clock.now();
    const sinceMs = nowMs - this.lookedAtMs;
    this.lookedAtMs = nowMs;
    if (sinceMs < STOOD_STILL_MS) this.passedMs += sinceMs;
  }
}
