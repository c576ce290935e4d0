import { createHash } from 'node:crypto';
import { createModelClient } from '../../../activities/models/model-client';
import { createGuardedFetch } from '../../../activities/models/guarded-fetch';
import { type Clock, SYSTEM_CLOCK } from '../../../activities/models/clock';
import { type ModelCall } from '../../../activities/models/port';
import { type RunningProvider, startProvider } from '../../../activities/models/provider-server';
import { type Account } from '../../../core/account';
import { Failure } from '../../../core/failure';
import { waitUntil } from '../../support/wait-until';

const CALL: ModelCall = {
  model: {
    id: 'sim',
    provider: 'simulated',
    name: 'simulated',
    parameters: {},
    account: 'own',
    simulation: { seed: 1, steps: 5, judgeTurns: 1, latencyMs: 0, errorRate: 0 },
  },
  body: {
    messages: [{ role: 'user', content: 'go' }],
    tools: [
      {
        type: 'function',
        function: {
          name: 'exec',
          parameters: { properties: { command: {} }, required: ['command'] },
        },
      },
    ],
  },
  context: { purpose: 'agent', taskId: 'task', repetition: 1 },
  // No reply that comes is as late as that, whatever else the machine does.
  inactivityTimeoutMs: 2_000,
};

/** Waits are cut short: what is waited for is tested elsewhere. */
const FAST: Clock = {
  now: Date.now,
  sleep: (ms, signal) => SYSTEM_CLOCK.sleep(Math.min(ms, 5), signal),
};

