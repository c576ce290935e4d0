import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as http from 'node:http';
import { chatError } from '../../core/chat-completion';
import { type Logger } from '../../core/logger';
import { type Attempt, type Delivery } from './attempt';
import { type BodyBudget } from './body-budget';
import { type HttpAnswer, render } from './exchange-outcome';
import { BadRequest, filterRequest } from './request-filter';
import { shortSocketPath, type SocketPath } from './socket-path';

export const MAX_BODY_BYTES = 64 * 1024 ** 2;
const MAX_DISCARDED_BYTES = 4 * MAX_BODY_BYTES;
const MOST_CONNECTIONS = 64;
const DELIVERY_ID = /^[A-Za-z0-9._-]{1,128}$/u;
const RECEIVE_TIMEOUT_MS = 120_000;

export interface AttemptServerOptions {
  readonly attempt: Attempt;
  /** This attempt's budget and the one that all share. */
  readonly bodies: readonly BodyBudget[];
  readonly logger: Logger;
}

/** HTTP on the attempt's socket: token, routes, sizes. What happens with a request is the attempt's business. */
export class AttemptServer {
  private readonly server: http.Server;
  private socket: SocketPath | undefined;
  /** Tokens seen, by text: hashing each request's token again would be waste. */
  private goodToken: string | undefined;
  private stopping = false;

  constructor(private readonly options: AttemptServerOptions) {
    this.server = http.createServer((request, response) => {
      if (this.stopping) {
        response.destroy();
        return;
      }
      response.once('finish', () => {
        // A connection kept open would keep a stopping server waiting.
        if (this.stopping) request.socket.end();
      });
      this.handle(request, response).catch((error: unknown) => {
        // No answer: the forwarder sends the same delivery again, and a wrong answer would become the agent's fault.
        options.logger.error({ error: String(error) }, 'a request could not be served');
        response.destroy();
      });
    });
    this.server.maxConnections = MOST_CONNECTIONS;
    this.server.requestTimeout = RECEIVE_TIMEOUT_MS;
    this.server.keepAliveTimeout = 60_000;
  }

  /** Listens on the attempt's socket, which everyone in the sandbox may use (mode 0666). */
  async listen(): Promise<void> {
    const { socket } = this.options.attempt.files;
    fs.rmSync(socket, { force: true });
    const short = shortSocketPath(socket);
    this.socket = short;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      // The folder belongs to the sandbox, which could put a link under this name between bind and chmod: the mode
      // comes from the umask instead.
      const umask = process.umask(0o111);
      try {
        this.server.listen(short.path, resolve);
      } finally {
        process.umask(umask);
      }
    });
  }

  /** Takes no new request; connections with an open exchange stay until it is answered. */
  async stop(): Promise<void> {
    this.stopping = true;
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeIdleConnections();
    });
    this.socket?.release();
    this.socket = undefined;
  }

  /** Breaks every connection. */
  abandon(): void {
    this.server.closeAllConnections();
  }

  private async handle(
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (!this.authorised(request)) {
      await refuse(request, response, 401, 'the token is not this attempt’s', 'invalid_api_key');
      return;
    }
    if (request.method === 'GET' && /^\/v1\/models\/?$/u.test(path)) {
      send(response, this.models());
      return;
    }
    if (request.method !== 'POST' || path !== '/v1/chat/completions') {
      await refuse(
        request,
        response,
        404,
        `there is no ${request.method ?? ''} ${path.slice(0, 100)} here`,
        'not_found',
      );
      return;
    }
    await this.complete(request, response);
  }

  private authorised(request: http.IncomingMessage): boolean {
    const token = /^Bearer (.+)$/iu.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) return false;
    if (token === this.goodToken) return true;
    const given = crypto.createHash('sha256').update(token).digest();
    const good = Buffer.from(this.options.attempt.settings.tokenSha256, 'hex');
    if (!crypto.timingSafeEqual(given, good)) return false;
    this.goodToken = token;
    return true;
  }

  private models(): HttpAnswer {
    const { model, limits } = this.options.attempt.settings;
    const entry = {
      id: model.id,
      object: 'model',
      created: 0,
      owned_by: 'startupbench',
      context_length: limits.contextWindowTokens,
    };
    return {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ object: 'list', data: [entry] }),
    };
  }

  private async complete(
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    const id = request.headers['x-startupbench-delivery'] ?? crypto.randomUUID();
    if (typeof id !== 'string' || !DELIVERY_ID.test(id)) {
      await refuse(
        request,
        response,
        400,
        'x-startupbench-delivery is not a delivery id',
        'bad_delivery_id',
      );
      return;
    }
    const announced = Number(request.headers['content-length'] ?? MAX_BODY_BYTES);
    if (!(announced <= MAX_BODY_BYTES)) {
      await refuse(request, response, 413, `the body exceeds ${MAX_BODY_BYTES} bytes`, 'too_large');
      return;
    }
    const { bodies, attempt } = this.options;
    for (const budget of bodies) await budget.acquire(announced);
    try {
      const raw = await readBody(request);
      if (raw === undefined) {
        await refuse(
          request,
          response,
          413,
          `the body exceeds ${MAX_BODY_BYTES} bytes`,
          'too_large',
        );
        return;
      }
      const delivery = this.parse(
        id,
        raw,
        Number(request.headers['x-startupbench-waited-ms'] ?? 0),
      );
      const outcome = await attempt.deliver(delivery);
      send(response, render(outcome, delivery.request.stream, delivery.request.includeUsage));
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      await refuse(request, response, 400, error.message, 'bad_request');
    } finally {
      for (const budget of bodies) budget.release(announced);
    }
  }

  private parse(id: string, raw: Buffer, waitedMs: number): Delivery {
    const bodySha256 = crypto.createHash('sha256').update(raw).digest('hex');
    let given: unknown;
    try {
      given = JSON.parse(raw.toString('utf8'));
    } catch {
      throw new BadRequest('the body is not JSON');
    }
    const { maxOutputTokensPerReply } = this.options.attempt.settings.limits;
    return {
      id,
      bodySha256,
      request: filterRequest(given, maxOutputTokensPerReply),
      waitedMs: Number.isFinite(waitedMs) ? waitedMs : 0,
    };
  }
}

/** The whole body, or undefined when it is too large. Rejects when the sender goes away in the middle. */
function readBody(request: http.IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) resolve(undefined);
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => {
      if (!request.complete) reject(new Error('the sender went away'));
    });
  });
}

/** Reads what is left of the body and forgets it; breaks off when that is too much. */
function discardBody(request: http.IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let left = MAX_DISCARDED_BYTES;
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) request.destroy();
    });
    for (const event of ['end', 'error', 'close']) request.once(event, resolve);
    request.resume();
  });
}

/** Answers once the body is read away: a sender that still writes would take the closed connection for an outage. */
async function refuse(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  status: number,
  message: string,
  code: string,
): Promise<void> {
  response.shouldKeepAlive = false;
  await discardBody(request);
  const body = JSON.stringify(chatError(message, 'invalid_request_error', code));
  send(response, { status, contentType: 'application/json', body });
}

function send(response: http.ServerResponse, answer: HttpAnswer): void {
  if (response.destroyed) return;
  response.writeHead(answer.status, {
    'content-type': answer.contentType,
    'content-length': Buffer.byteLength(answer.body),
  });
  response.end(answer.body);
}
