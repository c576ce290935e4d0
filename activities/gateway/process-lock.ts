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
