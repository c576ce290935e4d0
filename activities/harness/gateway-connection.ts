import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A complete reply of the gateway. */
export interface GatewayReply {
  readonly status: number;
  readonly body: string;
}

const PAUSE_MS = 200;

/** Talks to an attempt's gateway socket as the forwarder in a sandbox does: at least once, under a delivery id. */
export class GatewayConnection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly socketPath: string,
    private readonly token: string,
  ) {}

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
