import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  completion,
  type ProviderAct,
  type ScriptedProvider,
  type SeenRequest,
  startScriptedProvider,
  streamOf,
} from '../../support/scripted-provider';
import { serveGateway, writeAccounts } from '../../support/served-gateway';
import { waitUntil } from '../../support/wait-until';
import { mainRequest, START } from './support/harness-requests';
import { type Answer, ask } from './support/sandbox-client';

const MAIN = mainRequest(START);
const MODEL = { id: 'm', provider: 'openai' as const, name: 'm-1', parameters: {} };
/** Minutes as milliseconds, so that an hour's trouble passes within a test. */
const SCALED = { retryForMs: 3_000, probeMs: 20, holdForMs: 60_000, inactivityTimeoutMs: 60_000 };
/** No reply that comes is as late as that, whatever else the machine does. */
const STALLED = { retryForMs: 60_000, inactivityTimeoutMs: 2_000 };

/** What a provider of the real world does; each against the real gateway process over real connections. */
describe('a provider in trouble', () => {
  let provider: ScriptedProvider;
  const gateway = serveGateway(async (bench) => {
    provider = await startScriptedProvider();
    const account = { protocol: 'openai', baseUrl: provider.url, allowPrivateAddresses: true };
    return writeAccounts(bench, {
      streaming: account,
      whole: { ...account, streaming: false },
      wide: { ...account, maxConcurrency: 32 },
    });
  });
  beforeEach(() => {
    provider.seen.length = 0;
    provider.script = () => ({});
  });
  afterAll(async () => {
    await provider.close();
  });

  const open = (account: 'streaming' | 'whole' | 'wide', change: object = {}) =>
    gateway.openAttempt({ model: { ...MODEL, account }, ...SCALED, ...change });
  const messageOf = ({ body }: Answer) =>
    (JSON.parse(body) as { choices: { message: Record<string, unknown> }[] }).choices[0]!.message;
  const firstTimes =
    (count: number, act: ProviderAct) => (_request: SeenRequest, number: number) =>
      number <= count ? act : {};

  const faults: [string, ProviderAct][] = [
    ['429 without Retry-After', { status: 429, body: { error: { message: 'slow down' } } }],
    [
      '429 with Retry-After',
      { status: 429, headers: { 'retry-after': '0.2' }, body: { error: { message: 'slow down' } } },
    ],
    ['500', { status: 500, body: { error: { message: 'oops' } } }],
    ['503 from a proxy', { status: 503, body: '<html>no upstream</html>' }],
    ['529', { status: 529, body: { error: { message: 'overloaded' } } }],
    ['a reset before the reply', { reset: true }],
    ['a reset in mid-stream', { body: streamOf(completion(1)), cutAfterBytes: 300 }],
    ['a stall beyond the inactivity limit', { stall: true }],
    ['a reply of broken JSON', { body: '{"choices": [{"message": {"role": "assi' }],
    ['a reply without choices', { body: { id: 'x', choices: [] } }],
  ];
  it.each(faults)('answers after %s, as one request and one step', async (_title, act) => {
    const isStream = typeof act.body === 'string' && act.body.startsWith('data:');
    const type = isStream ? { 'content-type': 'text/event-stream' } : {};
    provider.script = firstTimes(2, { ...act, headers: { ...type, ...act.headers } });
    for (const account of ['streaming', 'whole'] as const) {
      provider.seen.length = 0;
      const folder = await open(account, act.stall === true ? STALLED : {});
      const answer = await ask(folder, { body: MAIN });
      expect([account, answer.status]).toEqual([account, 200]);
      expect(messageOf(answer)['tool_calls']).toHaveLength(1);
      const { traffic } = await gateway.control.readLog(folder);
      expect(traffic).toMatchObject({ steps: 1, modelRequests: 1, upstreamCalls: 3, toolCalls: 1 });
    }
  });

  it('asks the provider again for an identical request under a new delivery id', async () => {
    provider.script = (_request, number) =>
      number === 1 ? { body: completion(1, { message: { role: 'assistant', content: '' } }) } : {};
    const folder = await open('whole');
    const first = await ask(folder, { body: MAIN, deliveryId: 'one' });
    expect(messageOf(first)['content']).toBe('');
    expect((await gateway.control.readLog(folder)).emptyReply).toBe(true);
    const second = await ask(folder, { body: MAIN, deliveryId: 'two' });
    expect(messageOf(second)['tool_calls']).toHaveLength(1);
    expect(await ask(folder, { body: MAIN, deliveryId: 'one' })).toMatchObject({
      body: first.body,
    });
    expect(provider.seen).toHaveLength(2);
    expect(provider.seen[0]!.body).toEqual(provider.seen[1]!.body);
  });

  it('passes a refusal and a cut-off tool call on as they are, and says what they were', async () => {
    const folder = await open('whole');
    const refusal = { role: 'assistant', content: null, refusal: 'I will not.' };
    provider.script = () => ({ body: completion(1, { message: refusal, finish_reason: 'stop' }) });
    expect(messageOf(await ask(folder, { body: MAIN }))['refusal']).toBe('I will not.');
    expect((await gateway.control.readLog(folder)).refused).toBe(true);

    const cut = completion(2, { finish_reason: 'length' });
    provider.script = () => ({ body: cut });
    const answer = await ask(folder, { body: MAIN });
    expect(JSON.parse(answer.body)).toMatchObject({
      choices: [{ finish_reason: 'length', message: { tool_calls: [{ id: 'call-2' }] } }],
    });
    expect(await gateway.control.readLog(folder)).toMatchObject({
      lastFinishReason: 'length',
      refused: false,
    });
  });

  it('knows that cost and tokens are "at least" after a reply without usage', async () => {
    const { usage: _usage, ...withoutUsage } = completion(1);
    provider.script = () => ({ body: withoutUsage });
    const folder = await open('whole');
    expect((await ask(folder, { body: MAIN })).status).toBe(200);
    expect((await gateway.control.readLog(folder)).traffic).toMatchObject({
      steps: 1,
      incomplete: true,
      costMicroUsd: undefined,
    });
  });

  it('holds, not fails, on a used-up daily quota; a rate limit is no quota', async () => {
    const quotas: ProviderAct[] = [
      { status: 429, body: { error: { message: 'you exceeded', code: 'insufficient_quota' } } },
      { status: 429, body: { error: { message: 'Limit 200 requests per day reached.' } } },
      { status: 402, body: { error: { message: 'Insufficient balance' } } },
      // Hours, not seconds: whatever its words, this is no rate.
      { status: 429, headers: { 'retry-after': '7200' }, body: { error: { message: 'wait' } } },
    ];
    for (const act of quotas) {
      provider.script = () => act;
      const folder = await open('whole', { probeMs: 3_600_000 });
      const answer = ask(folder, { body: MAIN });
      await waitUntil(async () => (await gateway.control.holding(folder)) !== undefined);
      expect(await gateway.control.holding(folder)).toMatchObject({ type: 'ProviderQuota' });
      provider.script = () => ({});
      await gateway.control.tryHeld();
      expect((await answer).status).toBe(200);
    }
  });

  it('survives a storm of 429 with 32 attempts at once: all are answered, the limit falls and recovers', async () => {
    let openCalls = 0;
    let most = 0;
    let storm = true;
    let calmDelayMs = 150;
    provider.script = () => {
      most = Math.max(most, ++openCalls);
      const delayMs = storm ? 20 : calmDelayMs;
      setTimeout(() => openCalls--, delayMs);
      return storm && openCalls > 3
        ? { status: 429, delayMs, body: { error: { message: 'too many' } } }
        : { delayMs };
    };
    const folders = await Promise.all(Array.from({ length: 32 }, () => open('wide')));
    const storming = await Promise.all(folders.map((folder) => ask(folder, { body: MAIN })));
    expect(storming.map(({ status }) => status)).toEqual(folders.map(() => 200));
    storm = false;
    most = 0;
    // Where requests come in slowly, only slower answers are open side by side.
    for (let round = 0; round < 48 && most <= 20; round++, calmDelayMs += 50)
      await Promise.all(folders.map((folder) => ask(folder, { body: MAIN })));
    expect(most).toBeGreaterThan(20);
  });

  it('keeps requests of 64 MiB with images whole, and stores each image once', async () => {
    const folder = await open('whole');
    const png = (letter: string, bytes: number) => ({
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${letter.repeat(bytes)}` },
    });
    const message = {
      role: 'user',
      content: [png('A', 31_000_000), png('B', 31_000_000), { type: 'text', text: 'look' }],
    };
    for (let step = 0; step < 3; step++) {
      const more = { role: 'user', content: `again ${step}` };
      const body = mainRequest([...START, message, more]);
      expect((await ask(folder, { body })).status).toBe(200);
    }
    expect(provider.seen.map(({ bytes }) => bytes > 62_000_000)).toEqual([true, true, true]);
    expect(provider.seen[2]!.body['messages']).toHaveLength(4);
    expect(statSync(join(folder, 'control/journal.bin')).size).toBeLessThan(64_000_000);
  });

  it('never says to the agent what only the operator may know', async () => {
    provider.script = () => ({ status: 401, body: { error: { message: 'key sk-42 revoked' } } });
    const folder = await open('whole', { holdForMs: 50 });
    const answer = await ask(folder, { body: MAIN });
    expect(answer.status).toBe(402);
    expect(answer.body).not.toContain('sk-42');
    expect(readFileSync(join(folder, 'control/journal.bin'), 'utf8')).toContain('ProviderAuth');
  });
});
