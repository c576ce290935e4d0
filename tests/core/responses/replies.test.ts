import { completionFromResponse } from '../../../core/responses/reply';
import { statusOfResponseError } from '../../../core/responses/error';

/** The reply of https://developers.openai.com/api/docs/guides/function-calling.md, with reasoning and usage. */
const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_741_476_777.5,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'gpt-x-2026-01-01',
  service_tier: 'default',
  output: [
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Two cities.' }],
      encrypted_content: 'gAAA',
    },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'I look.', annotations: [], logprobs: [] }],
    },
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'warmth',
      arguments: '{"city":"Oslo"}',
      status: 'completed',
    },
    {
      type: 'function_call',
      id: 'fc_2',
      call_id: 'call_2',
      name: 'warmth',
      arguments: '{"city":"北京"}',
      status: 'completed',
    },
  ],
  usage: {
    input_tokens: 1_000,
    input_tokens_details: { cached_tokens: 600, cache_write_tokens: 300 },
    output_tokens: 80,
    output_tokens_details: { reasoning_tokens: 64 },
    total_tokens: 1_080,
  },
};

function replyOf(response: object): { message: Record<string, unknown>; finish: unknown } {
  const { body } = completionFromResponse({ ...RESPONSE, ...response });
  const [choice] = body['choices'] as [
    { message: Record<string, unknown>; finish_reason: unknown },
  ];
  return { message: choice.message, finish: choice.finish_reason };
}

const says = (...content: object[]): object => ({ output: [{ type: 'message', content }] });

describe('a reply of the Responses API as a completion', () => {
  it('says the same', () => {
    const head = { format: 'openai-responses-v1', index: 0, id: 'rs_1' };
    expect(completionFromResponse(RESPONSE)).toEqual({
      dropped: [],
      body: {
        id: 'resp_1',
        object: 'chat.completion',
        created: 1_741_476_777,
        model: 'gpt-x-2026-01-01',
        service_tier: 'default',
        choices: [
          {
            index: 0,
            finish_reason: 'tool_calls',
            message: {
              role: 'assistant',
              content: 'I look.',
              reasoning_content: 'Two cities.',
              reasoning_details: [
                { type: 'reasoning.summary', summary: 'Two cities.', ...head },
                { type: 'reasoning.encrypted', data: 'gAAA', ...head },
              ],
              tool_calls: [
                {
                  id: 'call_1',
                  type: 'function',
                  function: { name: 'warmth', arguments: '{"city":"Oslo"}' },
                },
                {
                  id: 'call_2',
                  type: 'function',
                  function: { name: 'warmth', arguments: '{"city":"北京"}' },
                },
              ],
            },
          },
        ],
        usage: {
          prompt_tokens: 1_000,
          completion_tokens: 80,
          total_tokens: 1_080,
          prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 300 },
          completion_tokens_details: { reasoning_tokens: 64 },
        },
      },
    });
  });

  it('ends as a plain text does', () => {
    expect(replyOf(says({ type: 'output_text', text: 'Done.' })).finish).toBe('stop');
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
  ])('ends with %s as %s, whatever it has called', (reason, finish) => {
    expect(replyOf({ status: 'incomplete', incomplete_details: { reason } }).finish).toBe(finish);
  });

  it('takes an end for a reason that is not known as cut off, and names the reason', () => {
    const { body, dropped } = completionFromResponse({
      ...RESPONSE,
      status: 'incomplete',
      incomplete_details: { reason: 'tired' },
    });
    expect(body['choices']).toMatchObject([{ finish_reason: 'length' }]);
    expect(dropped).toEqual(['incomplete_details.reason tired']);
  });

  it('keeps a refusal as a refusal', () => {
    const { message, finish } = replyOf(says({ type: 'refusal', refusal: 'I cannot.' }));
    expect(message).toMatchObject({ content: null, refusal: 'I cannot.' });
    expect(finish).toBe('stop');
  });

  it('names what a completion has no words for', () => {
    const { dropped } = completionFromResponse({
      ...RESPONSE,
      output: [
        { type: 'web_search_call', id: 'ws_1', status: 'completed' },
        {
          type: 'message',
          content: [
            {
              type: 'output_text',
              text: 'a',
              annotations: [{ type: 'url_citation', url: 'https://a.invalid' }],
            },
            { type: 'output_audio' },
          ],
        },
        { type: 'function_call', call_id: 'c', name: 't', arguments: '{}', namespace: 'n' },
        {
          type: 'function_call',
          call_id: 'd',
          name: 't',
          arguments: '{}',
          caller: { type: 'direct' },
        },
        {
          type: 'function_call',
          call_id: 'e',
          name: 't',
          arguments: '{}',
          caller: { type: 'program' },
        },
      ],
    });
    expect(dropped).toEqual([
      'reply item of type web_search_call',
      'reply output_text.annotations',
      'reply content of type output_audio',
      'reply function_call.namespace',
      'reply function_call.caller',
    ]);
  });

  it('has no usage where the provider counts nothing: unknown is not zero', () => {
    expect(completionFromResponse({ ...RESPONSE, usage: null }).body).not.toHaveProperty('usage');
  });

  it('reads open models’ reasoning, which is a text', () => {
    const { message } = replyOf({
      output: [
        { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm.' }], summary: [] },
        { type: 'message', content: [{ type: 'output_text', text: 'Yes.' }] },
      ],
    });
    expect(message).toMatchObject({ content: 'Yes.', reasoning_content: 'Hm.' });
  });
});

it('knows what errors inside a reply would have been', () => {
  expect(statusOfResponseError('rate_limit_exceeded')).toBe(429);
  expect(statusOfResponseError('of_tomorrow')).toBeUndefined();
});
