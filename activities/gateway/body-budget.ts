interface Waiter {
  readonly bytes: number;
  readonly grant: () => void;
}

/** Bytes of request bodies that the process holds at once; a request beyond waits for its turn. */
export class BodyBudget {
  private used = 0;
  private readonly waiters: Waiter[] = [];

  constructor(private readonly maxBytes: number) {}

  async acquire(bytes: number): Promise<void> {
    // One request larger than the whole budget may pass alone.
    if (this.waiters.length === 0 && (this.used === 0 || this.used + bytes <= this.maxBytes)) {
      this.used += bytes;
      return;
    }
    await new Promise<void>((resolve) => {
      this.waiters.push({ bytes, grant: resolve });
    });
  }

  release(bytes: number): void {
    this.used -= bytes;
    for (;;) {
      const [next] = this.waiters;
      if (next === undefined || (this.used > 0 && this.used + next.bytes > this.maxBytes)) return;
      this.waiters.shift();
      this.used += next.bytes;
      next.grant();
    }
  }
}
