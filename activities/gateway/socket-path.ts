import { closeSync, constants, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A name for a socket that the kernel accepts, and what keeps it valid. */
export interface SocketPath {
  readonly path: string;
  /** Call when the server is closed or the client is connected. */
  release(): void;
}

/** Linux takes 107 bytes; the rest is margin. */
const LONGEST_PATH_BYTES = 100;

/**
 * The same socket under a short name: deep data folders exceed what the kernel accepts for a socket's path, so the
 * folder is reached through its open file descriptor. Linux only.
 */
export function shortSocketPath(path: string): SocketPath {
  if (Buffer.byteLength(path) <= LONGEST_PATH_BYTES) return { path, release: () => undefined };
  const folder = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  return {
    path: `/proc/self/fd/${folder}/${basename(path)}`,
    release: () => {
      closeSync(folder);
    },
  };
}
