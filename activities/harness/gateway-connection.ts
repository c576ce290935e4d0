import { closeSync, constants, openSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A complete reply of the gateway. */
export interface GatewayReply {
  readonly status: number;
  readonly body: string;
}

const PAUSE_MS = 200;
/** Linux takes 107 bytes for a socket's path; the rest is margin. */
const LONGEST_PATH_BYTES = 100;

/** Talks to an attempt's gateway socket as the forwarder in a sandbox does: at least once, under a delivery id. */
export class GatewayConnection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  private readonly folder: number | undefined;
  private readonly socketPath: string;

  constructor(
    socketPath: string,
    private readonly token: string,
  ) {
    const isLong = Buffer.byteLength(socketPath) > LONGEST_PATH_BYTES;
    // A deep data folder is reached through its open file descriptor.
    this.folder = isLong
      ? openSync(dirname(socketPath), constants.O_RDONLY | constants.O_DIRECTORY)
      : undefined;
    this.socketPath =
      this.folder === undefined
        ? socketPath
        : `/proc/self/fd/${this.folder}/${basename(socketPath)}`;
  }

  /** Sends again under the same id while the gateway is away; rejects only when the signal is aborted. */
  async post(
    path: string,
    body: unknown,
    deliveryId: string,
    signal: AbortSignal,
  ): Promise<GatewayReply> {
    const text = JSON.stringify(body);
    for (;;) {
      try {
        return await this.send(path, text, deliveryId, signal);
      } catch {
        signal.throwIfAborted();
        await sleep(PAUSE_MS, undefined, { signal });
      }
    }
  }

  close(): void {
    this.agent.destroy();
    if (this.folder !== undefined) closeSync(this.folder);
  }

  private send(
    path: string,
    body: string,
    deliveryId: string,
    signal: AbortSignal,
  ): Promise<GatewayReply> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          socketPath: this.socketPath,
          path,
          method: 'POST',
          agent: this.agent,
          signal,
          headers: {
            authorization: `Bearer ${this.token}`,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'x-startupbench-delivery': deliveryId,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            if (!response.complete) {
              reject(new Error('the reply was cut off'));
              return;
            }
            resolve({
              status: response.statusCode ?? 0,
              body: Buffer.concat(chunks).toString('utf8'),
            });
          });
          response.on('aborted', () => reject(new Error('the reply was cut off')));
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}
