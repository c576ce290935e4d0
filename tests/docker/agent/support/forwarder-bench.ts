import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import {
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { waitUntil } from '../../../support/wait-until';

const FORWARDER = resolve(__dirname, '../../../../docker/agent/forwarder.py');
/** Listens as the supervisor does, says the port, and becomes the forwarder. */
const LAUNCHER = `
import os, socket, sys
listener = socket.create_server(("127.0.0.1", 0), backlog=128)
os.set_inheritable(listener.fileno(), True)
print(listener.getsockname()[1], flush=True)
os.execv(sys.executable, [sys.executable, "-I", "-S", sys.argv[1], str(listener.fileno()), *sys.argv[2:]])
`;
/** Between two signs of life: shorter than an answer that waits for one, longer than any that does not. */
const SIGNS = { soon: '0.3', never: '600' };

export type Signs = keyof typeof SIGNS;
export type Answer = (seen: Seen, response: ServerResponse) => unknown;
export interface Seen {
  readonly delivery: string;
  readonly waitedMs: number;
  readonly request: IncomingMessage;
  readonly body: string;
}

/** A forwarder whose gateway is the test. */
export class ForwarderBench {
  readonly seen: Seen[] = [];
  /** Pieces of replies that clients have received. */
  received = 0;
  port = 0;
  private forwarder: ChildProcess | undefined;
  private server: Server | undefined;
  private folder = '';

  constructor(
    private answer: Answer,
    private readonly signs: Signs,
  ) {}

  async start(): Promise<this> {
    this.folder = await mkdtemp(join(tmpdir(), 'startupbench-forwarder-'));
    await this.startGateway();
    const parameters = [FORWARDER, this.socket, SIGNS[this.signs]];
    this.forwarder = spawn('python3', ['-c', LAUNCHER, ...parameters]);
    const [line] = (await once(this.forwarder.stdout!, 'data')) as [Buffer];
    this.port = Number(line.toString());
    return this;
  }

  get socket(): string {
    return join(this.folder, 'gateway.sock');
  }

  async startGateway(answer = this.answer): Promise<void> {
    this.answer = answer;
    this.server = createServer((incoming, response) => void this.serve(incoming, response));
    await new Promise<void>((listening) => this.server!.listen(this.socket, listening));
  }

  async killGateway(): Promise<void> {
    this.server!.closeAllConnections();
    await new Promise((closed) => this.server!.close(closed));
  }

  async stop(): Promise<void> {
    this.forwarder?.kill('SIGKILL');
    await this.killGateway();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const seen = {
      delivery: String(incoming.headers['x-startupbench-delivery']),
      waitedMs: Number(incoming.headers['x-startupbench-waited-ms']),
      request: incoming,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    this.seen.push(seen);
    await this.answer(seen, response);
  }

  /** Until the client that waits for this answer has a sign of life. */
  async untilSign(): Promise<void> {
    const before = this.received;
    await waitUntil(() => this.received > before);
  }

  post(body: string, headers: Record<string, string> = {}, path = '/v1/chat/completions') {
    const outgoing = request({ port: this.port, path, method: 'POST', headers });
    const reply = new Promise<{
      status: number;
      headers: IncomingMessage['headers'];
      body: string;
    }>((resolveReply, reject) => {
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
          this.received++;
        });
        response.on('error', reject);
        response.on('end', () =>
          resolveReply({ status: response.statusCode!, headers: response.headers, body: text }),
        );
      });
    });
    reply.catch(() => undefined);
    outgoing.end(body);
    return { outgoing, reply };
  }
}
