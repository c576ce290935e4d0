import { readFileSync } from 'node:fs';
import { mainRequest, START } from './support/harness-requests';
import { type ProviderBench, startProviderBench } from './support/provider-bench';
import { ask } from './support/sandbox-client';

type Json = Record<string, unknown>;

/** Both kinds of harness against a provider that speaks OpenAI's Responses, over real connections. */
describe('a provider that speaks OpenAI’s Responses', () => {
  let provider: ProviderBench;
  beforeAll(async () => {
    provider = await startProviderBench('openai-responses', reply);
  });
  afterAll(() => provider.stop());
  beforeEach(() => {
    provider.seen.length = 0;
  });

  const model = {
    id: 'gpt',
    provider: 'openai-responses' as const,
    name: 'gpt-x',
    parameters: { reasoning_effort: 'high' },
    account: 'account',
  };
  const CALLS = (turn: number): Json[] => [
    { type: 'reasoning', id: `rs_${turn}`, summary: [], encrypted_content: `secret ${turn}` },
    { role: 'assistant', content: `I look ${turn}.`, phase: 'commentary' },
    call(turn, 'a'),
    call(turn, 'b'),
  ];

  it('gets its encrypted reasoning back from a harness that keeps only calls and results', async () => {
    const { bench, control, seen } = provider;
    const folder = bench.attempt({ attemptId: 'chat', model });
    await control.open(folder);
    const first = await ask(folder, { body: mainRequest(START) });
    const { choices } = JSON.parse(first.body) as { choices: [{ message: Json }] };
    const calls = choices[0].message['tool_calls'] as Json[];
    expect(calls.map(({ id }) => id)).toEqual(['call_1a', 'call_1b']);
    const messages = [
      ...START,
      { role: 'assistant', content: 'I look 1.', tool_calls: calls },
      { role: 'tool', tool_call_id: 'call_1a', content: 'A' },
      { role: 'tool', tool_call_id: 'call_1b', content: 'B' },
    ];
    await ask(folder, { body: mainRequest(messages) });
    expect(seen[0]!.headers).toMatchObject({ authorization: 'Bearer the-key' });
    expect(seen[1]!.body).toMatchObject({
      model: 'gpt-x',
      store: false,
      stream: true,
      reasoning: { effort: 'high' },
      include: ['reasoning.encrypted_content'],
    });
    expect((seen[1]!.body['input'] as Json[]).slice(2)).toEqual([
      ...CALLS(1),
      { type: 'function_call_output', call_id: 'call_1a', output: 'A' },
      { type: 'function_call_output', call_id: 'call_1b', output: 'B' },
    ]);
  });

  it('serves a harness that speaks Messages, images of results and all', async () => {
    const { bench, control, seen } = provider;
    const folder = bench.attempt({ attemptId: 'messages', model });
    await control.open(folder);
    const base = {
      model: 'alias',
      max_tokens: 100,
      stream: true,
      tools: [{ name: 'exec', input_schema: { type: 'object' } }],
    };
    const user = { role: 'user', content: 'Do the task.' };
    const path = '/v1/messages?beta=true';
    const answer = await ask(folder, { path, body: { ...base, messages: [user] } });
    expect(answer.body).toContain('"stop_reason":"tool_use"');
    const image = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
    const messages = [
      user,
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look 1.' },
          ...['a', 'b'].map((name) => ({
            type: 'tool_use',
            id: `call_1${name}`,
            name: 'exec',
            input: { command: 'ls' },
          })),
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'call_1a',
            content: [{ type: 'image', source: image }],
          },
          { type: 'tool_result', tool_use_id: 'call_1b', content: 'B' },
        ],
      },
    ];
    await ask(folder, { path, body: { ...base, messages } });
    const input = seen[1]!.body['input'] as Json[];
    expect(input.slice(1, 5)).toEqual(CALLS(1));
    expect(JSON.stringify(input.slice(5))).toContain('data:image/png;base64,iVBORw0KGgo=');
    const log = await control.readLog(folder);
    expect(log.traffic.usage).toEqual({
      inputTokens: 220,
      cachedInputTokens: 160,
      cacheWriteTokens: 20,
      outputTokens: 10,
    });
    const transcript = readFileSync(await control.writeTranscript(folder), 'utf8');
    expect(transcript).toContain('I look 2.');
    expect(transcript).not.toContain('the-key');
  });
});

function call(turn: number, name: string): Json {
  const target = { name: 'exec', arguments: '{"command":"ls"}' };
  return { type: 'function_call', call_id: `call_${turn}${name}`, ...target };
}

function reply(turn: number): Json[] {
  const content = [{ type: 'output_text', text: `I look ${turn}.`, annotations: [] }];
  const output = [
    { type: 'reasoning', id: `rs_${turn}`, summary: [], encrypted_content: `secret ${turn}` },
    { type: 'message', id: `msg_${turn}`, role: 'assistant', phase: 'commentary', content },
    call(turn, 'a'),
    call(turn, 'b'),
  ];
  const usage = {
    input_tokens: 110,
    input_tokens_details: { cached_tokens: 80, cache_write_tokens: 10 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 3 },
  };
  const response = { id: `resp_${turn}`, status: 'completed', model: 'gpt-x-1', output, usage };
  const items = output.map((item, index) => ({
    type: 'response.output_item.done',
    output_index: index,
    item,
  }));
  return [...items, { type: 'response.completed', response }];
}
