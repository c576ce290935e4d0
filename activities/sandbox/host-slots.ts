import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { attemptPaths } from './attempt-paths';
import { AttemptState } from './attempt-state';
import { isCode } from './durable-file';

/**
 * The sandboxes that this host may run at once. A restarted worker finds those taken that have a container. An attempt
 * without one does not count: its workflow may have to ask for its host again, and a host that is full of such attempts
 * would never answer.
 */
export class HostSlots {
  private readonly taken = new Set<string>();
  private readonly listeners = new Set<() => void>();

  private constructor(readonly capacity: number) {}

  /** @param sandboxesDir `<data>/sandboxes`; may not exist yet */
  static async load(sandboxesDir: string, capacity: number): Promise<HostSlots> {
    const slots = new HostSlots(capacity);
    const names = await readdir(sandboxesDir).catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return [];
      throw error;
    });
    for (const name of names) {
      const state = new AttemptState(attemptPaths(join(sandboxesDir, name)).control);
      if ((await state.readIfWhole('created')) !== undefined) slots.taken.add(name);
    }
    return slots;
  }

  get free(): number {
    return Math.max(0, this.capacity - this.taken.size);
  }

  /** Takes a slot where one is free; an attempt that has one keeps it. */
  tryTake(attemptId: string): boolean {
    if (this.taken.has(attemptId)) return true;
    if (this.free === 0) return false;
    this.taken.add(attemptId);
    this.tellListeners();
    return true;
  }

  /** Takes a slot even where none is free: for an attempt that runs on this host already. */
  take(attemptId: string): void {
    this.taken.add(attemptId);
    this.tellListeners();
  }

  release(attemptId: string): void {
    if (this.taken.delete(attemptId)) this.tellListeners();
  }

  /** Calls back whenever {@link free} may have changed, for who polls only while a slot is free; returns the way out. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Waits until a slot is free and takes it. */
  async takeWhenFree(attemptId: string, signal: AbortSignal): Promise<void> {
    while (!this.tryTake(attemptId)) {
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const stop = () => {
          forget();
          reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
        };
        const forget = this.onChange(() => {
          signal.removeEventListener('abort', stop);
          forget();
          resolve();
        });
        signal.addEventListener('abort', stop, { once: true });
      });
    }
  }

  private tellListeners(): void {
    for (const listener of [...this.listeners]) listener();
  }
}
