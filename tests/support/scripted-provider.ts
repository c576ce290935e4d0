import * as http from 'node:http';
import { type AddressInfo } from 'node:net';

type Json = Readonly<Record<string, unknown>>;

/** What a provider does with one request. Without any member it answers with a tool call. */
export interface ProviderAct {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole body as it goes over the wire; an object goes as JSON. */
  readonly body?: string | Json;
  /** Send this much of the body, then break the connection. */
  readonly cutAfterBytes?: number;
  /** Break the connection at once. */
  readonly reset?: boolean;
  /** Send nothing for ever. */
  readonly stall?: boolean;
  readonly delayMs?: number;
}

export interface SeenRequest {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: number;
  readonly body: Json;
}

export interface ScriptedProvider {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Decides about each request; `number` counts from 1. Replace it at any time. */
  script: (request: SeenRequest, number: number) => ProviderAct;
  close(): Promise<void>;
}

/** A provider on loopback that speaks Chat Completions and does what a test says. */
export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const seen: SeenRequest[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const body = JSON.parse(raw.toString('utf8') || '{}') as Json;
      const { url = '', headers } = request;
      const noted = { path: url, headers, bytes: raw.length, body };
      seen.push(noted);
      const act = provider.script(noted, seen.length);
      setTimeout(() => perform(act, noted, seen.length, response), act.delayMs ?? 0);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const provider: ScriptedProvider = {
    url: `http://127.0.0.1:${port}/v1`,
    seen,
    script: () => ({}),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return provider;
}

function perform(
  act: ProviderAct,
  request: SeenRequest,
  number: number,
  response: http.ServerResponse,
): void {
  if (act.stall === true) return;
  if (act.reset === true) {
    response.destroy();
    return;
  }
  const streamed = request.body['stream'] === true && act.body === undefined;
  const given = act.body ?? completion(number);
  const text = streamed
    ? streamOf(completion(number))
    : typeof given === 'string'
      ? given
      : JSON.stringify(given);
  const type = streamed ? 'text/event-stream' : 'application/json';
  response.writeHead(act.status ?? 200, { 'content-type': type, ...act.headers });
  if (act.cutAfterBytes === undefined) response.end(text);
  else response.write(text.slice(0, act.cutAfterBytes), () => response.destroy());
}

/** A reply that calls `exec`; `change` replaces members of its one choice. */
export function completion(number: number, change: Json = {}): Json {
  const call = {
    id: `call-${number}`,
    type: 'function',
    function: { name: 'exec', arguments: `{"command":"echo ${number}"}` },
  };
  const message = { role: 'assistant', content: null, tool_calls: [call] };
  return {
    id: `reply-${number}`,
    object: 'chat.completion',
    created: 1,
    model: 'scripted-1',
    choices: [{ index: 0, message, finish_reason: 'tool_calls', ...change }],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  };
}

/** The same reply as a stream of events. */
export function streamOf(whole: Json): string {
  const [choice] = whole['choices'] as { message: Json; finish_reason: string }[];
  const { message, finish_reason: reason } = choice!;
  const { tool_calls: calls = [], ...rest } = message;
  const indexed = (calls as Json[]).map((call, index) => ({ index, ...call }));
  const chunk = (delta: Json, finish: string | null) => ({
    id: whole['id'],
    object: 'chat.completion.chunk',
    created: 1,
    model: whole['model'],
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const chunks = [
    chunk({ ...rest, ...(indexed.length > 0 ? { tool_calls: indexed } : {}) }, null),
    chunk({}, reason),
    { ...chunk({}, null), choices: [], usage: whole['usage'] },
  ];
  return `${chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`;
}
