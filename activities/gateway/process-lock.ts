import * as crypto from 'node:crypto';
import { realpathSync } from 'node:fs';
import * as net from 'node:net';

/** Held while the process lives; the kernel frees it on any death. */
export interface ProcessLock {
  release(): Promise<void>;
}

/**
 * The lock of a data folder: an abstract Unix socket named by the folder. Linux only; excludes processes of one
 * network namespace. Returns undefined when another process holds it.
 */
export async function acquireProcessLock(dataDir: string): Promise<ProcessLock | undefined> {
  const digest = crypto.createHash('sha256').update(realpathSync(dataDir)).digest('hex');
  const server = net.createServer((socket) => socket.destroy());
  const held = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(`\0startupbench-gateway-${digest.slice(0, 32)}`, () => resolve(true));
  });
  if (!held) return undefined;
  return {
    release: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

/** Tries for `waitMs`, since a process that hands over holds the lock until it is done. */
export async function waitForProcessLock(
  dataDir: string,
  waitMs: number,
): Promise<ProcessLock | undefined> {
  const giveUp = Date.now() + waitMs;
  for (;;) {
    const lock = await acquireProcessLock(dataDir);
    if (lock !== undefined || Date.now() >= giveUp) return lock;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
