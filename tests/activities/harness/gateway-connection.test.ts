import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayConnection } from '../../../activities/harness/gateway-connection';
import { shortSocketPath } from '../../../activities/gateway/socket-path';

let folder: string;
let server: Server | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'connection-'));
});
afterEach(async () => {
  await new Promise((closed) => (server ? server.close(closed) : closed(undefined)));
  rmSync(folder, { recursive: true });
});

describe('a connection to the gateway', () => {
  it.each([0, 120])('reaches a socket below a folder with %d more bytes', async (bytes) => {
    const below = bytes === 0 ? folder : join(folder, 'd'.repeat(bytes));
    mkdirSync(below, { recursive: true });
    const path = join(below, 'gateway.sock');
    const short = shortSocketPath(path);
    server = createServer((request, response) => {
      request.resume();
      response.end(`${request.headers.authorization} ${request.url}`);
    });
    await new Promise<void>((resolve, reject) => {
      server!.once('error', reject);
      server!.listen(short.path, resolve);
    });
    const connection = new GatewayConnection(path, 'token');
    const limit = AbortSignal.timeout(30_000);
    try {
      expect(await connection.post('/v1/x', {}, 'delivery', limit)).toEqual({
        status: 200,
        body: 'Bearer token /v1/x',
      });
    } finally {
      connection.close();
      short.release();
    }
  });
});
