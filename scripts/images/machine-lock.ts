import { createServer } from 'node:net';

const POLL_MS = 500;

/**
 * Runs `work` while no other process of this machine holds the lock of that name. The lock is an abstract
 * Unix socket: the kernel frees it when its holder dies, however it dies. Without Linux there is none and
 * `work` runs at once.
 *
 * @param onWait called once if another process has the lock
 */
export async function withMachineLock<T>(
  name: string,
  onWait: () => void,
  work: () => Promise<T>,
): Promise<T> {
  if (process.platform !== 'linux') return work();
  let release = await tryLock(name);
  if (!release) onWait();
  while (!release) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    release = await tryLock(name);
  }
  try {
    return await work();
  } finally {
    release();
  }
}

function tryLock(name: string): Promise<(() => void) | undefined> {
  const server = createServer((connection) => connection.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(`\0startupbench/${name}`, () => resolve(() => void server.close()));
  });
}
