import { createServer } from 'node:net';

/**
 * Below Linux's range for outgoing connections and for servers without a wish: nobody gets one of these by chance
 * while the server that it was found for has not started yet, or starts again.
 */
const FIRST = 12_000;
const LAST = 32_000;
const TRIES = 1_000;

/** `count` different ports of the loopback interface that nobody listens on now. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  for (let tries = 0; ports.size < count; tries++) {
    if (tries === TRIES) throw new Error(`no ${count} free ports from ${FIRST} to ${LAST}`);
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (!ports.has(port) && (await isFree(port))) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
