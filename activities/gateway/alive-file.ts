import { statSync, utimesSync, writeFileSync } from 'node:fs';

const TOUCH_EVERY_MS = 1_000;

/**
 * A file that is touched while the process lives. Returns how long nobody had touched it before, in milliseconds
 * (undefined when there was none), and how to stop.
 */
export function keepAlive(path: string): { readonly awayMs: number | undefined; stop(): void } {
  const before = statSync(path, { throwIfNoEntry: false });
  writeFileSync(path, '', { mode: 0o600 });
  const touch = () => {
    const now = new Date();
    try {
      utimesSync(path, now, now);
    } catch {
      // The data folder is being removed: nothing is left to keep alive.
    }
  };
  touch();
  const timer = setInterval(touch, TOUCH_EVERY_MS);
  timer.unref();
  return {
    awayMs: before === undefined ? undefined : Math.max(0, Date.now() - before.mtimeMs),
    stop: () => {
      clearInterval(timer);
    },
  };
}
