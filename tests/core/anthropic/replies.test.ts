import fc from 'fast-check';
import { anthropicError, statusOfErrorType } from '../../../core/anthropic/error';
import { messageEvents, messageToEventStream } from '../../../core/anthropic/event-stream';
import { completionFromMessage, messageFromCompletion } from '../../../core/anthropic/reply';

const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 0,
  model: 'm-1',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'I look.',
        reasoning_content: 'Which city?',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'exec', arguments: '{"c":"ls"}' } },
        ],
      },
      finish_reason: 'tool_calls',
    },
  ],
  usage: {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
  },
};
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm-1',
  content: [
    { type: 'thinking', thinking: 'Which city?', signature: 'unsigned' },
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', id: 'call_1', name: 'exec', input: { c: 'ls' } },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: {
    input_tokens: 10,
    cache_creation_input_tokens: 30,
    cache_read_input_tokens: 60,
    output_tokens: 20,
  },
};

function finished(finish: string, message: object = { role: 'assistant', content: 'x' }) {
  return messageFromCompletion({ choices: [{ message, finish_reason: finish }] }, 'msg_1');
}

describe('a reply in both protocols', () => {
  it('says the same', () => {
    expect(messageFromCompletion(COMPLETION, 'msg_1')).toEqual(MESSAGE);
    expect(completionFromMessage(MESSAGE).body).toEqual({ ...COMPLETION, id: 'msg_1' });
  });

  it.each([
    ['stop', 'end_turn', 'stop'],
    ['length', 'max_tokens', 'length'],
    ['tool_calls', 'tool_use', 'tool_calls'],
    ['content_filter', 'refusal', 'content_filter'],
  ])('%s is %s', (chat, anthropic, again) => {
    const message = finished(chat);
    expect(message.stop_reason).toBe(anthropic);
    expect(completionFromMessage(message).body).toMatchObject({
      choices: [{ finish_reason: again }],
    });
  });

  it.each([
    ['stop_sequence', 'stop'],
    ['model_context_window_exceeded', 'length'],
    ['pause_turn', 'stop'],
  ])('%s becomes %s', (anthropic, chat) => {
    const { body } = completionFromMessage({ ...MESSAGE, stop_reason: anthropic });
    expect(body).toMatchObject({ choices: [{ finish_reason: chat }] });
  });

  it('keeps a refusal and its words', () => {
    expect(finished('stop', { content: null, refusal: 'I will not.' })).toMatchObject({
      stop_reason: 'refusal',
      content: [{ type: 'text', text: 'I will not.' }],
    });
    const refused = { ...MESSAGE, content: [], stop_reason: 'refusal' };
    const explained = { ...refused, stop_details: { type: 'refusal', explanation: 'unsafe' } };
    expect(completionFromMessage(explained).body).toMatchObject({
      choices: [{ message: { content: null, refusal: 'unsafe' }, finish_reason: 'content_filter' }],
    });
  });

  it('keeps what it does not know: usage stays absent, strange content is reported', () => {
    const content = [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }];
    const { body, dropped } = completionFromMessage({ ...MESSAGE, content, usage: undefined });
    expect(body).not.toHaveProperty('usage');
    expect(dropped).toEqual(['reply content of type server_tool_use']);
  });

  it('hands a malformed call on as text that the tool can complain about', () => {
    const call = { id: '', function: { name: 'exec', arguments: '{"c": "l' } };
    expect(finished('tool_calls', { tool_calls: [call] }).content).toEqual([
      { type: 'tool_use', id: 'msg_1_0', name: 'exec', input: { raw: '{"c": "l' } },
    ]);
  });
});

describe('the events of a streamed reply', () => {
  it('are those of the documentation, in its order', () => {
    const events = messageEvents(messageFromCompletion(COMPLETION, 'msg_1'));
    expect(events.map(({ type, index }) => [type, index])).toEqual([
      ['message_start', undefined],
      ['ping', undefined],
      ['content_block_start', 0],
      ['content_block_delta', 0],
      ['content_block_delta', 0],
      ['content_block_stop', 0],
      ['content_block_start', 1],
      ['content_block_delta', 1],
      ['content_block_stop', 1],
      ['content_block_start', 2],
      ['content_block_delta', 2],
      ['content_block_stop', 2],
      ['message_delta', undefined],
      ['message_stop', undefined],
    ]);
    expect(events[9]).toEqual({
      type: 'content_block_start',
      index: 2,
      content_block: { type: 'tool_use', id: 'call_1', name: 'exec', input: {} },
    });
    expect(events[10]).toEqual({
      type: 'content_block_delta',
      index: 2,
      delta: { type: 'input_json_delta', partial_json: '{"c":"ls"}' },
    });
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 20, cache_read_input_tokens: 60 },
    });
  });

  it('are whole lines whatever the model wrote', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (content) => {
        const message = finished('stop', { content });
        const blocks = messageToEventStream(message).trimEnd().split('\n\n');
        for (const block of blocks) {
          const [event, data] = block.split('\n');
          const { type } = JSON.parse(data!.slice('data: '.length)) as { type: string };
          expect(event).toBe(`event: ${type}`);
        }
      }),
    );
  });
});

describe('Anthropic’s errors', () => {
  it.each([
    [400, 'invalid_request_error'],
    [402, 'billing_error'],
    [404, 'not_found_error'],
    [413, 'request_too_large'],
    [418, 'invalid_request_error'],
    [502, 'api_error'],
  ])('%d is %s', (status, type) => {
    expect(anthropicError(status, 'why')).toEqual({
      type: 'error',
      error: { type, message: 'why' },
    });
  });

  it('inside a stream have the status of their type', () => {
    expect(statusOfErrorType('overloaded_error')).toBe(529);
    expect(statusOfErrorType('of_tomorrow')).toBeUndefined();
  });
});
