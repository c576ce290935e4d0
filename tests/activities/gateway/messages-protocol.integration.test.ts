import { readFileSync } from 'node:fs';
import { mainRequest, START } from './support/harness-requests';
import { type ProviderBench, startProviderBench } from './support/provider-bench';
import { ask } from './support/sandbox-client';

type Json = Record<string, unknown>;

/** Both kinds of harness against a provider that speaks Anthropic's Messages, over real connections. */
describe('a provider that speaks Anthropic’s Messages', () => {
  let provider: ProviderBench;
  beforeAll(async () => {
    provider = await startProviderBench('anthropic', reply);
  });
  afterAll(() => provider.stop());
  beforeEach(() => {
    provider.seen.length = 0;
  });

  const model = {
    id: 'claude',
    provider: 'anthropic' as const,
    name: 'claude-x',
    parameters: {},
    account: 'account',
  };

  it('serves a harness that speaks Chat Completions, its signed reasoning included', async () => {
    const { bench, control, seen } = provider;
    const folder = bench.attempt({ attemptId: 'chat', model });
    await control.open(folder);
    const first = await ask(folder, { body: mainRequest(START) });
    const { choices } = JSON.parse(first.body) as { choices: [{ message: Json }] };
    const call = (choices[0].message['tool_calls'] as Json[])[0]!;
    expect(call).toMatchObject({ id: 'toolu_1', function: { name: 'exec' } });
    expect(choices[0].message['reasoning_content']).toBe('thought 1');
    // A harness that keeps nothing but the call and its result.
    const messages = [
      ...START,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'done' },
    ];
    await ask(folder, { body: mainRequest(messages) });
    expect(seen[0]!.headers).toMatchObject({ 'x-api-key': 'the-key' });
    expect(seen[1]!.body).toMatchObject({
      model: 'claude-x',
      system: [{ text: 'You are an agent.' }],
      messages: [
        { role: 'user', content: [{ text: 'Do the task.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'thought 1', signature: 'signature 1' },
            { type: 'tool_use', id: 'toolu_1', name: 'exec', input: { command: 'ls' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
      ],
    });
  });

  it('serves a harness that speaks its own protocol, and reports what was left out', async () => {
    const { bench, control, seen } = provider;
    const folder = bench.attempt({ attemptId: 'messages', model });
    await control.open(folder);
    const body = {
      model: 'alias',
      max_tokens: 100,
      stream: true,
      metadata: { user_id: 'u' },
      tools: [{ name: 'exec', input_schema: { type: 'object' } }],
      messages: [{ role: 'user', content: 'Do the task.' }],
    };
    const answer = await ask(folder, { path: '/v1/messages?beta=true', body, deliveryId: 'd' });
    expect(answer.body).toContain('"signature":"signature 1"');
    expect(answer.body).toContain('"partial_json":"{\\"command\\":\\"ls\\"}"');
    expect(seen[0]!.body).toMatchObject({ model: 'claude-x', max_tokens: 100 });
    expect(JSON.stringify(seen[0])).not.toContain('user_id');
    const log = await control.readLog(folder);
    expect(log.traffic.usage).toEqual({
      inputTokens: 110,
      cachedInputTokens: 100,
      cacheWriteTokens: 0,
      outputTokens: 5,
    });
    const transcript = readFileSync(await control.writeTranscript(folder), 'utf8');
    expect(transcript).toContain('"metadata"');
    expect(transcript).toContain('thought 1');
  });
});

function reply(number: number): Json[] {
  const block = (index: number, content_block: Json, ...deltas: Json[]): Json[] => [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  const usage = { input_tokens: 10, cache_read_input_tokens: 100, output_tokens: 1 };
  return [
    { type: 'message_start', message: { id: 'm', model: 'claude-x-1', type: 'message', usage } },
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: `thought ${number}` },
      { type: 'signature_delta', signature: `signature ${number}` },
    ),
    ...block(
      1,
      { type: 'tool_use', id: `toolu_${number}`, name: 'exec', input: {} },
      { type: 'input_json_delta', partial_json: '{"command":"ls"}' },
    ),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ];
}
