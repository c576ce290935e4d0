import * as http from 'node:http';
import { z } from 'zod';
import { type Gateway } from './gateway';
import { type GatewayVersion } from './gateway-version';
import { processFiles } from './attempt-files';
import { listenPrivately } from './private-socket';

const attemptBody = z.object({ attemptDir: z.string().min(1) });
const closeBody = attemptBody.extend({
  reason: z.enum(['step_cap', 'request_cap', 'budget', 'tokens', 'timeout', 'closed']),
  graceMs: z.number().nonnegative(),
});

export interface ControlServerOptions {
  readonly dataDir: string;
  readonly gateway: Gateway;
  readonly version: GatewayVersion;
  /** Called once a drain was asked for and its reply is sent. */
  readonly onDrain: () => void;
}

/** The gateway's control socket, for workers of the same user (mode 0600). */
export async function startControlServer(
  options: ControlServerOptions,
): Promise<{ stop(): Promise<void> }> {
  const server = http.createServer((request, response) => {
    void answer(options, request)
      .then((body) => ({ status: 200, body }))
      .catch((error: unknown) => ({
        status: 400,
        body: { error: error instanceof Error ? error.message : String(error) },
      }))
      .then(({ status, body }) => {
        const text = JSON.stringify(body);
        response.writeHead(status, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        });
        response.end(text);
        if (request.url === '/drain' && status === 200) options.onDrain();
      });
  });
  server.keepAliveTimeout = 60_000;
  const { controlSocket } = processFiles(options.dataDir);
  const short = await listenPrivately(server, controlSocket);
  return {
    stop: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      short.release();
    },
  };
}

async function answer(
  options: ControlServerOptions,
  request: http.IncomingMessage,
): Promise<object> {
  const { gateway } = options;
  switch (`${request.method ?? ''} ${request.url ?? ''}`) {
    case 'GET /version':
      return options.version;
    case 'GET /status':
      return { ...gateway.status(), pid: process.pid, version: options.version };
    case 'POST /open': {
      const { attemptDir } = attemptBody.parse(await readJson(request));
      await gateway.raiseLease(attemptDir);
      await gateway.open(attemptDir);
      return {};
    }
    case 'POST /lease': {
      const { attemptDir } = attemptBody.parse(await readJson(request));
      await gateway.raiseLease(attemptDir);
      return {};
    }
    case 'POST /close': {
      const { attemptDir, reason, graceMs } = closeBody.parse(await readJson(request));
      await gateway.close(attemptDir, reason, graceMs);
      return {};
    }
    case 'POST /try-held':
      gateway.tryHeld();
      return {};
    case 'POST /drain':
      return {};
    default:
      throw new Error(`no such request: ${request.method ?? ''} ${request.url ?? ''}`);
  }
}

async function readJson(request: http.IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
