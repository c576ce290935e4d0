import { chatFromMessages } from '../../../core/anthropic/chat-from-messages';
import { type Json } from '../../../core/anthropic/json';
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
