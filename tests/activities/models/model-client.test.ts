import { type Clock } from '../../../activities/models/clock';
import { createModelClient, type ProviderRefusal } from '../../../activities/models/model-client';
import { type ModelCall } from '../../../activities/models/port';
import { type Account } from '../../../core/account';
import { chatError } from '../../../core/chat-completion';
import { Failure } from '../../../core/failure';
import { type ModelIdentity } from '../../../core/sweep';

const KEY = 'sk-test-0123456789abcdef';
const ACCOUNT: Account = {
  name: 'lab',
  protocol: 'openai',
  baseUrl: 'https://provider.invalid/v1',
  apiKey: KEY,
  models: [],
  maxConcurrency: 4,
  allowPrivateAddresses: false,
  prices: {},
  streaming: false,
};
const MODEL: ModelIdentity = {
  id: 'mine',
  provider: 'openai',
  name: 'real-model',
  parameters: { reasoning_effort: 'high' },
  account: 'lab',
};
const CALL: ModelCall = {
  model: MODEL,
  body: {
    model: 'alias',
    messages: [{ role: 'user', content: 'hi' }],
    temperature: 0.1,
    max_tokens: 100,
  },
  context: { purpose: 'agent', taskId: 'task', repetition: 1 },
  inactivityTimeoutMs: 1_000,
};
const GOOD = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'real-model-2026',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: {
    prompt_tokens: 1_000,
    completion_tokens: 100,
    prompt_tokens_details: { cached_tokens: 400 },
  },
};

/** A clock in which waiting takes no time but is counted. */
function fakeClock(): Clock & { slept: number[] } {
  let now = 1_000_000;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
  };
}

function answers(...given: (() => Response)[]): {
  fetch: typeof fetch;
  requests: { url: string; init: RequestInit }[];
} {
  const requests: { url: string; init: RequestInit }[] = [];
  let index = 0;
  return {
    requests,
    fetch: async (url, init) => {
      requests.push({ url: url instanceof Request ? url.url : String(url), init: init ?? {} });
      const answer = given[Math.min(index++, given.length - 1)];
      return answer!();
    },
  };
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): () => Response {
  return () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });
}

async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw new Error(`not a Failure: ${String(error)}`);
  return error;
}

describe('one call to a provider', () => {
  it('sends the lane’s model and parameters, and prices the reply', async () => {
    const { fetch, requests } = answers(json(200, GOOD));
    const client = createModelClient({ accounts: [ACCOUNT], fetch, clock: fakeClock() });
    const reply = await client.complete({
      ...CALL,
      prices: {
        inputPerMillion: 5_000_000,
        cachedInputPerMillion: 500_000,
        cacheWritePerMillion: 0,
        outputPerMillion: 30_000_000,
      },
    });
    expect(requests[0]?.url).toBe('https://provider.invalid/v1/chat/completions');
    expect(JSON.parse(requests[0]?.init.body as string)).toEqual({
      model: 'real-model',
      messages: [{ role: 'user', content: 'hi' }],
      temperature: 0.1,
      max_tokens: 100,
      reasoning_effort: 'high',
    });
    expect(reply.usage).toEqual({
      inputTokens: 1_000,
      cachedInputTokens: 400,
      cacheWriteTokens: 0,
      outputTokens: 100,
    });
    expect(reply.costMicroUsd).toBe(600 * 5 + 400 * 0.5 + 100 * 30);
    expect(reply.reportedModel).toBe('real-model-2026');
    expect(reply.failedTries).toBe(0);
  });

  it('leaves the cost unknown without prices or counts', async () => {
    const { usage: _usage, ...uncounted } = GOOD;
    const { fetch } = answers(json(200, GOOD), json(200, uncounted));
    const client = createModelClient({ accounts: [ACCOUNT], fetch, clock: fakeClock() });
    expect((await client.complete(CALL)).costMicroUsd).toBeUndefined();
    expect((await client.complete(CALL)).usage).toBeUndefined();
  });

  it('spells parameters as the model wants them', async () => {
    const { fetch, requests } = answers(json(200, GOOD));
    const quirks = () => ({
      outputLimitField: 'max_completion_tokens' as const,
      refusedFields: ['temperature'],
    });
    await createModelClient({ accounts: [ACCOUNT], fetch, clock: fakeClock(), quirks }).complete(
      CALL,
    );
    const sent = JSON.parse(requests[0]?.init.body as string) as Record<string, unknown>;
    expect(sent['max_completion_tokens']).toBe(100);
    expect(sent).not.toHaveProperty('max_tokens');
    expect(sent).not.toHaveProperty('temperature');
  });

  it('tells our own providers what to replay, and no other account', async () => {
    const own: Account = { ...ACCOUNT, protocol: 'replay', apiKey: undefined };
    const { fetch, requests } = answers(json(200, GOOD));
    const recordings = { name: 'strong', digest: 'd' };
    await createModelClient({ accounts: [own], fetch, clock: fakeClock() }).complete({
      ...CALL,
      model: { ...MODEL, provider: 'replay', recordings },
      context: { purpose: 'judge', taskId: 'täsk', repetition: 2, itemId: 'i1', subject: 'weak' },
    });
    await createModelClient({ accounts: [ACCOUNT], fetch, clock: fakeClock() }).complete(CALL);
    const [replayed, real] = requests.map(({ init }) => new Headers(init.headers));
    expect(replayed?.get('x-startupbench-task')).toBe('t%C3%A4sk');
    expect(replayed?.get('x-startupbench-recordings')).toBe('strong');
    expect(replayed?.get('x-startupbench-item')).toBe('i1');
    expect(replayed?.get('authorization')).toBeNull();
    expect(real?.get('x-startupbench-task')).toBeNull();
    expect(real?.get('authorization')).toBe(`Bearer ${KEY}`);
  });
});

