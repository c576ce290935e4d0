import * as http from 'node:http';
import { type AddressInfo } from 'node:net';
import {
  chatError,
  type ChatCompletion,
  completionToEventStream,
} from '../../core/chat-completion';
import { Failure } from '../../core/failure';
import { CallCounter, type ProviderCalls } from './provider-calls';
import { FaultScript, type ProviderFault } from './provider-faults';
import { toCompletion } from './provider-reply';
import {
  parseProviderRequest,
  type ProviderRequest,
  ProviderRequestError,
} from './provider-request';
import { createReplayProvider } from './replay-provider';
import { seeded, simulatedTurn, simulationOf } from './simulated-provider';

export interface ProviderOptions {
  /** 0 = any free port. */
  readonly port: number;
  readonly recordingsDir: string;
  /** @default '127.0.0.1' */
  readonly host?: string;
}

export interface RunningProvider {
  /** `http://127.0.0.1:<port>`; accounts add `/replay/v1` or `/simulated/v1`. */
  readonly url: string;
  calls(): ProviderCalls;
  close(): Promise<void>;
}

/** `arrivedMs` is when the request began to arrive, as `performance.now()` says it. */
type Answer = (request: ProviderRequest, arrivedMs: number) => Promise<ChatCompletion>;

interface Provider {
  readonly counter: CallCounter;
  readonly faults: FaultScript;
  readonly answer: Readonly<Record<string, Answer>>;
}

/** Starts the `replay` and `simulated` providers on one loopback HTTP server. */
export async function startProvider(options: ProviderOptions): Promise<RunningProvider> {
  const provider: Provider = {
    counter: new CallCounter(),
    faults: new FaultScript(),
    answer: {
      '/replay/v1/chat/completions': replayAnswer(options.recordingsDir),
      '/simulated/v1/chat/completions': simulatedAnswer(),
    },
  };
  const server = http.createServer((request, response) => {
    handle(provider, request, response).catch((error: unknown) => sendError(response, error));
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host ?? '127.0.0.1'}:${port}`,
    calls: () => provider.counter.report(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function replayAnswer(recordingsDir: string): Answer {
  const replay = createReplayProvider(recordingsDir);
  return async (request) =>
    toCompletion(await replay(request), {
      model: `replay-${request.recordings ?? ''}`,
      turnNumber: request.turn,
      bodyBytes: request.bodyBytes,
    });
}

function simulatedAnswer(): Answer {
  const tries = new Map<string, number>();
  return async (request, arrivedMs) => {
    const simulation = simulationOf(request);
    // From the request's arrival on: what this process takes by itself is part of the latency, not on top of it.
    const leftMs = Math.floor(arrivedMs + simulation.latencyMs - performance.now());
    if (leftMs > 0) await sleep(leftMs);
    if (simulation.errorRate > 0) failBySeed(request, simulation.seed, simulation.errorRate, tries);
    return toCompletion(simulatedTurn(request), {
      model: 'simulated',
      turnNumber: request.turn,
      bodyBytes: request.bodyBytes,
    });
  };
}

/** The n-th try of a request is its own draw, so that a retry can pass. */
function failBySeed(
  request: ProviderRequest,
  seed: number,
  rate: number,
  tries: Map<string, number>,
): void {
  const { purpose, taskId, repetition, itemId, turn } = request;
  const key = JSON.stringify([purpose, taskId, repetition, itemId, turn]);
  const attempt = (tries.get(key) ?? 0) + 1;
  tries.set(key, attempt);
  if (seeded(seed, 'error', key, attempt) < rate)
    throw new ProviderRequestError(503, 'simulated_error', 'simulated outage');
}

async function handle(
  provider: Provider,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const arrivedMs = performance.now();
  const path = (request.url ?? '').split('?')[0] ?? '';
  const raw = await readBody(request);
  const answer = request.method === 'POST' ? provider.answer[path] : undefined;
  if (answer === undefined) {
    control(provider, `${request.method ?? ''} ${path}`, raw, response);
    return;
  }
  provider.counter.started();
  try {
    const parsed = parseProviderRequest(request, raw);
    const complete = () => answer(parsed, arrivedMs);
    const fault = provider.faults.take(parsed);
    if (fault !== undefined && (await inject(provider, fault, parsed, complete, response))) {
      provider.counter.refused();
      return;
    }
    const completion = await complete();
    // Counted before the reply leaves: a reader of the counts never sees fewer than were sent.
    provider.counter.answered(parsed);
    sendCompletion(response, completion, parsed);
  } catch (error) {
    provider.counter.refused();
    throw error;
  } finally {
    provider.counter.ended();
  }
}

function control(
  provider: Provider,
  route: string,
  raw: Buffer,
  response: http.ServerResponse,
): void {
  if (route === 'GET /calls') send(response, 200, JSON.stringify(provider.counter.report()));
  else if (route === 'POST /calls/reset') {
    provider.counter.reset();
    send(response, 200, '{}');
  } else if (route === 'POST /faults') {
    provider.faults.add(JSON.parse(raw.toString('utf8')));
    send(response, 200, '{}');
  } else if (route === 'DELETE /faults') {
    provider.faults.clear();
    send(response, 200, '{}');
  } else send(response, 404, JSON.stringify(chatError(`no route ${route}`, 'not_found', null)));
}

/** Does what the fault says; false when the request is to be answered after all. */
async function inject(
  provider: Provider,
  fault: ProviderFault,
  request: ProviderRequest,
  complete: () => Promise<ChatCompletion>,
  response: http.ServerResponse,
): Promise<boolean> {
  if (fault.delayMs > 0) await sleep(fault.delayMs);
  if (fault.untilCleared) await provider.faults.cleared();
  if (fault.stall) return true;
  if (fault.cutStream) {
    const text = completionToEventStream(await complete(), true);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy());
    return true;
  }
  if (fault.reset) {
    response.destroy();
    return true;
  }
  if (fault.status === undefined) return false;
  const body = fault.body ?? chatError(`scripted ${fault.status}`, 'scripted_fault', null);
  send(
    response,
    fault.status,
    typeof body === 'string' ? body : JSON.stringify(body),
    fault.headers,
  );
  return true;
}

function sendCompletion(
  response: http.ServerResponse,
  completion: ChatCompletion,
  request: ProviderRequest,
): void {
  if (!request.stream) {
    send(response, 200, JSON.stringify(completion));
    return;
  }
  const text = completionToEventStream(completion, request.includeUsage);
  send(response, 200, text, { 'content-type': 'text/event-stream' });
}

function sendError(response: http.ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ProviderRequestError)
    send(response, error.status, JSON.stringify(chatError(message, 'provider_error', error.code)));
  else if (error instanceof Failure)
    send(
      response,
      400,
      JSON.stringify(chatError(message, 'invalid_request_error', 'bad_recording')),
    );
  else send(response, 400, JSON.stringify(chatError(message, 'invalid_request_error', null)));
}

function send(
  response: http.ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

function readBody(request: http.IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
    );
    request.on('error', reject);
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