describe('the model client and a real provider', () => {
  let provider: RunningProvider;
  beforeEach(async () => {
    provider = await startProvider({ port: 0, recordingsDir: '/nonexistent' });
  });
  afterEach(async () => {
    await provider.close();
  });

  function account(change: Partial<Account> = {}): Account {
    return {
      name: 'own',
      protocol: 'simulated',
      baseUrl: `${provider.url}/simulated/v1`,
      apiKey: undefined,
      models: [],
      maxConcurrency: 4,
      allowPrivateAddresses: true,
      prices: {},
      ...change,
    };
  }

  async function script(fault: object): Promise<void> {
    await fetch(`${provider.url}/faults`, { method: 'POST', body: JSON.stringify(fault) });
  }

  async function failure(call: Promise<unknown>): Promise<Failure> {
    const error: unknown = await call.catch((reason: unknown) => reason);
    if (error instanceof Failure) return error;
    throw new Error(`not a Failure: ${String(error)}`);
  }

  it('gets the same reply streamed and whole', async () => {
    const streamed = await createModelClient({ accounts: [account({ streaming: true })] }).complete(
      CALL,
    );
    const whole = await createModelClient({ accounts: [account({ streaming: false })] }).complete(
      CALL,
    );
    expect(streamed.completion['choices']).toEqual(whole.completion['choices']);
    expect(streamed.usage?.outputTokens).toBe(whole.usage?.outputTokens);
    expect(provider.calls()).toMatchObject({ total: 2, counts: { 'agent/task/r1': 2 } });
  });

  it.each([
    ['an overload', { status: 529 }],
    ['a rate limit', { status: 429, headers: { 'retry-after-ms': '20' } }],
    ['a reset connection', { reset: true }],
    ['a stream that breaks off', { cutStream: true }],
    ['a provider that falls silent', { stall: true }],
    ['a page instead of JSON', { status: 502, body: '<html>bad gateway</html>' }],
  ])('survives %s', async (_title, fault) => {
    await script({ ...fault, times: 2 });
    const client = createModelClient({ accounts: [account()], clock: FAST });
    const reply = await client.complete(CALL);
    expect(reply.failedTries).toBe(2);
    expect(provider.calls()).toMatchObject({ total: 1, failed: 2 });
  });

  it('answers a call that waits until the faults are cleared, then and not before', async () => {
    await script({ untilCleared: true });
    const reply = createModelClient({ accounts: [account()] }).complete(CALL);
    await waitUntil(() => provider.calls().mostAtOnce === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(provider.calls()).toMatchObject({ total: 0, failed: 0 });
    await fetch(`${provider.url}/faults`, { method: 'DELETE' });
    expect(await reply).toMatchObject({ failedTries: 0 });
    expect(provider.calls()).toMatchObject({ total: 1, failed: 0 });
  });

  it('rides out errors that the simulation draws', async () => {
    const simulation = { ...CALL.model.simulation!, errorRate: 0.4 };
    const client = createModelClient({ accounts: [account()], clock: FAST });
    const calls = Array.from({ length: 12 }, (_, n) =>
      client.complete({
        ...CALL,
        model: { ...CALL.model, simulation },
        context: { ...CALL.context, repetition: n + 1 },
      }),
    );
    const replies = await Promise.all(calls);
    expect(replies.reduce((sum, { failedTries }) => sum + failedTries, 0)).toBe(
      provider.calls().failed,
    );
    expect(provider.calls().failed).toBeGreaterThan(0);
  });

  it('makes no more calls at once than the account allows', async () => {
    const simulation = { ...CALL.model.simulation!, latencyMs: 30 };
    const client = createModelClient({ accounts: [account({ maxConcurrency: 3 })] });
    await Promise.all(
      Array.from({ length: 9 }, () =>
        client.complete({ ...CALL, model: { ...CALL.model, simulation } }),
      ),
    );
    expect(provider.calls()).toMatchObject({ total: 9, mostAtOnce: 3 });
  });

  it('follows no redirect', async () => {
    await script({
      status: 307,
      headers: { location: `${provider.url}/simulated/v1/chat/completions` },
    });
    const error = await failure(createModelClient({ accounts: [account()] }).complete(CALL));
    expect(error.type).toBe('ConfigMissing');
    expect(error.message).toContain('redirects are refused');
    expect(provider.calls().total).toBe(0);
  });

  it.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])(
    'does not call the private address %s unless it may',
    async (host) => {
      const baseUrl = `${provider.url.replace('127.0.0.1', host)}/simulated/v1`;
      const client = createModelClient({
        accounts: [account({ baseUrl, allowPrivateAddresses: false })],
      });
      const error = await failure(client.complete(CALL));
      expect(error.type).toBe('ConfigMissing');
      expect(error.message).toContain('set allowPrivateAddresses: true');
      expect(provider.calls()).toMatchObject({ total: 0, failed: 0 });
    },
  );

  it('looks a name up once: a second answer cannot slip in another address', async () => {
    let lookups = 0;
    const guarded = createGuardedFetch({
      allowPrivateAddresses: false,
      maxSockets: 1,
      lookup: (_host, _options, callback) => {
        lookups++;
        callback(
          null,
          lookups === 1
            ? [{ address: '10.0.0.1', family: 4 }]
            : [{ address: '127.0.0.1', family: 4 }],
        );
      },
    });
    await expect(guarded('http://rebinding.invalid/')).rejects.toThrow('private address 10.0.0.1');
    await expect(guarded('http://rebinding.invalid/')).rejects.toThrow('private address 127.0.0.1');
    expect(lookups).toBe(2);
  });

  it('reads no reply without end', async () => {
    await script({ status: 500, body: 'x'.repeat(100_000) });
    const guarded = createGuardedFetch({
      allowPrivateAddresses: true,
      maxSockets: 1,
      maxReplyBytes: 10_000,
    });
    const response = await guarded(`${provider.url}/simulated/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-startupbench-simulation': encodeURIComponent('{}') },
      body: '{}',
    });
    await expect(response.text()).rejects.toThrow();
  });

  it('names the recording that is missing', async () => {
    const replay = account({
      name: 'own',
      protocol: 'replay',
      baseUrl: `${provider.url}/replay/v1`,
    });
    const model = {
      ...CALL.model,
      provider: 'replay' as const,
      recordings: { name: 'strong', digest: '' },
    };
    const error = await failure(
      createModelClient({ accounts: [replay] }).complete({ ...CALL, model }),
    );
    expect(error.type).toBe('ModelUnknown');
    expect(error.message).toContain('/nonexistent/strong/task/r1.yaml');
  });

  it('counts the images that reach the provider, by their digest', async () => {
    const url = `data:image/jpeg;base64,${Buffer.from('page').toString('base64')}`;
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
    await createModelClient({ accounts: [account()] }).complete({
      ...CALL,
      body: { ...CALL.body, messages },
    });
    const sha256 = createHash('sha256').update('page').digest('hex');
    expect(provider.calls().images).toEqual([sha256]);
  });
});
