import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import * as net from 'node:net';
import { Failure } from '../core/failure';

/** Held while the process lives; the kernel frees it on any death. */
export interface DataLock {
  release(): void;
}

/**
 * Makes this process the only one with `role` on a data folder: an abstract Unix socket named by both (Linux).
 * Tries for `patienceMs`, since a process that shuts down holds it until it is gone.
 * Throws `ConfigMissing` when another process keeps it.
 */
export async function lockDataFolder(
  dataDir: string,
  role: string,
  patienceMs = 15_000,
): Promise<DataLock> {
  const digest = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 32);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const server = await tryToListen(`\0startupbench-${role}-${digest}`);
    if (server !== undefined) return { release: () => server.close() };
    if (performance.now() >= deadline)
      throw new Failure(
        'ConfigMissing',
        `another ${role} process works on ${dataDir}: stop it (./startupbench down), or set STARTUPBENCH_DATA to another folder`,
      );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** True while a process holds the lock. */
export async function isDataFolderLocked(dataDir: string, role: string): Promise<boolean> {
  try {
    (await lockDataFolder(dataDir, role, 0)).release();
    return false;
  } catch {
    return true;
  }
}

async function tryToListen(name: string): Promise<net.Server | undefined> {
  const server = net.createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(name, () => {
      server.unref();
      resolve(server);
    });
  });
}
