import fc from 'fast-check';
import { type Json } from '../../../core/anthropic/json';
import { completionFromResponse } from '../../../core/responses/reply';
import { responsesFromChat } from '../../../core/responses/request';
import { GOLDEN_MESSAGES } from './golden-messages';
import { GOLDEN_OPTIONS } from './golden-options';

const CALL = { id: 'c', type: 'function', function: { name: 't', arguments: '{}' } };

describe('a chat request as one of the Responses API', () => {
  it.each([...GOLDEN_MESSAGES, ...GOLDEN_OPTIONS].map((pair) => [pair.title, pair] as const))(
    '%s',
    (_title, pair) => {
      const { body, dropped } = responsesFromChat(pair.chat);
      expect(body).toEqual(pair.responses);
      expect([...dropped].sort()).toEqual(pair.dropped ?? []);
    },
  );

  it('never asks the provider to store, whatever a lane says', () => {
    expect(responsesFromChat({ messages: [], store: true }).body['store']).toBe(false);
  });

  it('leaves out reasoning that nothing follows, which the provider refuses', () => {
    const details = [
      { type: 'reasoning.encrypted', data: 'x', format: 'openai-responses-v1', index: 0 },
    ];
    const { body, dropped } = responsesFromChat({
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: null, reasoning_details: details },
      ],
    });
    expect(body['input']).toEqual([{ role: 'user', content: 'hi' }]);
    expect(dropped).toEqual(['messages[].reasoning_details at the end of a reply']);
  });

  it('names reasoning that came without its encrypted content, and does not send it', () => {
    const details = [
      {
        type: 'reasoning.summary',
        summary: 'x',
        format: 'openai-responses-v1',
        index: 0,
        id: 'rs',
      },
    ];
    const { body, dropped } = responsesFromChat({
      messages: [
        { role: 'assistant', content: null, reasoning_details: details, tool_calls: [CALL] },
      ],
    });
    expect(body['input']).toEqual([
      { type: 'function_call', call_id: 'c', name: 't', arguments: '{}' },
    ]);
    expect(dropped).toEqual(['messages[].reasoning_details without encrypted content']);
  });

  it('keeps the phase when the harness has changed the text', () => {
    const details = [
      {
        type: 'response.text',
        format: 'openai-responses-v1',
        index: 0,
        characters: 99,
        phase: 'commentary',
      },
    ];
    const { body } = responsesFromChat({
      messages: [{ role: 'assistant', content: 'cut', reasoning_details: details }],
    });
    expect(body['input']).toEqual([{ role: 'assistant', content: 'cut', phase: 'commentary' }]);
  });

  it.each([
    ['a message that is a text', { messages: ['x'] }],
    ['messages that are no list', { messages: { role: 'user' } }],
    ['tools that are no list', { messages: [], tools: {} }],
    ['a call without a function', { messages: [{ role: 'assistant', tool_calls: [{}, 7] }] }],
    [
      'places of nonsense',
      {
        messages: [
          {
            role: 'assistant',
            content: 'a',
            reasoning_details: [
              { format: 'openai-responses-v1', index: 1e9, type: 'reasoning.encrypted', data: 'd' },
              {
                format: 'openai-responses-v1',
                index: -3.5,
                type: 'reasoning.encrypted',
                data: 'e',
              },
            ],
          },
        ],
      },
    ],
  ])('survives %s', (_title, chat) => {
    expect(responsesFromChat(chat).body['store']).toBe(false);
  });
});

describe('whatever comes', () => {
  const details = fc.record({
    format: fc.constant('openai-responses-v1'),
    type: fc.constantFrom('reasoning.encrypted', 'response.text', 'reasoning.text', 'x'),
    index: fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.constant(2 ** 53 + 2)),
    data: fc.string(),
    characters: fc.oneof(fc.integer(), fc.double()),
  });
  const message = fc.record({
    role: fc.constantFrom('user', 'assistant', 'tool', 'system'),
    content: fc.oneof(fc.string(), fc.jsonValue()),
    tool_calls: fc.oneof(fc.jsonValue(), fc.array(fc.constant(CALL), { maxLength: 3 })),
    reasoning_details: fc.oneof(fc.jsonValue(), fc.array(details, { maxLength: 4 })),
  });

  it('becomes a request that stores nothing', () => {
    fc.assert(
      fc.property(fc.array(message), fc.jsonValue(), (messages, more) => {
        const { body } = responsesFromChat({ messages, tools: more, response_format: more });
        expect(body['store']).toBe(false);
        expect(JSON.parse(JSON.stringify(body['input']))).toBeInstanceOf(Array);
      }),
    );
  });

  it('becomes a completion with one choice', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (output, usage) => {
        const { body } = completionFromResponse({ output: [output], usage, status: output });
        expect(body['choices']).toHaveLength(1);
      }),
    );
  });
});

describe('the items of a reply, kept in a chat message and sent back', () => {
  const reasoning = fc.record({
    type: fc.constant('reasoning'),
    id: fc.stringMatching(/^rs_[a-z0-9]{4}$/u),
    summary: fc.array(
      fc.record({ type: fc.constant('summary_text'), text: fc.string({ minLength: 1 }) }),
    ),
    encrypted_content: fc.string({ minLength: 1 }),
  });
  const text = fc.record({
    type: fc.constant('message'),
    role: fc.constant('assistant'),
    phase: fc.option(fc.constantFrom('commentary', 'final_answer'), { nil: undefined }),
    content: fc.tuple(
      fc.record({
        type: fc.constant('output_text'),
        text: fc.string({ unit: 'binary', minLength: 1 }),
        annotations: fc.constant([]),
      }),
    ),
  });
  const call = fc.record({
    type: fc.constant('function_call'),
    call_id: fc.stringMatching(/^call_[a-z0-9]{4}$/u),
    name: fc.stringMatching(/^[a-z]{1,5}$/u),
    arguments: fc.string({ minLength: 1 }),
  });
  const said = fc.oneof(call, text);
  // Each reasoning item stands before what it led to.
  const output = fc
    .array(fc.tuple(fc.option(reasoning, { nil: undefined }), said), { minLength: 1, maxLength: 6 })
    .map((pairs) => pairs.flat().filter((item) => item !== undefined));

  it('are the same items in the same order', () => {
    fc.assert(
      fc.property(output, (items) => {
        const completion = completionFromResponse({ status: 'completed', output: items }).body;
        const [{ message }] = completion['choices'] as [{ message: Json }];
        const { body, dropped } = responsesFromChat({ messages: [message] });
        expect(dropped).toEqual([]);
        expect(body['input']).toEqual(items.map(asInput));
      }),
    );
  });
});

function asInput(item: Json): Json {
  if (item['type'] !== 'message') return item;
  const [part] = item['content'] as [Json];
  return {
    role: 'assistant',
    content: part['text'],
    ...(item['phase'] === undefined ? {} : { phase: item['phase'] }),
  };
}
