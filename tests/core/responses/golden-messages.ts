import {
  BEIJING,
  BEIJING_ITEM,
  GUIDES,
  OSLO,
  OSLO_ITEM,
  OWN,
  PNG,
  USER,
  type GoldenRequest,
} from './golden-pair';

export const GOLDEN_MESSAGES: readonly GoldenRequest[] = [
  {
    title: 'messages become items, the roles stay',
    source: `${GUIDES}/migrate-to-responses.md`,
    chat: {
      model: 'gpt-x',
      max_completion_tokens: 1024,
      messages: [
        { role: 'system', content: 'You are a helper.' },
        { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'user', content: 'Hello!' },
      ],
    },
    responses: {
      ...OWN,
      model: 'gpt-x',
      max_output_tokens: 1024,
      input: [
        { role: 'system', content: 'You are a helper.' },
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'Hello!' },
      ],
    },
  },
  {
    title: 'parallel calls and their results are items of their own',
    source: `${GUIDES}/function-calling.md`,
    chat: {
      model: 'gpt-x',
      messages: [
        USER,
        { role: 'assistant', content: 'I look.', tool_calls: [OSLO, BEIJING] },
        { role: 'tool', tool_call_id: 'call_o', content: '4' },
        { role: 'tool', tool_call_id: 'call_b', content: [{ type: 'text', text: '-3' }] },
      ],
    },
    responses: {
      ...OWN,
      model: 'gpt-x',
      input: [
        USER,
        { role: 'assistant', content: 'I look.' },
        OSLO_ITEM,
        BEIJING_ITEM,
        { type: 'function_call_output', call_id: 'call_o', output: '4' },
        { type: 'function_call_output', call_id: 'call_b', output: '-3' },
      ],
    },
  },
  {
    title: 'images of users and of tool results are image parts',
    source: `${GUIDES}/images-vision.md`,
    chat: {
      model: 'gpt-x',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: PNG, detail: 'high' } },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [OSLO] },
        {
          role: 'tool',
          tool_call_id: 'call_o',
          content: [
            { type: 'text', text: 'A map:' },
            { type: 'image_url', image_url: { url: PNG } },
          ],
        },
      ],
    },
    responses: {
      ...OWN,
      model: 'gpt-x',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is this?' },
            { type: 'input_image', image_url: PNG, detail: 'high' },
          ],
        },
        OSLO_ITEM,
        {
          type: 'function_call_output',
          call_id: 'call_o',
          output: [
            { type: 'input_text', text: 'A map:' },
            { type: 'input_image', image_url: PNG, detail: 'auto' },
          ],
        },
      ],
    },
  },
  {
    title: 'reasoning goes back where it stood, between the calls it led to',
    source: `${GUIDES}/reasoning.md`,
    chat: {
      model: 'gpt-x',
      reasoning_effort: 'high',
      messages: [
        USER,
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'Two cities.\n\nThen the other.',
          reasoning_details: [
            {
              type: 'reasoning.summary',
              summary: 'Two cities.',
              format: 'openai-responses-v1',
              index: 0,
              id: 'rs_1',
            },
            {
              type: 'reasoning.encrypted',
              data: 'gAAA1',
              format: 'openai-responses-v1',
              index: 0,
              id: 'rs_1',
            },
            {
              type: 'reasoning.encrypted',
              data: 'gAAA2',
              format: 'openai-responses-v1',
              index: 2,
              id: 'rs_2',
            },
          ],
          tool_calls: [OSLO, BEIJING],
        },
      ],
    },
    responses: {
      ...OWN,
      model: 'gpt-x',
      reasoning: { effort: 'high' },
      input: [
        USER,
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'Two cities.' }],
          encrypted_content: 'gAAA1',
        },
        OSLO_ITEM,
        { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAA2' },
        BEIJING_ITEM,
      ],
    },
  },
  {
    title: 'phases go back with the texts they were said with',
    source: `${GUIDES}/latest-model.md`,
    chat: {
      model: 'gpt-x',
      messages: [
        USER,
        {
          role: 'assistant',
          content: 'I look.It is 4.',
          reasoning_details: [
            {
              type: 'response.text',
              format: 'openai-responses-v1',
              index: 0,
              characters: 7,
              phase: 'commentary',
            },
            {
              type: 'response.text',
              format: 'openai-responses-v1',
              index: 2,
              characters: 8,
              phase: 'final_answer',
            },
          ],
          tool_calls: [OSLO],
        },
      ],
    },
    responses: {
      ...OWN,
      model: 'gpt-x',
      input: [
        USER,
        { role: 'assistant', content: 'I look.', phase: 'commentary' },
        OSLO_ITEM,
        { role: 'assistant', content: 'It is 4.', phase: 'final_answer' },
      ],
    },
  },
];
