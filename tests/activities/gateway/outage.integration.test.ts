import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import { join } from 'node:path';
import { shortSocketPath } from '../../../activities/gateway/socket-path';
import { type Transcript } from '../../../activities/gateway/transcript-schema';
import { startScriptedProvider, type ScriptedProvider } from '../../support/scripted-provider';
import { serveGateway, writeAccounts } from '../../support/served-gateway';
import { waitUntil } from '../../support/wait-until';
import { TOKEN } from './support/attempt-folder';
import { mainRequest, START } from './support/harness-requests';
import { deliverAtLeastOnce } from './support/sandbox-client';

type Json = Record<string, unknown>;

const STEPS = 12;
/** One second here is 20 minutes: an outage of two seconds stands for 40 minutes, holding for 12 h takes 36 s. */
const MINUTE_MS = 50;
const SCALED = { retryForMs: MINUTE_MS, probeMs: MINUTE_MS / 12, holdForMs: 720 * MINUTE_MS };
const OUTAGE_MS = 40 * MINUTE_MS;
const SEEDS = [3, 1, 4, 8, 5, 9];
/** How much of a reply of 4 MB the sandbox has when the gateway dies. */
const HANDED_OVER = [1, 70_000, 300_000];

/** A harness: whatever comes as an answer goes into its next request. Ends after `STEPS` replies. */
async function runHarness(
  folder: string,
  onAbsent: () => Promise<void>,
  onStep: (step: number) => Promise<void>,
): Promise<Json[]> {
  const messages: Json[] = [...START];
  for (let step = 0; step < STEPS; step++) {
    await onStep(step);
    const request = { deliveryId: `delivery-${step}`, body: mainRequest(messages) };
    const answer = await deliverAtLeastOnce(folder, request, onAbsent);
    if (answer.status !== 200) throw new Error(`status ${answer.status}: ${answer.body}`);
    const { choices } = JSON.parse(answer.body) as { choices: { message: Json }[] };
    messages.push(choices[0]!.message);
    messages.push({ role: 'tool', tool_call_id: `call-${step}`, content: `output ${step}` });
  }
  return messages;
}

function stepsOf(path: string): unknown[] {
  const { steps } = JSON.parse(readFileSync(path, 'utf8')) as Transcript;
  return steps.filter(({ source }) => source === 'agent').map(({ message }) => message);
}

