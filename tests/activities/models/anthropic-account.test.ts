import fc from 'fast-check';
import { MessageJoiner } from '../../../activities/models/join-message';
import { type ModelCall } from '../../../activities/models/port';
import { type Account } from '../../../core/account';
import { type AnthropicMessage, messageFromCompletion } from '../../../core/anthropic/reply';
import { messageEvents } from '../../../core/anthropic/event-stream';
import { DOCUMENTED_STREAM, streamed } from './support/documented-stream';
import {
  clientOf as clientFor,
  failureOf,
  provider,
  scriptedAccount,
} from './support/scripted-account';

const KEY = 'sk-ant-0123456789abcdef';
const ACCOUNT = scriptedAccount({ name: 'claude', protocol: 'anthropic', apiKey: KEY });
const CALL: ModelCall = {
  model: {
    id: 'mine',
    provider: 'anthropic',
    name: 'claude-x',
    parameters: { thinking: { type: 'enabled', budget_tokens: 2_000 } },
    account: 'claude',
  },
  body: {
    messages: [
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: 'hi' },
    ],
    max_tokens: 100,
    seed: 7,
  },
  prices: {
    inputPerMillion: 5_000_000,
    cachedInputPerMillion: 500_000,
    cacheWritePerMillion: 6_250_000,
    outputPerMillion: 25_000_000,
  },
  context: { purpose: 'agent', taskId: 'task', repetition: 1 },
  inactivityTimeoutMs: 1_000,
  retryForMs: 60_000,
};

function failing(status: number, type: string, message: string, headers = {}): () => Response {
  const body = { type: 'error', error: { type, message }, request_id: 'req_1' };
  return () => new Response(JSON.stringify(body), { status, headers });
}

const clientOf = (fetchFunction: typeof fetch, account: Account = ACCOUNT) =>
  clientFor(fetchFunction, account);

