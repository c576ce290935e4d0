import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type GatewayControl,
  type GatewayEnd,
  type GatewayLog,
  type Holding,
} from '../../../../activities/gateway/port';
import { type SocketPath, shortSocketPath } from '../../../../activities/gateway/socket-path';
import { NO_USAGE } from '../../../../core/money';

/** A chat request as the scripts see it. */
export interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly stream?: boolean;
}
export interface ScriptedReply {
  readonly status?: number;
  readonly text?: string;
  readonly tool?: { readonly name: string; readonly arguments: unknown };
}
/** `turn` counts the requests of an attempt from 1. */
export type Script = (request: ChatRequest, turn: number) => ScriptedReply | Promise<ScriptedReply>;

export interface Delivery {
  readonly id: string;
  readonly authorization: string;
  readonly body: string;
}

/**
 * Plays the gateway of attempts on their real sockets, in this process: replies come from a script, and a delivery id
 * seen before gets the same reply. It keeps no journal on disk; the real one has tests of its own.
 */
export class ScriptedGateway implements GatewayControl {
  readonly deliveries: Delivery[] = [];
  readonly calls: string[] = [];
  log: Partial<GatewayLog> = {};
  held: Holding | undefined;
  private readonly servers = new Map<string, { server: Server; short: SocketPath }>();
  private readonly answered = new Map<string, Promise<ScriptedReply>>();

  constructor(private readonly script: Script = () => ({ text: 'done' })) {}

  async ensureRunning(): Promise<void> {
    await Promise.resolve();
  }

  async open(attemptDir: string): Promise<void> {
    this.calls.push('open');
    if (this.servers.has(attemptDir)) return;
    const socket = join(attemptDir, 'run', 'gateway.sock');
    await rm(socket, { force: true });
    const server = createServer((request, response) => void this.answer(request, response));
    const short = shortSocketPath(socket);
    this.servers.set(attemptDir, { server, short });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(short.path, resolve);
    });
    await chmod(socket, 0o666);
  }

  async renewLease(): Promise<void> {
    this.calls.push('renewLease');
    await Promise.resolve();
  }

  async close(attemptDir: string, reason: GatewayEnd): Promise<void> {
    this.calls.push(`close ${reason}`);
    await this.disappear(attemptDir);
  }

  /** Ends every connection and the socket, as a killed process does. */
  async disappear(attemptDir: string): Promise<void> {
    const served = this.servers.get(attemptDir);
    if (served === undefined) return;
    this.servers.delete(attemptDir);
    served.server.closeAllConnections();
    await new Promise<void>((resolve) => served.server.close(() => resolve()));
    served.short.release();
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.servers.keys()].map((attemptDir) => this.disappear(attemptDir)));
  }

  async readLog(): Promise<GatewayLog> {
    await Promise.resolve();
    const steps = this.answered.size;
    return {
      traffic: {
        steps,
        modelRequests: steps,
        auxiliaryRequests: 0,
        upstreamCalls: steps,
        toolCalls: 0,
        usage: NO_USAGE,
        costMicroUsd: steps * 10,
        incomplete: false,
      },
      end: undefined,
      lastFinishReason: 'stop',
      lastError: undefined,
      trouble: undefined,
      refused: false,
      emptyReply: false,
      answeredMs: 0,
      waitedMs: 0,
      ...this.log,
    };
  }

  async holding(): Promise<Holding | undefined> {
    return Promise.resolve(this.held);
  }

  async isHeld(): Promise<boolean> {
    return Promise.resolve(this.held !== undefined);
  }

  async pause(_attemptDir: string, reason: string | undefined): Promise<void> {
    this.calls.push(`pause ${reason ?? 'no more'}`);
    await Promise.resolve();
  }

  async tryHeld(): Promise<void> {
    this.calls.push('tryHeld');
    await Promise.resolve();
  }

  async writeTranscript(attemptDir: string): Promise<string> {
    const path = join(attemptDir, 'control', 'transcript.json');
    await writeFile(path, JSON.stringify({ deliveries: this.deliveries.length }));
    return path;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const id = String(request.headers['x-startupbench-delivery']);
    this.deliveries.push({ id, authorization: String(request.headers.authorization), body });
    const chat = JSON.parse(body) as ChatRequest;
    let reply = this.answered.get(id);
    if (reply === undefined) {
      reply = Promise.resolve(this.script(chat, this.answered.size + 1));
      this.answered.set(id, reply);
    }
    sendReply(response, chat, await reply);
  }
}

function sendReply(response: ServerResponse, chat: ChatRequest, reply: ScriptedReply): void {
  if (reply.status !== undefined && reply.status !== 200) {
    const error = { message: reply.text, type: 'insufficient_quota', code: 'insufficient_quota' };
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error }));
    return;
  }
  const call = reply.tool && {
    id: `call-${Math.random().toString(36).slice(2)}`,
    type: 'function',
    function: { name: reply.tool.name, arguments: JSON.stringify(reply.tool.arguments) },
  };
  const message = {
    role: 'assistant',
    content: reply.text ?? null,
    ...(call && { tool_calls: [call] }),
  };
  const finish = call ? 'tool_calls' : 'stop';
  const common = { id: 'chatcmpl-1', created: 1, model: 'scripted' };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  if (chat.stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' });
    const choices = [{ index: 0, message, finish_reason: finish }];
    response.end(JSON.stringify({ ...common, object: 'chat.completion', choices, usage }));
    return;
  }
  const delta = { ...message, ...(call && { tool_calls: [{ index: 0, ...call }] }) };
  const chunk = (choices: unknown, extra = {}) =>
    `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices, ...extra })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(
    chunk([{ index: 0, delta, finish_reason: null }]) +
      chunk([{ index: 0, delta: {}, finish_reason: finish }]) +
      chunk([], { usage }) +
      'data: [DONE]\n\n',
  );
}

export const exec = (command: string): ScriptedReply => ({
  tool: { name: 'exec', arguments: { command } },
});

/** One command, then the end. */
export const commandThenDone =
  (command: string): Script =>
  (_request, turn) =>
    turn === 1 ? exec(command) : { text: 'delivered' };
