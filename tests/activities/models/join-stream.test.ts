import { StreamJoiner } from '../../../activities/models/join-stream';
import { completionChunks, type ChatCompletion } from '../../../core/chat-completion';

function join(chunks: readonly unknown[]): Record<string, unknown> {
  const joiner = new StreamJoiner();
  for (const chunk of chunks) joiner.add(chunk);
  return joiner.result();
}

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
        content: 'Grüße, 世界',
        reasoning_content: 'first think',
        tool_calls: [
          {
            id: 'a',
            type: 'function',
            function: { name: 'exec', arguments: '{"command":"ls"}' },
            extra_content: { signature: 's' },
          },
          { id: 'b', type: 'function', function: { name: 'read', arguments: '{}' } },
        ],
      },
      finish_reason: 'tool_calls',
    },
  ],
  usage: { prompt_tokens: 3, completion_tokens: 4 },
};

describe('joining a streamed completion', () => {
  it('gives back what was cut into chunks', () => {
    expect(join(completionChunks(COMPLETION, true))).toEqual(COMPLETION);
  });

  it('joins arguments that come in pieces, and names that are repeated', () => {
    const part = (call: object) => ({
      choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }],
    });
    const joined = join([
      part({ index: 0, id: 'x', type: 'function', function: { name: 'exec', arguments: '{"a":' } }),
      part({ index: 0, function: { name: 'exec', arguments: '1}' } }),
      part({ id: 'y', function: { name: 'exec', arguments: '{}' } }),
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    ]);
    const [choice] = joined['choices'] as { message: { tool_calls: unknown } }[];
    expect(choice?.message.tool_calls).toEqual([
      { id: 'x', type: 'function', function: { name: 'exec', arguments: '{"a":1}' } },
      { id: 'y', type: 'function', function: { name: 'exec', arguments: '{}' } },
    ]);
  });

  it('takes a stream that ends without a finish reason for broken', () => {
    const chunks = completionChunks(COMPLETION, false).slice(0, -1);
    expect(() => join(chunks)).toThrow('the stream broke off before its end');
  });

  it('takes a stream without any choice for broken', () => {
    expect(() => join([{ id: 'x', choices: [] }])).toThrow('the stream ended without a reply');
  });

  it('reports an error inside the stream', () => {
    expect(() => join([{ error: { message: 'overloaded', code: 503 } }])).toThrow(
      'the stream ended in an error',
    );
  });
});
