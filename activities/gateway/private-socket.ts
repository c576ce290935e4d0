import * as fs from 'node:fs';
import { type Server } from 'node:net';
import { shortSocketPath, type SocketPath } from './socket-path';

/** Listens on a Unix socket that only our own user may use (mode 0600); replaces one that a dead process left. */
export async function listenPrivately(server: Server, socketPath: string): Promise<SocketPath> {
  fs.rmSync(socketPath, { force: true });
  const short = shortSocketPath(socketPath);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const umask = process.umask(0o177);
    try {
      server.listen(short.path, resolve);
    } finally {
      process.umask(umask);
    }
  });
  return short;
}
