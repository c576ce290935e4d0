import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as http from 'node:http';
import { isDeeperThan } from '../../core/json-depth';
import { type Logger } from '../../core/logger';
import { type Allowance } from './allowance';
import { type Attempt, type Delivery } from './attempt';
import { type WebAccess } from '../web/port';
import { type BodyBudget } from './body-budget';
import { render } from './exchange-outcome';
import {
  answerUnreadable,
  MAX_BODY_BYTES,
  readBody,
  type Refusal,
  refuse,
  send,
} from './http-messages';
import { estimateTokens, filterMessagesRequest } from './messages-request';
import { modelAnswer } from './model-list';
import { BadRequest, filterRequest, type HarnessProtocol } from './request-filter';
import { shortSocketPath, type SocketPath } from './socket-path';
import { isSubagentRequest } from './subagent-request';

const MOST_CONNECTIONS = 64;
const DELIVERY_ID = /^[A-Za-z0-9._-]{1,128}$/u;
const COUNT_TOKENS = 'POST /v1/messages/count_tokens';
const ENDPOINTS = ['POST /v1/chat/completions', 'POST /v1/messages', COUNT_TOKENS];
/** `WEB_PATH` of the web's port, which may be imported by type only. */
const WEB_PREFIX = '/web/';
const TOO_LARGE: Refusal = {
  status: 413,
  message: `the body exceeds ${MAX_BODY_BYTES} bytes`,
  code: 'too_large',
};
/** Of arrays and objects in each other; real requests have about ten. */
const MOST_LEVELS = 200;
const RECEIVE_TIMEOUT_MS = 120_000;
const LONGEST_WAIT_MS = 1_000;

export interface AttemptServerOptions {
  readonly attempt: Attempt;
  /** This attempt's budget and the one that all share. */
  readonly bodies: readonly BodyBudget[];
  /** For requests that call no model. */
  readonly allowance: Allowance;
  readonly logger: Logger;
  /** Pages of granted hosts; absent where the task grants none. */
  readonly web?: WebAccess;
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
    this.server.on('clientError', answerUnreadable);
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
    const { allowance, web } = this.options;
    const path = (request.url ?? '').split('?')[0] ?? '';
    for (let waitMs = allowance.waitMs; waitMs > 0 && !response.destroyed;) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, LONGEST_WAIT_MS)));
      waitMs = allowance.waitMs;
    }
    // Without the token: programs that the agent runs do not have it, and the socket is this attempt's alone.
    if (path.startsWith(WEB_PREFIX) && web !== undefined) {
      allowance.charge(0);
      await web.handle(request, response);
      return;
    }
    let wasPaid = false;
    try {
      wasPaid = await this.route(request, response, path);
    } finally {
      if (!wasPaid) allowance.charge(Number(request.headers['content-length'] ?? 0) || 0);
    }
  }

  /** True when a model gave the answer, now and for this request. */
  private async route(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    path: string,
  ): Promise<boolean> {
    const protocol = protocolOf(path, request.headers);
    const call = `${request.method ?? ''} ${path}`;
    const isModels = request.method === 'GET' && /^\/v1\/models(?:\/|$)/u.test(path);
    // Harnesses probe for other products' paths before they begin: those are nobody's secret.
    if (!isModels && !ENDPOINTS.includes(call)) {
      await refuse(request, response, protocol, notHere(call));
      return false;
    }
    if (!this.authorised(request)) {
      const message = 'the token is not this attempt’s';
      await refuse(request, response, protocol, { status: 401, message, code: 'invalid_api_key' });
      return false;
    }
    if (isModels) {
      const known = modelAnswer(this.options.attempt.settings, path, protocol);
      if (known === undefined) await refuse(request, response, protocol, notHere(call));
      else send(response, known);
      return false;
    }
    const counted = call === COUNT_TOKENS;
    const answered = await this.answer(request, response, counted ? 'count' : protocol);
    if (typeof answered === 'boolean') return answered;
    await refuse(request, response, protocol, answered);
    return false;
  }

  private authorised(request: http.IncomingMessage): boolean {
    const key = request.headers['x-api-key'];
    const token = /^Bearer (.+)$/iu.exec(request.headers.authorization ?? '')?.[1] ?? key;
    if (typeof token !== 'string') return false;
    if (token === this.goodToken) return true;
    const given = crypto.createHash('sha256').update(token).digest();
    const good = Buffer.from(this.options.attempt.settings.tokenSha256, 'hex');
    if (!crypto.timingSafeEqual(given, good)) return false;
    this.goodToken = token;
    return true;
  }

  /** Answers a request with a body, or says why not; true when a model was called for it. */
  private async answer(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    form: HarnessProtocol | 'count',
  ): Promise<Refusal | boolean> {
    const id = request.headers['x-startupbench-delivery'] ?? crypto.randomUUID();
    if (typeof id !== 'string' || !DELIVERY_ID.test(id)) {
      const message = 'x-startupbench-delivery is not a delivery id';
      return { status: 400, message, code: 'bad_delivery_id' };
    }
    const announced = Number(request.headers['content-length'] ?? MAX_BODY_BYTES);
    if (!(announced <= MAX_BODY_BYTES)) return TOO_LARGE;
    const { bodies, attempt } = this.options;
    for (const budget of bodies) await budget.acquire(announced);
    try {
      const raw = await readBody(request);
      if (raw === undefined) return TOO_LARGE;
      if (form === 'count') {
        const body = JSON.stringify({ input_tokens: estimateTokens(parseJson(raw)) });
        send(response, { status: 200, contentType: 'application/json', body });
        return false;
      }
      const waitedMs = Number(request.headers['x-startupbench-waited-ms'] ?? 0);
      const delivery = this.parse(request, id, raw, waitedMs, form);
      const isNew = !attempt.hasAnswered(id);
      const outcome = await attempt.deliver(delivery);
      send(response, render(outcome, delivery.request, id));
      return isNew && outcome.status === 200;
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      return { status: 400, message: error.message, code: 'bad_request' };
    } finally {
      for (const budget of bodies) budget.release(announced);
    }
  }

  private parse(
    { headers }: http.IncomingMessage,
    id: string,
    raw: Buffer,
    waitedMs: number,
    protocol: HarnessProtocol,
  ): Delivery {
    const given = parseJson(raw);
    const { limits, harness } = this.options.attempt.settings;
    const filter = protocol === 'messages' ? filterMessagesRequest : filterRequest;
    const request = filter(given, limits.maxOutputTokensPerReply);
    return {
      id,
      bodySha256: crypto.createHash('sha256').update(raw).digest('hex'),
      request,
      subagent: isSubagentRequest(harness.name, headers, request.body),
      waitedMs: Number.isFinite(waitedMs) ? waitedMs : 0,
    };
  }
}

function notHere(call: string): Refusal {
  return { status: 404, message: `there is no ${call.slice(0, 100)} here`, code: 'not_found' };
}

function parseJson(raw: Buffer): unknown {
  let given: unknown;
  try {
    given = JSON.parse(raw.toString('utf8'));
  } catch {
    throw new BadRequest('the body is not JSON');
  }
  if (isDeeperThan(given, MOST_LEVELS))
    throw new BadRequest(`the body has more than ${MOST_LEVELS} levels`);
  return given;
}

/** Anthropic's clients always say which version they speak; both protocols have a list of models. */
function protocolOf(path: string, headers: http.IncomingHttpHeaders): HarnessProtocol {
  return path.startsWith('/v1/messages') || headers['anthropic-version'] !== undefined
    ? 'messages'
    : 'chat-completions';
}