describe('an outage of 40 minutes in mid-run', () => {
  let provider: ScriptedProvider;
  let broken: 'no' | 'answers 503' | 'refuses the key' | 'is out of credit' | 'resets' = 'no';
  /** Replies to the harnesses' requests. */
  let answered = 0;
  /** Replies to the gateway's own question whether the account works; one may come as an outage ends. */
  let checks = 0;
  /** Words of each reply beside its number. */
  let large = '';
  const gateway = serveGateway(async (bench) => {
    provider = await startScriptedProvider();
    provider.script = ({ body }) => {
      if (broken === 'answers 503') return { status: 503, body: { error: { message: 'down' } } };
      if (broken === 'refuses the key') return { status: 401, body: { error: { message: 'no' } } };
      if (broken === 'is out of credit')
        return { status: 429, body: { error: { message: 'x', code: 'insufficient_quota' } } };
      if (broken === 'resets') return { reset: true };
      if (body['tools'] === undefined) checks++;
      else answered++;
      const turn = (body['messages'] as Json[]).filter(({ role }) => role === 'assistant').length;
      return { body: reply(turn, large) };
    };
    return writeAccounts(bench, {
      lab: {
        protocol: 'openai',
        baseUrl: provider.url,
        allowPrivateAddresses: true,
        streaming: false,
      },
    });
  });
  afterAll(async () => {
    await provider.close();
  });
  beforeEach(() => {
    broken = 'no';
    answered = checks = 0;
  });

  const open = () =>
    gateway.openAttempt({
      model: { id: 'm', provider: 'openai', name: 'm-1', parameters: {}, account: 'lab' },
      ...SCALED,
    });

  it.each(['answers 503', 'refuses the key', 'is out of credit', 'resets'] as const)(
    'in which the provider %s costs no step, no call and no attempt, and is no working time',
    async (how) => {
      const folders = await Promise.all([open(), open(), open()]);
      const startedMs = Date.now();
      const conversations = await Promise.all(
        folders.map((folder, index) =>
          runHarness(folder, gateway.control.ensureRunning, async (step) => {
            if (index !== 0 || step !== 5) return;
            broken = how;
            setTimeout(() => (broken = 'no'), OUTAGE_MS);
          }),
        ),
      );
      const tookMs = Date.now() - startedMs;
      expect(answered).toBe(3 * STEPS);
      let auxiliary = 0;
      for (const [index, folder] of folders.entries()) {
        expect(conversations[index]).toEqual(conversations[0]);
        const log = await gateway.control.readLog(folder);
        expect(log.trouble).toBeUndefined();
        auxiliary += log.traffic.auxiliaryRequests;
        expect(log.traffic).toMatchObject({
          steps: STEPS,
          modelRequests: STEPS + log.traffic.auxiliaryRequests,
          incomplete: false,
        });
        expect(await gateway.control.holding(folder)).toBeUndefined();
        // The first one met the outage for certain: nearly all that passed was ours.
        if (index === 0) expect(log.waitedMs).toBeGreaterThan(OUTAGE_MS / 2);
        expect(log.waitedMs).toBeLessThan(tookMs);
      }
      expect(auxiliary).toBe(checks);
    },
  );

  it('is survived by a gateway that is killed and started again at six seeded moments of it', async () => {
    const folder = await open();
    let kills = 0;
    const seen = await runHarness(folder, gateway.control.ensureRunning, async (step) => {
      if (step !== 4) return;
      broken = 'answers 503';
      void (async () => {
        for (const seed of SEEDS) {
          await new Promise((resolve) => setTimeout(resolve, seed * 40));
          process.kill(await gateway.bench.gatewayPid(), 'SIGKILL');
          kills++;
          await gateway.control.ensureRunning();
        }
        broken = 'no';
      })();
    });
    await waitUntil(() => kills === SEEDS.length);
    expect(seen).toHaveLength(START.length + 2 * STEPS);
    // Nothing was answered while the provider was down, so nothing is paid twice.
    expect(answered).toBe(STEPS);
    const { traffic, trouble } = await gateway.control.readLog(folder);
    expect(trouble).toBeUndefined();
    expect(traffic).toMatchObject({ steps: STEPS, modelRequests: STEPS + checks });
    const path = await gateway.control.writeTranscript(folder);
    expect(stepsOf(path)).toEqual(Array.from({ length: STEPS }, (_, turn) => `turn ${turn}`));
  });

  it.each(HANDED_OVER)(
    'is no matter for a reply of which %d bytes are handed over when the gateway is killed',
    async (bytes) => {
      const folder = await open();
      large = 'x'.repeat(4_000_000);
      const request = { deliveryId: 'large', body: mainRequest(START) };
      const broken = await cutAfter(folder, request, bytes, async () =>
        process.kill(await gateway.bench.gatewayPid(), 'SIGKILL'),
      );
      expect(broken).toBeGreaterThanOrEqual(bytes);
      await gateway.control.ensureRunning();
      const answer = await deliverAtLeastOnce(folder, request, gateway.control.ensureRunning);
      large = '';
      expect(answer.body).toContain('x'.repeat(4_000_000));
      expect(answered).toBe(1);
      const { traffic } = await gateway.control.readLog(folder);
      expect(traffic).toMatchObject({ steps: 1, upstreamCalls: 1, incomplete: false });
    },
  );

  it('ends early for an operator who gives the account another key', async () => {
    const folder = await gateway.openAttempt({
      model: { id: 'm', provider: 'openai', name: 'm-1', parameters: {}, account: 'lab' },
      ...SCALED,
      probeMs: 3_600_000,
    });
    const request = { deliveryId: 'd', body: mainRequest(START) };
    broken = 'refuses the key';
    const answer = deliverAtLeastOnce(folder, request, gateway.control.ensureRunning);
    await waitUntil(async () => (await gateway.control.holding(folder)) !== undefined);
    broken = 'no';
    // What the operator's editor does; only the time of the file is new.
    writeAccounts(gateway.bench, {
      lab: {
        protocol: 'openai',
        baseUrl: provider.url,
        allowPrivateAddresses: true,
        streaming: false,
        maxConcurrency: 9,
      },
    });
    expect((await answer).status).toBe(200);
  });
});

/** Reads at least so many bytes of an answer, then does something to the gateway; how many came before it broke off. */
function cutAfter(
  folder: string,
  request: { readonly deliveryId: string; readonly body: unknown },
  bytes: number,
  cut: () => Promise<unknown>,
): Promise<number> {
  const text = JSON.stringify(request.body);
  const short = shortSocketPath(join(folder, 'run', 'gateway.sock'));
  return new Promise<number>((resolve, reject) => {
    const sent = http.request({
      socketPath: short.path,
      agent: false,
      method: 'POST',
      path: '/v1/chat/completions',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-length': Buffer.byteLength(text),
        'x-startupbench-delivery': request.deliveryId,
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let read = 0;
      let isCut = false;
      response.on('error', () => resolve(read));
      response.on('end', () => reject(new Error('the whole answer came')));
      response.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (isCut || read < bytes) return;
        isCut = true;
        // Nothing more is read, so that the gateway is caught in the middle of its answer.
        response.pause();
        cut().then(() => response.resume(), reject);
      });
    });
    sent.end(text);
  }).finally(() => short.release());
}

function reply(turn: number, large: string): Json {
  const call = {
    id: `call-${turn}`,
    type: 'function',
    function: { name: 'exec', arguments: '{}' },
  };
  const message = { role: 'assistant', content: `turn ${turn}${large}`, tool_calls: [call] };
  return {
    id: `reply-${turn}`,
    object: 'chat.completion',
    created: 1,
    model: 'm-1',
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 10, completion_tokens: 5 },
  };
}
