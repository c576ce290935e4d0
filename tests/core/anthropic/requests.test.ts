import fc from 'fast-check';
import { chatFromMessages } from '../../../core/anthropic/chat-from-messages';
import { messagesFromChat } from '../../../core/anthropic/messages-from-chat';
import {
  CHAT_REQUEST,
  CHAT_REQUEST_DROPPED,
  MESSAGES_AGAIN,
  MESSAGES_REQUEST,
} from './request-pairs';

describe('an Anthropic request as a chat request', () => {
  it('says the same, and names what it cannot say', () => {
    const { body, dropped } = chatFromMessages(MESSAGES_REQUEST);
    expect(body).toEqual(CHAT_REQUEST);
    expect([...dropped].sort()).toEqual([...CHAT_REQUEST_DROPPED].sort());
  });

  it.each([
    [{ type: 'any' }, { tool_choice: 'required' }],
    [{ type: 'none' }, { tool_choice: 'none' }],
    [{ type: 'tool', name: 't' }, { tool_choice: { type: 'function', function: { name: 't' } } }],
  ])('translates the tool choice %j there and back', (choice, chat) => {
    const tools = [{ name: 't', input_schema: { type: 'object' } }];
    const { body } = chatFromMessages({ messages: [], tools, tool_choice: choice });
    expect(body).toMatchObject(chat);
    expect(messagesFromChat(body).body['tool_choice']).toEqual(choice);
  });

  it('translates a wanted schema there and back, and no other effort than the lane’s', () => {
    const schema = { type: 'object', properties: {} };
    const { body, dropped } = chatFromMessages({
      messages: [],
      output_config: { format: { type: 'json_schema', schema }, effort: 'high' },
    });
    expect(body['response_format']).toMatchObject({ json_schema: { schema, strict: true } });
    expect(dropped).toEqual(['output_config.effort']);
    expect(messagesFromChat(body).body['output_config']).toEqual({
      format: { type: 'json_schema', schema },
    });
  });

  it('leaves what providers must not see recognisable for the filter', () => {
    const { body } = chatFromMessages({
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'url', url: 'http://probe.invalid/x.png' } },
            { type: 'document', source: { type: 'url', url: 'http://probe.invalid/x.pdf' } },
            { type: 'container_upload', file_id: 'file_1' },
          ],
        },
      ],
    });
    expect(body['tools']).toEqual([{ type: 'web_search_20250305' }]);
    expect(body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'http://probe.invalid/x.png' } },
          { type: 'document' },
          { type: 'container_upload' },
        ],
      },
    ]);
  });
});

