import * as http from 'node:http';
import { shortSocketPath } from './socket-path';

/** Raised when nobody listens on the control socket. */
export class GatewayAbsent extends Error {
  constructor(cause: unknown) {
    super('no gateway process answers', { cause });
    this.name = 'GatewayAbsent';
  }
}

const ABSENT_CODES = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** One request to the control socket. Throws `GatewayAbsent`, or an `Error` with the gateway's own message. */
export function controlRequest(
  socketPath: string,
  method: 'GET' | 'POST',
  path: string,
  body: object | undefined,
  timeoutMs: number,
): Promise<unknown> {
  const text = body === undefined ? '' : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    let short: ReturnType<typeof shortSocketPath>;
    try {
      short = shortSocketPath(socketPath);
    } catch (error) {
      reject(new GatewayAbsent(error));
      return;
    }
    const request = http.request({
      socketPath: short.path,
      method,
      path,
      agent: false,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    });
    request.setTimeout(timeoutMs, () => {
      request.destroy(new Error(`the gateway did not answer ${path} within ${timeoutMs} ms`));
    });
    request.on('socket', (socket) => socket.once('connect', () => short.release()));
    request.on('error', (error: NodeJS.ErrnoException) => {
      reject(ABSENT_CODES.has(error.code ?? '') ? new GatewayAbsent(error) : error);
    });
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', (error) => reject(new GatewayAbsent(error)));
      response.on('end', () => {
        const answer: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
        if (response.statusCode === 200) resolve(answer);
        else reject(new Error(String((answer as { error?: unknown }).error)));
      });
    });
    request.end(text);
  });
}
