import { requestBody } from '../../../activities/models/request-body';

const MODEL = {
  id: 'mine',
  provider: 'anthropic',
  name: 'the-model',
  parameters: { reasoning_effort: 'high', messages: 'never', stream: true },
  account: 'a',
} as const;
const BODY = {
  messages: [],
  model: 'alias',
  stream: true,
  max_tokens: 5,
  temperature: 0.1,
  top_p: null,
  tool_choice: 'required',
};

describe('a request as a model’s API wants it', () => {
  it('bears the lane’s name and parameters, but never its conversation', () => {
    expect(requestBody(MODEL, BODY, {})).toEqual({
      body: {
        model: 'the-model',
        messages: [],
        max_tokens: 5,
        temperature: 0.1,
        top_p: null,
        tool_choice: 'required',
        reasoning_effort: 'high',
      },
      dropped: [],
    });
  });

  it('names what the model refuses and would have got', () => {
    const quirks = {
      outputLimitField: 'max_completion_tokens',
      refusedFields: ['temperature', 'top_p', 'presence_penalty'],
      forcedTools: false,
    } as const;
    expect(requestBody(MODEL, BODY, quirks)).toEqual({
      body: {
        model: 'the-model',
        messages: [],
        max_completion_tokens: 5,
        tool_choice: 'auto',
        reasoning_effort: 'high',
      },
      dropped: ['temperature', 'tool_choice'],
    });
  });

  it.each(['auto', 'none', undefined])('leaves the free choice %s', (choice) => {
    const { body, dropped } = requestBody(
      MODEL,
      { ...BODY, tool_choice: choice },
      { forcedTools: false },
    );
    expect(body['tool_choice']).toBe(choice);
    expect(dropped).toEqual([]);
  });
});