describe('a chat request as an Anthropic request', () => {
  it('says the same, with marks for the cache', () => {
    const { body, dropped } = messagesFromChat(CHAT_REQUEST);
    expect(body).toEqual(MESSAGES_AGAIN);
    expect([...dropped].sort()).toEqual(['stream', 'stream_options']);
  });

  it('names what it cannot say', () => {
    const { body, dropped } = messagesFromChat({
      model: 'm',
      seed: 7,
      logit_bias: {},
      response_format: { type: 'json_object' },
      temperature: 1.5,
      top_p: 0.9,
      mcp_servers: [{ url: 'http://probe.invalid' }],
      messages: [
        { role: 'assistant', content: 'hm', reasoning_content: 'unsigned' },
        { role: 'user', name: 'bob', content: [{ type: 'input_audio', input_audio: {} }] },
      ],
    });
    expect([...dropped].sort()).toEqual([
      'logit_bias',
      'mcp_servers',
      'messages[].content[] of type input_audio',
      'messages[].name',
      'messages[].reasoning_content without signature',
      'response_format',
      'seed',
      'temperature above 1',
      'top_p',
    ]);
    expect(JSON.stringify(body)).not.toContain('probe.invalid');
    expect(body).toMatchObject({ temperature: 1, max_tokens: 32_000 });
  });

  it('thinks as the lane says, without what Anthropic refuses beside it', () => {
    const tools = [{ type: 'function', function: { name: 't' } }];
    const { body, dropped } = messagesFromChat({
      messages: [{ role: 'user', content: 'x' }],
      tools,
      tool_choice: 'required',
      thinking: { type: 'adaptive' },
      reasoning_effort: 'high',
      temperature: 0.1,
    });
    expect(body).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
      tool_choice: { type: 'auto' },
      tools: [{ name: 't', input_schema: { type: 'object', properties: {} } }],
    });
    expect(body).not.toHaveProperty('temperature');
    expect([...dropped].sort()).toEqual(['temperature', 'tool_choice']);
  });

  it('defines the tools of its calls where the request offers none, and lets none be called', () => {
    const used = (name: string, id: string) => ({
      id,
      type: 'function',
      function: { name, arguments: '{}' },
    });
    const calls = [used('exec', 'a'), used('read', 'b'), used('exec', 'c')];
    const { body } = messagesFromChat({
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: null, tool_calls: calls },
        ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'done' })),
        { role: 'user', content: 'Summarise.' },
      ],
    });
    const input_schema = { type: 'object', properties: {} };
    expect(body['tools']).toEqual([
      { name: 'exec', input_schema },
      { name: 'read', input_schema },
    ]);
    expect(body['tool_choice']).toEqual({ type: 'none' });
    const plain = messagesFromChat({ messages: [{ role: 'user', content: 'x' }] }).body;
    expect(plain).not.toHaveProperty('tools');
    expect(plain).not.toHaveProperty('tool_choice');
  });

  it('keeps signed thinking where it stood among words and calls', () => {
    const content = [
      { type: 'thinking', thinking: 'one', signature: 's1' },
      { type: 'text', text: 'I look.' },
      { type: 'redacted_thinking', data: 'd2' },
      { type: 'tool_use', id: 'a', name: 'exec', input: {} },
    ];
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content },
    ];
    const chat = chatFromMessages({ messages }).body;
    expect(messagesFromChat(chat).body['messages']).toMatchObject([{ role: 'user' }, { content }]);
  });

  it('gives ids, arguments and turns the shape that Anthropic takes', () => {
    const { body } = messagesFromChat({
      messages: [
        { role: 'assistant', content: '' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'functions.exec:0', type: 'function', function: { name: 'x', arguments: '{"a' } },
          ],
        },
        { role: 'tool', tool_call_id: 'functions.exec:0', content: '' },
      ],
    });
    expect(body['messages']).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: '(continue)' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'functions_exec_0', name: 'x', input: { raw: '{"a' } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'functions_exec_0' }] },
    ]);
  });
});

const text = fc.string({ minLength: 1, unit: 'binary' });
const json = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/u), fc.oneof(text, fc.integer()), {
  noNullPrototype: true,
});
const image = fc.base64String({ minLength: 4 }).map((data) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${data}` },
}));
const part = fc.oneof(
  text.map((value) => ({ type: 'text', text: value })),
  image,
);
/** A user turn, then replies with tool calls and their results, then text, as agents write them. */
const step = fc
  .record({ say: fc.option(text), calls: fc.array(json, { minLength: 1, maxLength: 3 }) })
  .chain(({ say, calls }) =>
    fc.tuple(fc.constant({ say, calls }), fc.array(text, { minLength: 3, maxLength: 3 })),
  );
const conversationOf = fc.record({
  system: text,
  user: fc.array(part, { minLength: 2, maxLength: 4 }),
  steps: fc.array(step, { maxLength: 4 }),
});

describe('round trips', () => {
  it('keep every word of an agent’s conversation', () => {
    fc.assert(
      fc.property(conversationOf, ({ system, user, steps }) => {
        const chat = {
          model: 'm',
          max_tokens: 5,
          tools: [{ type: 'function', function: { name: 'exec', parameters: {} } }],
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: user },
            ...steps.flatMap(([{ say, calls }, results], number) => {
              const ids = calls.map((_, index) => `call_${number}_${index}`);
              return [
                {
                  role: 'assistant',
                  content: say,
                  tool_calls: calls.map((input, index) => ({
                    id: ids[index],
                    type: 'function',
                    function: { name: 'exec', arguments: JSON.stringify(input) },
                  })),
                },
                ...ids.map((id, index) => ({
                  role: 'tool',
                  tool_call_id: id,
                  content: results[index],
                })),
              ];
            }),
          ],
        };
        const there = messagesFromChat(chat);
        expect(there.dropped).toEqual([]);
        const back = chatFromMessages(there.body);
        expect(back.body).toEqual(chat);
        expect(back.dropped.filter((name) => !name.endsWith('cache_control'))).toEqual([]);
      }),
    );
  });

  it('never throw, whatever the request holds', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), fc.anything(), (rest, messages) => {
        for (const given of [messages, [messages], [{ role: 'user', content: messages }]]) {
          chatFromMessages({ ...rest, messages: given });
          messagesFromChat({ ...rest, messages: given });
        }
      }),
    );
  });
});
