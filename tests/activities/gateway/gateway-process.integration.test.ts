import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { waitUntil } from '../../support/wait-until';
import { SETTINGS } from './support/attempt-folder';
import { serveGateway } from '../../support/served-gateway';
import { startGatewayBench } from './support/gateway-bench';
import { mainRequest, START } from './support/harness-requests';
import { ask, runAgent } from './support/sandbox-client';

const MAIN = mainRequest(START);

describe('the gateway process', () => {
  const gateway = serveGateway();
  const { openAttempt } = gateway;

  it('is one per data folder, however many ask for it', async () => {
    const pid = await gateway.bench.gatewayPid();
    await Promise.all([
      gateway.bench.control().ensureRunning(),
      gateway.bench.control().ensureRunning(),
    ]);
    expect(await gateway.bench.gatewayPid()).toBe(pid);
  });

  it('serves a socket that every user of the sandbox may use', async () => {
    const folder = await openAttempt();
    expect(statSync(join(folder, 'run/gateway.sock')).mode & 0o777).toBe(0o666);
    expect(statSync(join(gateway.bench.dataDir, 'gateway/control.sock')).mode & 0o777).toBe(0o600);
  });

  it('answers model lists, and everything unknown fast', async () => {
    const folder = await openAttempt();
    const models = await ask(folder, { method: 'GET', path: '/v1/models' });
    expect(JSON.parse(models.body)).toMatchObject({
      data: [{ id: 'sim', context_length: 200_000 }],
    });
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/api/tags'],
      ['GET', '/api/v1/models'],
      ['GET', '/v1/props'],
      ['GET', '/props'],
      ['GET', '/version'],
      ['GET', '/v1/models/another'],
      ['POST', '/v1/models/sim'],
      ['POST', '/v1/responses'],
      ['POST', '/v1/embeddings'],
    ])
      expect((await ask(folder, { method: method!, path: path! })).status).toBe(404);
    const own = await ask(folder, { method: 'GET', path: '/v1/models/sim' });
    expect(JSON.parse(own.body)).toMatchObject({ id: 'sim', object: 'model' });
    // Probes may come before a harness has read its token.
    const probe = { method: 'GET', path: '/version', token: null };
    expect((await ask(folder, probe)).status).toBe(404);
    expect((await ask(folder, { ...probe, path: '/v1/models' })).status).toBe(401);
  });

  it('lets only the attempt’s own token in', async () => {
    const [one, other] = [await openAttempt(), await openAttempt({ tokenSha256: 'f'.repeat(64) })];
    expect((await ask(one, { body: MAIN, token: 'guess' })).status).toBe(401);
    expect((await ask(other, { body: MAIN })).status).toBe(401);
    expect((await ask(one, { body: MAIN })).status).toBe(200);
  });

  it.each([
    ['no JSON', '{"messages": [', 'the body is not JSON'],
    ['no messages', '{}', 'messages must be a list'],
    [
      'a nesting that no parser likes',
      `{"messages": ${'['.repeat(100_000)}`,
      'the body is not JSON',
    ],
    [
      'a nesting that parses and is too deep to be written down',
      `{"messages": [{"role": "user", "content": "x"}], "tools": [{"type": "function", "function": {"name": "t", "parameters": ${'['.repeat(50_000)}${']'.repeat(50_000)}}}]}`,
      'levels',
    ],
  ])('answers %s with 400 and goes on', async (_title, body, message) => {
    const folder = await openAttempt();
    const answer = await ask(folder, { body });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain(message);
    expect((await ask(folder, { body: MAIN })).status).toBe(200);
  });

  it('refuses a delivery id that could be anything', async () => {
    const folder = await openAttempt();
    expect((await ask(folder, { body: MAIN, deliveryId: 'a b' })).status).toBe(400);
  });

  it('takes a body of tens of megabytes and refuses one beyond 64 MiB', async () => {
    const folder = await openAttempt();
    const image = (bytes: number) => ({
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(bytes)}` } },
      ],
    });
    expect((await ask(folder, { body: mainRequest([image(30_000_000)]) })).status).toBe(200);
    expect((await ask(folder, { body: mainRequest([image(68_000_000)]) })).status).toBe(413);
    expect((await ask(folder, { body: MAIN })).status).toBe(200);
  });

  it('streams to the real OpenAI client what it answers unstreamed', async () => {
    const folder = await openAttempt();
    const client = new OpenAI({
      apiKey: 'unused',
      baseURL: 'http://gateway/v1',
      maxRetries: 0,
      fetch: async (_url, init) => {
        const answer = await ask(folder, { body: init?.body as string });
        return new Response(answer.body, {
          status: answer.status,
          headers: { 'content-type': answer.headers['content-type'] ?? '' },
        });
      },
    });
    const request = MAIN as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming;
    const whole = await client.chat.completions.create({ ...request });
    const streamed = await client.chat.completions
      .stream({ ...request, stream: true, stream_options: { include_usage: true } })
      .finalChatCompletion();
    expect(streamed.choices[0]?.message.tool_calls).toMatchObject(
      whole.choices[0]?.message.tool_calls ?? [],
    );
    expect(streamed.choices[0]?.finish_reason).toBe('tool_calls');
    expect(streamed.usage?.prompt_tokens).toBe(whole.usage?.prompt_tokens);
  });

  it('holds a request while the provider refuses the key, and answers when it is taken', async () => {
    const folder = await openAttempt({
      context: { ...SETTINGS.context, taskId: 'locked' },
      probeMs: 10,
    });
    const body = JSON.stringify({ match: { task: 'locked' }, status: 401, times: 9 });
    await fetch(`${gateway.bench.provider.url}/faults`, { method: 'POST', body });
    expect((await ask(folder, { body: MAIN })).status).toBe(200);
    const { traffic, trouble } = await gateway.control.readLog(folder);
    expect(trouble).toBeUndefined();
    expect(traffic).toMatchObject({ steps: 1, modelRequests: 1, upstreamCalls: 10 });
  });

  it('closes once, keeps the first reason, and answers 402 from then on', async () => {
    const folder = await openAttempt();
    await ask(folder, { body: MAIN });
    await gateway.control.close(folder, 'timeout', 100);
    await gateway.control.close(folder, 'closed', 100);
    expect((await ask(folder, { body: MAIN })).status).toBe(402);
    await gateway.control.open(folder);
    expect((await ask(folder, { body: MAIN })).status).toBe(402);
    expect(await gateway.control.readLog(folder)).toMatchObject({
      end: 'timeout',
      traffic: { modelRequests: 1 },
    });
  });

  it('does not serve or write outside its sandboxes', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    await expect(gateway.control.open(outside)).rejects.toThrow('is not an attempt of');
    await expect(
      gateway.control.open(join(gateway.bench.dataDir, 'sandboxes', '..', '..')),
    ).rejects.toThrow('is not an attempt of');
    rmSync(outside, { recursive: true });
  });

  it('says what is wrong with an attempt’s settings', async () => {
    const folder = gateway.bench.attempt({ attemptId: 'attempt-of-its-own' });
    writeFileSync(join(folder, 'control/gateway.json'), '{"v": 1}');
    await expect(gateway.control.open(folder)).rejects.toThrow(/gateway\.json [\s\S]*tokenSha256/u);
  });

  it('is not led astray by a link that the sandbox puts where the socket goes', async () => {
    const folder = gateway.bench.attempt({ attemptId: 'attempt-with-a-link' });
    const target = join(gateway.bench.dataDir, 'victim');
    writeFileSync(target, 'untouched', { mode: 0o600 });
    symlinkSync(target, join(folder, 'run/gateway.sock'));
    await gateway.control.open(folder);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect((await ask(folder, { body: MAIN })).status).toBe(200);
  });

  it('lets go of an attempt whose folder is gone', async () => {
    const folder = await openAttempt();
    rmSync(folder, { recursive: true });
    // The kernel lists every Unix socket that is listened on, with its path.
    await waitUntil(() => !readFileSync('/proc/net/unix', 'utf8').includes(folder));
  });

  it('lets go of it also while a request of it is held', async () => {
    const folder = await openAttempt({
      context: { ...SETTINGS.context, taskId: 'forgotten' },
      probeMs: 3_600_000,
    });
    const body = JSON.stringify({ match: { task: 'forgotten' }, status: 401, times: 9 });
    await fetch(`${gateway.bench.provider.url}/faults`, { method: 'POST', body });
    const broken = ask(folder, { body: MAIN }).catch(() => 'broken off');
    await waitUntil(async () => (await gateway.control.holding(folder)) !== undefined);
    rmSync(folder, { recursive: true });
    await waitUntil(() => !readFileSync('/proc/net/unix', 'utf8').includes(folder));
    expect(await broken).toBe('broken off');
    await fetch(`${gateway.bench.provider.url}/faults`, { method: 'DELETE' });
  });

  it('works in a data folder too deep for a socket’s path', async () => {
    const deep = join(gateway.bench.dataDir, 'd'.repeat(100));
    mkdirSync(deep);
    const far = await startGatewayBench({
      dataDir: deep,
      attempt: (change) => gateway.bench.attempt(change),
      remove: () => undefined,
    });
    const folder = join(deep, 'sandboxes', 'attempt-1');
    for (const name of ['control', 'run']) mkdirSync(join(folder, name), { recursive: true });
    const simulation = { ...SETTINGS.model.simulation!, steps: 3 };
    writeFileSync(
      join(folder, 'control/gateway.json'),
      JSON.stringify({ ...SETTINGS, model: { ...SETTINGS.model, simulation } }),
    );
    await far.control().open(folder);
    expect(await runAgent(folder, async () => undefined)).toHaveLength(START.length + 5);
    await far.stop();
  });
});
