import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as http from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attemptFiles, processFiles } from '../../../activities/gateway/attempt-files';
import { controlRequest } from '../../../activities/gateway/control-request';
import { createGatewayControl } from '../../../activities/gateway/gateway-control';
import { type GatewayAttempt, type GatewayControl } from '../../../activities/gateway/port';
import { DEFAULT_LIMITS } from '../../../core/limits';

const TOKEN = 'bench';
/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;

/** When the bytes of one exchange passed, by one clock, in milliseconds. */
export interface Passage {
  /** The harness's last byte had left. */
  readonly sentMs: number;
  /** The provider had the whole request. */
  readonly arrivedMs: number;
  /** The provider's last byte had left. */
  readonly answeredMs: number;
  /** The harness saw the first byte of its answer. */
  readonly handedOverMs: number;
  readonly answer: string;
}

/** A gateway process with a provider that answers after `latencyMs`, and attempts to ask it from. */
export interface GatewayLoad {
  readonly control: GatewayControl;
  attempt(id: string): Promise<string>;
  /** `body` must hold the text `"tag":"<tag>"`, by which the provider's side of it is told. */
  ask(attemptDir: string, tag: string, body: Buffer): Promise<Passage>;
  /** Resident memory of the gateway process in MB. */
  memoryMb(): number;
  /** Processor time that the gateway process has used, in milliseconds. */
  processorMs(): number;
  close(): Promise<void>;
}

export function tagOf(tag: string): Readonly<Record<string, unknown>> {
  return { role: 'user', content: `"tag":"${tag}"` };
}

export async function openGatewayLoad(
  latencyMs: () => number,
  reply: (tag: string) => string,
): Promise<GatewayLoad> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const passing = new Map<string, { arrivedMs: number; answeredMs: number }>();
  const provider = http.createServer((request, response) => {
    let tail = Buffer.alloc(0);
    request.on('data', (chunk: Buffer) => (tail = Buffer.concat([tail, chunk]).subarray(-4_096)));
    request.on('end', () => {
      const arrivedMs = performance.now();
      const tag = /\\"tag\\":\\"([^\\]+)\\"/u.exec(tail.toString('utf8'))?.[1] ?? '';
      setTimeout(() => {
        response.setHeader('content-type', 'application/json');
        response.end(reply(tag));
        passing.set(tag, { arrivedMs, answeredMs: performance.now() });
      }, latencyMs());
    });
  });
  await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening));
  const { port } = provider.address() as AddressInfo;
  const account = {
    protocol: 'openai',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    allowPrivateAddresses: true,
    streaming: false,
    maxConcurrency: 64,
  };
  const providers = join(dataDir, 'providers.yaml');
  writeFileSync(providers, JSON.stringify({ accounts: { bench: account } }), { mode: 0o600 });
  const environment = { ...process.env, STARTUPBENCH_PROVIDERS: providers };
  const control = createGatewayControl({ dataDir, environment });
  await control.ensureRunning();
  const status = (await controlRequest(
    processFiles(dataDir).controlSocket,
    'GET',
    '/status',
    undefined,
    5_000,
  )) as { pid: number };
  return {
    control,
    attempt: async (id) => {
      const folder = join(dataDir, 'sandboxes', id);
      for (const name of ['control', 'run']) mkdirSync(join(folder, name), { recursive: true });
      writeFileSync(attemptFiles(folder).gateway, JSON.stringify(ordersOf(id)));
      await control.renewLease(folder);
      await control.open(folder);
      return folder;
    },
    ask: async (attemptDir, tag, body) => {
      const asked = await sendUntilAnswered(attemptFiles(attemptDir).socket, body);
      const passed = passing.get(tag);
      passing.delete(tag);
      if (passed === undefined || asked.status !== 200)
        throw new Error(`status ${asked.status} for ${tag}: ${asked.answer.slice(0, 300)}`);
      return { ...asked, ...passed };
    },
    memoryMb: () => {
      const text = readFileSync(`/proc/${status.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/u.exec(text)?.[1] ?? 0) / 1_024;
    },
    processorMs: () => {
      const fields = readFileSync(`/proc/${status.pid}/stat`, 'utf8').split(') ')[1]?.split(' ');
      return (Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0)) * MS_PER_TICK;
    },
    close: async () => {
      process.kill(status.pid, 'SIGKILL');
      provider.closeAllConnections();
      await new Promise((closed) => provider.close(closed));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function ordersOf(attemptId: string): GatewayAttempt {
  return {
    v: 1,
    attemptId,
    runId: `bench@bench/${attemptId}/r1`,
    tokenSha256: createHash('sha256').update(TOKEN).digest('hex'),
    model: { id: 'bench', provider: 'openai', name: 'bench', parameters: {}, account: 'bench' },
    prices: undefined,
    limits: { ...DEFAULT_LIMITS, maxSteps: 100_000, maxModelRequests: 100_000 },
    context: { purpose: 'agent', taskId: attemptId, repetition: 1 },
    harness: { name: 'bench', version: '1' },
    leaseMs: 86_400_000,
  };
}

/** As the forwarder does: whatever went wrong on the way, the same delivery is sent again. */
async function sendUntilAnswered(socketPath: string, body: Buffer): ReturnType<typeof send> {
  const id = randomUUID();
  for (;;) {
    const answer = await send(socketPath, id, body).catch(() => undefined);
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function send(
  socketPath: string,
  deliveryId: string,
  body: Buffer,
): Promise<{ status: number; sentMs: number; handedOverMs: number; answer: string }> {
  return new Promise((resolve, reject) => {
    let sentMs = 0;
    const request = http.request({
      socketPath,
      agent: false,
      method: 'POST',
      path: '/v1/chat/completions',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        'content-length': body.length,
        'x-startupbench-delivery': deliveryId,
      },
    });
    request.on('finish', () => (sentMs = performance.now()));
    request.on('error', reject);
    request.on('response', (response) => {
      const handedOverMs = performance.now();
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const answer = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, sentMs, handedOverMs, answer });
      });
    });
    request.end(body);
  });
}
