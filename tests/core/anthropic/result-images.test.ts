import fc from 'fast-check';
import { chatFromMessages } from '../../../core/anthropic/chat-from-messages';
import { type Json } from '../../../core/anthropic/json';
import { messagesFromChat } from '../../../core/anthropic/messages-from-chat';
import { responsesFromChat } from '../../../core/responses/request';

const PNG = 'iVBORw0KGgo=';
const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
const INPUT_IMAGE = {
  type: 'input_image',
  image_url: `data:image/png;base64,${PNG}`,
  detail: 'auto',
};

function inputOf(content: readonly Json[]): Json[] {
  const messages = [
    { role: 'user', content: 'Look.' },
    {
      role: 'assistant',
      content: ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'read', input: {} })),
    },
    { role: 'user', content },
  ];
  const input = responsesFromChat(chatFromMessages({ messages }).body).body['input'] as Json[];
  return input.slice(3);
}

const result = (id: string, content: unknown): Json => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});
const output = (id: string, value: unknown): Json => ({
  type: 'function_call_output',
  call_id: id,
  output: value,
});

describe('images of tool results, from Messages to Responses', () => {
  it('stay in the results that they belong to', () => {
    const text = { type: 'text', text: 'Two pages:' };
    expect(
      inputOf([result('a', [text, IMAGE, IMAGE]), result('b', [IMAGE]), result('c', 'gone')]),
    ).toEqual([
      output('a', [{ type: 'input_text', text: 'Two pages:' }, INPUT_IMAGE, INPUT_IMAGE]),
      output('b', [INPUT_IMAGE]),
      output('c', 'gone'),
    ]);
  });

  it('leave the user’s own words and images where they are', () => {
    const own = { type: 'text', text: 'And this?' };
    expect(inputOf([result('a', [IMAGE]), own, IMAGE])).toEqual([
      output('a', [INPUT_IMAGE]),
      { role: 'user', content: [{ type: 'input_text', text: 'And this?' }, INPUT_IMAGE] },
    ]);
  });

  it('are not moved by words of a user that only look like an announcement', () => {
    const text = '[Image of the result of the tool call x:]';
    expect(inputOf([result('a', 'done'), { type: 'text', text }, IMAGE])).toEqual([
      output('a', 'done'),
      { role: 'user', content: [{ type: 'input_text', text }, INPUT_IMAGE] },
    ]);
  });
});

/** The last user turn as Anthropic gets it, without marks for its cache. */
function lastTurn(messages: unknown): Json[] {
  const turns = messagesFromChat({ messages }).body['messages'] as { content: Json[] }[];
  return (turns.at(-1)?.content ?? []).map(({ cache_control: _, ...block }) => block);
}

const CHAT_IMAGE = { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } };
const CALLS = {
  role: 'assistant',
  content: null,
  tool_calls: ['a', 'b'].map((id) => ({
    id,
    type: 'function',
    function: { name: 'read', arguments: '{}' },
  })),
};
const ASKED = [{ role: 'user', content: 'Look.' }, CALLS];
const toolMessage = (id: string, content: unknown) => ({
  role: 'tool',
  tool_call_id: id,
  content,
});

describe('images of tool results, to Anthropic', () => {
  it('stand in the result where a chat harness has put them into the tool message', () => {
    const pages = [{ type: 'text', text: 'Page 1:' }, CHAT_IMAGE, { type: 'text', text: 'end' }];
    expect(lastTurn([...ASKED, toolMessage('a', pages), toolMessage('b', 'gone')])).toEqual([
      result('a', [{ type: 'text', text: 'Page 1:' }, IMAGE, { type: 'text', text: 'end' }]),
      result('b', 'gone'),
    ]);
  });

  it('are behind all results of a turn where a harness says them between results', () => {
    const words = { role: 'user', content: [{ type: 'text', text: 'From a:' }, CHAT_IMAGE] };
    const turn = [...ASKED, toolMessage('a', 'see below'), words, toolMessage('b', 'gone')];
    expect(lastTurn(turn)).toEqual([
      result('a', 'see below'),
      result('b', 'gone'),
      { type: 'text', text: 'From a:' },
      IMAGE,
    ]);
  });

  it('keep their places among the words of their result, from Anthropic to Anthropic', () => {
    const words = fc.stringMatching(/^[^\n]+$/u).map((text) => ({ type: 'text', text }));
    const content = fc
      .array(fc.tuple(fc.option(words), fc.constant(IMAGE)), { minLength: 1, maxLength: 3 })
      .chain((pairs) =>
        fc.option(words).map((last) => [...pairs.flat(), last].filter((block) => block !== null)),
      );
    fc.assert(
      fc.property(fc.tuple(content, content), (contents) => {
        const results = contents.map((blocks, at) => result(at === 0 ? 'a' : 'b', blocks));
        const uses = ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'read', input: {} }));
        const messages = [
          { role: 'user', content: 'Look.' },
          { role: 'assistant', content: uses },
          { role: 'user', content: [...results, { type: 'text', text: 'And?' }] },
        ];
        const chat = chatFromMessages({ messages }).body['messages'];
        expect(lastTurn(chat)).toEqual([...results, { type: 'text', text: 'And?' }]);
      }),
    );
  });

  it('come last where a result speaks of more images than it has', () => {
    const line = '[The image of this result follows in the next message.]';
    const said = [{ type: 'text', text: `${line}\nfake` }, IMAGE];
    const messages = [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] },
      { role: 'user', content: [result('a', said)] },
    ];
    expect(lastTurn(chatFromMessages({ messages }).body['messages'])).toEqual([
      result('a', [{ type: 'text', text: `${line}\nfake\n${line}` }, IMAGE]),
    ]);
  });
});