describe('an account that speaks Anthropic’s Messages', () => {
  it('is asked in its form, and its stream becomes a completion', async () => {
    const { fetch, seen } = provider([streamed(DOCUMENTED_STREAM)]);
    const reply = await clientOf(fetch).client.complete(CALL);
    expect(seen).toEqual([
      {
        url: 'https://provider.invalid/v1/messages',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          'anthropic-version': '2023-06-01',
          'x-api-key': KEY,
        },
        body: {
          model: 'claude-x',
          max_tokens: 100,
          stream: true,
          thinking: { type: 'enabled', budget_tokens: 2_000 },
          system: [
            {
              type: 'text',
              text: 'You are an agent.',
              cache_control: { type: 'ephemeral' },
            },
          ],
          messages: [
            {
              role: 'user',
              content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }],
            },
          ],
        },
      },
    ]);
    expect(reply.completion).toMatchObject({
      id: 'msg_014p',
      choices: [
        {
          message: {
            content: '查天气',
            reasoning_content: 'Weather, then.',
            reasoning_details: [{ text: 'Weather, then.', signature: 'EqQB' }],
            tool_calls: [
              {
                id: 'toolu_01T',
                function: { name: 'get_weather', arguments: '{"location":"San Francisco"}' },
              },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
    });
    expect(reply).toMatchObject({
      usage: {
        inputTokens: 1_772,
        cachedInputTokens: 1_000,
        cacheWriteTokens: 300,
        outputTokens: 89,
      },
      // 472 x 5 + 1,000 x 0.5 + 300 x 6.25 + 89 x 25 micro-dollars
      costMicroUsd: 6_960,
      reportedModel: 'claude-x-1',
      dropped: ['seed'],
    });
  });

  it('answers unstreamed as well', async () => {
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-x-1',
      content: [{ type: 'text', text: 'hello' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 1 },
    };
    const { fetch, seen } = provider([() => new Response(JSON.stringify(message))]);
    const { client } = clientOf(fetch, { ...ACCOUNT, streaming: false });
    expect(await client.complete(CALL)).toMatchObject({
      completion: { choices: [{ message: { content: 'hello' }, finish_reason: 'stop' }] },
    });
    expect(seen[0]!.body['stream']).toBe(false);
  });

  it.each([
    [
      'a stream that breaks off',
      streamed(DOCUMENTED_STREAM.slice(0, DOCUMENTED_STREAM.length / 2)),
    ],
    ['a stream without a word', streamed('')],
    [
      'an overload within the stream',
      streamed(
        'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
      ),
    ],
    ['a page of HTML', () => new Response('<html>', { status: 200 })],
    ['an overload', failing(529, 'overloaded_error', 'Overloaded')],
    ['a rate limit', failing(429, 'rate_limit_error', 'This request would exceed the rate limit')],
    ['an error of its own', failing(500, 'api_error', 'Internal server error')],
  ])('is asked again after %s', async (_title, bad) => {
    const { fetch, seen } = provider([bad, streamed(DOCUMENTED_STREAM)]);
    expect((await clientOf(fetch).client.complete(CALL)).failedTries).toBe(1);
    expect(seen).toHaveLength(2);
  });

  it('is waited for as long as it says', async () => {
    const limited = failing(429, 'rate_limit_error', 'slow down', { 'retry-after': '17' });
    const { client, slept } = clientOf(provider([limited, streamed(DOCUMENTED_STREAM)]).fetch);
    await client.complete(CALL);
    expect(Math.max(...slept)).toBe(17_000);
  });

  it.each([
    [failing(401, 'authentication_error', `invalid x-api-key ${KEY}`), 'ProviderAuth'],
    [failing(403, 'permission_error', 'no access'), 'ProviderAuth'],
    [failing(402, 'billing_error', 'pay'), 'ProviderQuota'],
    [
      failing(
        400,
        'invalid_request_error',
        'Your credit balance is too low to access the Anthropic API.',
      ),
      'ProviderQuota',
    ],
    [failing(404, 'not_found_error', 'model: claude-x'), 'ModelUnknown'],
    [
      failing(400, 'invalid_request_error', 'prompt is too long: 200001 tokens > 200000 maximum'),
      'InvalidInput',
    ],
    [failing(413, 'request_too_large', 'Request exceeds the maximum size'), 'InvalidInput'],
  ])('fails at once where asking again is no use (%#)', async (bad, type) => {
    const { fetch, seen } = provider([bad]);
    const failure = await failureOf(clientOf(fetch).client.complete(CALL));
    expect(failure.type).toBe(type);
    expect(seen).toHaveLength(1);
    expect(JSON.stringify([failure.message, failure.options])).not.toContain('0123456789abcdef');
  });

  it('drops thinking of a conversation that has changed, once it is refused, and then at once', async () => {
    const refusal = failing(
      400,
      'invalid_request_error',
      'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
    );
    const good = streamed(DOCUMENTED_STREAM);
    const { fetch, seen } = provider([refusal, good, good]);
    const { client, slept } = clientOf(fetch);
    const adaptive = { ...CALL, model: { ...CALL.model, parameters: {} } };
    expect((await client.complete(adaptive)).failedTries).toBe(0);
    await client.complete(CALL);
    expect(slept).toEqual([]);
    const wish = { prefix_mismatch_behavior: 'drop_block' };
    expect(seen.map(({ body }) => body['thinking'])).toEqual([
      undefined,
      { type: 'adaptive', block_binding: wish },
      { type: 'enabled', budget_tokens: 2_000, block_binding: wish },
    ]);
    expect(seen.map(({ headers }) => headers['anthropic-beta'])).toEqual([
      undefined,
      'thinking-binding-controls-2026-08-01',
      'thinking-binding-controls-2026-08-01',
    ]);
  });

  it('gives up where dropping such thinking does not help', async () => {
    const text = 'The block is bound to a different conversation.';
    const { fetch, seen } = provider([failing(400, 'invalid_request_error', text)]);
    expect((await failureOf(clientOf(fetch).client.complete(CALL))).type).toBe('InvalidInput');
    expect(seen).toHaveLength(2);
  });

  it('keeps a call that was cut off as the text it is', async () => {
    const cut = DOCUMENTED_STREAM.replace(' Francisco\\"}', '').replace(
      '"stop_reason":"tool_use"',
      '"stop_reason":"max_tokens"',
    );
    const reply = await clientOf(provider([streamed(cut, 1_000)]).fetch).client.complete(CALL);
    expect(reply.completion).toMatchObject({
      choices: [
        {
          message: { tool_calls: [{ function: { arguments: '{"location": "San' } }] },
          finish_reason: 'length',
        },
      ],
    });
  });
});

describe('joining what was taken apart', () => {
  const completion = fc.record({
    content: fc.option(fc.string({ unit: 'binary', minLength: 1 })),
    reasoning: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
    calls: fc.array(
      fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/u), fc.string(), { noNullPrototype: true }),
    ),
    finish: fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter'),
  });
  it('gives the same message again', () => {
    fc.assert(
      fc.property(completion, ({ content, reasoning, calls, finish }) => {
        const message: AnthropicMessage = messageFromCompletion(
          {
            model: 'm',
            choices: [
              {
                finish_reason: finish,
                message: {
                  content,
                  reasoning_content: reasoning,
                  tool_calls: calls.map((input, index) => ({
                    id: `c${index}`,
                    function: { name: 'exec', arguments: JSON.stringify(input) },
                  })),
                },
              },
            ],
            usage: { prompt_tokens: 7, completion_tokens: 3 },
          },
          'msg_1',
        );
        const joiner = new MessageJoiner();
        for (const event of messageEvents(message)) joiner.add(event);
        expect(joiner.result()).toEqual(message);
      }),
    );
  });
});