describe('transport faults', () => {
  it('tries again after 429, 5xx and broken bodies, and obeys Retry-After', async () => {
    const clock = fakeClock();
    const { fetch, requests } = answers(
      json(429, chatError('slow down', 'rate_limit', null), { 'retry-after': '7' }),
      json(503, chatError('busy', 'server_error', null)),
      () => new Response('<html>', { headers: { 'content-type': 'application/json' } }),
      json(200, { id: 'x', choices: [] }),
      json(200, { id: 'x', choices: [{ index: 0, message: null, finish_reason: null }] }),
      json(200, { error: { message: 'upstream is gone', code: 502 } }),
      json(200, GOOD),
    );
    const client = createModelClient({ accounts: [ACCOUNT], fetch, clock, random: () => 0 });
    const reply = await client.complete(CALL);
    expect(requests).toHaveLength(7);
    expect(reply.failedTries).toBe(6);
    expect(clock.slept[0]).toBe(7_000);
    expect(reply.waitedMs).toBe(clock.slept.reduce((sum, ms) => sum + ms, 0));
  });

  it('lets the whole account wait when the provider says how long', async () => {
    const clock = fakeClock();
    const { fetch } = answers(json(429, {}, { 'retry-after-ms': '5000' }), json(200, GOOD));
    const client = createModelClient({ accounts: [ACCOUNT], fetch, clock, random: () => 0 });
    await client.complete(CALL);
    const { fetch: stillPaused, requests } = answers(json(429, {}, { 'retry-after-ms': '60000' }));
    const other = createModelClient({
      accounts: [ACCOUNT],
      fetch: stillPaused,
      clock,
      random: () => 0,
    });
    await failureOf(other.complete({ ...CALL, retryForMs: 1_000 }));
    const before = clock.now();
    await failureOf(other.complete({ ...CALL, retryForMs: 1_000 }));
    expect(requests).toHaveLength(2);
    expect(clock.now() - before).toBe(60_000);
  });

  it('gives up after the given time', async () => {
    const clock = fakeClock();
    const { fetch } = answers(json(500, chatError('boom', 'server_error', null)));
    const client = createModelClient({ accounts: [ACCOUNT], fetch, clock, random: () => 1 });
    const failure = await failureOf(client.complete({ ...CALL, retryForMs: 60_000 }));
    expect(failure.type).toBe('ProviderUnavailable');
    expect(failure.message).toContain('account "lab", model "real-model": no reply after');
    expect((failure.options.cause as ProviderRefusal).tries).toBeGreaterThan(5);
    expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(60_000);
  });

  it('never repeats a completed reply, however empty', async () => {
    const empty = {
      ...GOOD,
      choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
    };
    const { fetch, requests } = answers(json(200, empty));
    const reply = await createModelClient({
      accounts: [ACCOUNT],
      fetch,
      clock: fakeClock(),
    }).complete(CALL);
    expect(requests).toHaveLength(1);
    expect(reply.failedTries).toBe(0);
  });

  it('stops when it is aborted while it waits', async () => {
    const controller = new AbortController();
    const clock = fakeClock();
    const { fetch } = answers(() => {
      controller.abort(new Error('cancelled'));
      return json(503, {})();
    });
    const client = createModelClient({ accounts: [ACCOUNT], fetch, clock });
    await expect(client.complete({ ...CALL, signal: controller.signal })).rejects.toThrow(
      'cancelled',
    );
  });
});

describe('refusals', () => {
  it('is told apart from trouble, and never shows the key', async () => {
    const { fetch, requests } = answers(
      json(401, chatError(`Incorrect API key provided: ${KEY}`, 'auth', 'invalid_api_key')),
    );
    const client = createModelClient({ accounts: [ACCOUNT], fetch, clock: fakeClock() });
    const failure = await failureOf(client.complete(CALL));
    expect(failure.type).toBe('ProviderAuth');
    expect(requests).toHaveLength(1);
    expect(
      `${failure.message} ${JSON.stringify(failure.options)} ${failure.stack ?? ''}`,
    ).not.toContain('0123456789abcdef');
  });

  it.each([
    [{ model: { ...MODEL, account: 'nobody' } }, 'ConfigMissing', 'add it to providers.yaml'],
    [
      { model: { ...MODEL, account: 'narrow' } },
      'ModelUnknown',
      'does not allow the model "real-model"',
    ],
  ])('names the account that is missing or unfit (%#)', async (change, type, text) => {
    const accounts: Account[] = [{ ...ACCOUNT, name: 'narrow', models: ['other'] }];
    const client = createModelClient({
      accounts,
      fetch: answers(json(200, GOOD)).fetch,
      clock: fakeClock(),
    });
    const failure = await failureOf(client.complete({ ...CALL, ...change }));
    expect(failure.type).toBe(type);
    expect(failure.message).toContain(text);
  });
});
