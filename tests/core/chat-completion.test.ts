import OpenAI from 'openai';
import { type ChatCompletion, completionToEventStream } from '../../core/chat-completion';

const COMPLETION: ChatCompletion = {
  id: 'c1',
  object: 'chat.completion',
  created: 7,
  model: 'm',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'line one\nline two\r\n\u2028data: [DONE]\n\n世界',
        tool_calls: [
          {
            id: 'a',
            type: 'function',
            function: { name: 'exec', arguments: '{"command":"printf \'\\n\\n\'"}' },
          },
          { id: 'b', type: 'function', function: { name: 'read', arguments: '{}' } },
        ],
      },
      finish_reason: 'tool_calls',
    },
  ],
  usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
};

/** The real client reading our event stream. */
function clientFor(body: string): OpenAI {
  return new OpenAI({
    apiKey: 'none',
    baseURL: 'http://gateway.invalid/v1',
    maxRetries: 0,
    fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
  });
}

describe('a completion as an event stream', () => {
  it('is read back whole by the OpenAI client', async () => {
    const client = clientFor(completionToEventStream(COMPLETION, true));
    const runner = client.chat.completions.stream({
      model: 'm',
      messages: [{ role: 'user', content: 'x' }],
    });
    const read = await runner.finalChatCompletion();
    const [choice] = read.choices;
    const [sent] = COMPLETION.choices;
    expect(choice?.message.content).toBe(sent?.message.content);
    expect(choice?.finish_reason).toBe('tool_calls');
    expect(choice?.message.tool_calls).toMatchObject(sent?.message.tool_calls ?? []);
    expect(read.usage).toEqual(COMPLETION.usage);
  });

  it('sends usage only when it was asked for, and always a finish reason', async () => {
    const stream = await clientFor(
      completionToEventStream(COMPLETION, false),
    ).chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: 'x' }],
      stream: true,
    });
    const finishReasons: unknown[] = [];
    for await (const chunk of stream) {
      expect(chunk.usage ?? undefined).toBeUndefined();
      finishReasons.push(chunk.choices[0]?.finish_reason);
    }
    expect(finishReasons.at(-1)).toBe('tool_calls');
  });
});
