import { type ModelCall } from '../../../activities/models/port';
import { type Account } from '../../../core/account';
import { DOCUMENTED_RESPONSE_STREAM } from './support/documented-response-stream';
import { streamed } from './support/documented-stream';
import {
  clientOf as clientFor,
  failureOf,
  provider,
  scriptedAccount,
} from './support/scripted-account';

const KEY = 'sk-proj-0123456789abcdef';
const ACCOUNT = scriptedAccount({ name: 'openai', protocol: 'openai-responses', apiKey: KEY });
const CALL: ModelCall = {
  model: {
    id: 'mine',
    provider: 'openai-responses',
    name: 'gpt-x',
    parameters: { reasoning_effort: 'high' },
    account: 'openai',
  },
  body: {
    messages: [
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: 'hi' },
    ],
    max_tokens: 100,
    temperature: 0.1,
    seed: 7,
  },
  prices: {
    inputPerMillion: 4_000_000,
    cachedInputPerMillion: 400_000,
    cacheWritePerMillion: 5_000_000,
    outputPerMillion: 20_000_000,
  },
  context: { purpose: 'agent', taskId: 'task', repetition: 1 },
  inactivityTimeoutMs: 1_000,
  retryForMs: 60_000,
};

function failing(status: number, error: object, headers = {}): () => Response {
  return () => new Response(JSON.stringify({ error }), { status, headers });
}

/** A stream that ends with this event. */
function ending(event: object): () => Response {
  return streamed(`data: ${JSON.stringify(event)}\n\n`);
}

function failed(code: string, message: string): () => Response {
  const response = { status: 'failed', output: [], error: { code, message } };
  return ending({ type: 'response.failed', response });
}

const clientOf = (fetchFunction: typeof fetch, account: Account = ACCOUNT) =>
  clientFor(fetchFunction, account, {
    quirks: () => ({
      outputLimitField: 'max_completion_tokens',
      refusedFields: ['temperature', 'top_p'],
    }),
  }).client;

describe('an account that speaks OpenAI’s Responses', () => {
  it('is asked in its form, and its stream becomes a completion', async () => {
    const { fetch, seen } = provider([streamed(DOCUMENTED_RESPONSE_STREAM)]);
    const reply = await clientOf(fetch).complete(CALL);
    expect(seen).toEqual([
      {
        url: 'https://provider.invalid/v1/responses',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          authorization: `Bearer ${KEY}`,
        },
        body: {
          model: 'gpt-x',
          stream: true,
          store: false,
          include: ['reasoning.encrypted_content'],
          max_output_tokens: 100,
          reasoning: { effort: 'high' },
          input: [
            { role: 'system', content: 'You are an agent.' },
            { role: 'user', content: 'hi' },
          ],
        },
      },
    ]);
    expect(reply.completion).toMatchObject({
      choices: [
        {
          message: {
            content: null,
            reasoning_details: [{ data: 'gAAA', id: 'rs_1' }],
            tool_calls: [
              { id: 'call_1', function: { name: 'exec', arguments: '{"command":"ls"}' } },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
    });
    expect(reply).toMatchObject({
      usage: {
        inputTokens: 1_000,
        cachedInputTokens: 600,
        cacheWriteTokens: 300,
        outputTokens: 80,
      },
      // 100 x 4 + 600 x 0.4 + 300 x 5 + 80 x 20 micro-dollars
      costMicroUsd: 3_740,
      reportedModel: 'gpt-x-2026-01-01',
      dropped: ['temperature', 'seed'],
    });
  });

  it('is read from its items where the last event leaves them out', async () => {
    const stripped = DOCUMENTED_RESPONSE_STREAM.replace(
      /"output":\[\{.*?\}\],"usage"/u,
      '"output":[],"usage"',
    );
    expect(stripped).not.toBe(DOCUMENTED_RESPONSE_STREAM);
    const reply = await clientOf(provider([streamed(stripped)]).fetch).complete(CALL);
    expect(reply.completion).toMatchObject({
      choices: [{ message: { tool_calls: [{ id: 'call_1' }] } }],
    });
  });

  it('may end its stream as Chat Completions does', async () => {
    const { fetch } = provider([streamed(`${DOCUMENTED_RESPONSE_STREAM}data: [DONE]\n\n`)]);
    expect((await clientOf(fetch).complete(CALL)).failedTries).toBe(0);
  });

  it('answers unstreamed as well', async () => {
    const response = {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      model: 'gpt-x',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'hello' }] }],
      usage: { input_tokens: 3, output_tokens: 1 },
    };
    const { fetch, seen } = provider([() => new Response(JSON.stringify(response))]);
    const client = clientOf(fetch, { ...ACCOUNT, streaming: false });
    expect(await client.complete(CALL)).toMatchObject({
      completion: { choices: [{ message: { content: 'hello' }, finish_reason: 'stop' }] },
    });
    expect(seen[0]!.body['stream']).toBe(false);
  });

  it.each([
    ['a stream that breaks off', streamed(DOCUMENTED_RESPONSE_STREAM.slice(0, 900))],
    ['a stream without a word', streamed('')],
    ['a page of HTML', () => new Response('<html>', { status: 200 })],
    ['an answer that is no response', () => new Response('{"output":null}', { status: 200 })],
    ['a response that is still queued', () => new Response('{"output":[],"status":"queued"}')],
    ['a server error within the reply', failed('server_error', 'An error occurred')],
    ['a rate limit within the reply', failed('rate_limit_exceeded', 'Please try again in 1s')],
    ['an error of no known kind', failed('of_tomorrow', 'odd')],
    [
      'an error event',
      ending({ type: 'error', code: 'server_error', message: 'The server had an error' }),
    ],
    ['an overload', failing(503, { message: 'overloaded' })],
    ['a rate limit', failing(429, { code: 'rate_limit_exceeded', message: 'Rate limit reached' })],
  ])('is asked again after %s', async (_title, bad) => {
    const { fetch, seen } = provider([bad, streamed(DOCUMENTED_RESPONSE_STREAM)]);
    expect((await clientOf(fetch).complete(CALL)).failedTries).toBe(1);
    expect(seen).toHaveLength(2);
  });

  it.each([
    [
      failing(401, { code: 'invalid_api_key', message: `Incorrect API key: ${KEY}` }),
      'ProviderAuth',
    ],
    [failing(429, { code: 'insufficient_quota', message: 'You exceeded it' }), 'ProviderQuota'],
    [failing(404, { code: 'model_not_found', message: 'no such model' }), 'ModelUnknown'],
    [failing(400, { code: 'context_length_exceeded', message: 'too long' }), 'InvalidInput'],
    [failed('context_length_exceeded', 'Your input exceeds the context window'), 'InvalidInput'],
    [failed('insufficient_quota', 'You exceeded your current quota'), 'ProviderQuota'],
    [failed('invalid_image', 'not an image'), 'InvalidInput'],
  ])('fails at once where asking again is no use (%#)', async (bad, type) => {
    const { fetch, seen } = provider([bad]);
    const failure = await failureOf(clientOf(fetch).complete(CALL));
    expect(failure.type).toBe(type);
    expect(seen).toHaveLength(1);
    expect(JSON.stringify([failure.message, failure.options])).not.toContain('0123456789abcdef');
  });

  it.each(['invalid_prompt', 'bio_policy'])(
    'takes %s for a refusal of the content',
    async (code) => {
      const failure = await failureOf(
        clientOf(provider([failed(code, 'no')]).fetch).complete(CALL),
      );
      expect(failure.options.cause).toMatchObject({ contentRefused: true });
    },
  );
});
