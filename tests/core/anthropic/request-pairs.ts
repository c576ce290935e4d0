/**
 * Requests that say the same in both protocols, written by hand from the vendors' documentation:
 * https://platform.claude.com/docs/en/api/messages, .../build-with-claude/{vision,extended-thinking,prompt-caching},
 * .../agents-and-tools/tool-use/overview, and https://developers.openai.com/api/reference/resources/chat.
 */
export const PNG = 'iVBORw0KGgo=';

export const WEATHER_SCHEMA = {
  type: 'object',
  properties: { location: { type: 'string', description: 'City' } },
  required: ['location'],
};

export const MESSAGES_REQUEST = {
  model: 'alias',
  max_tokens: 1024,
  stream: true,
  system: [
    { type: 'text', text: 'You are a helper.', cache_control: { type: 'ephemeral' } },
    { type: 'text', text: 'Be brief.' },
  ],
  tools: [
    {
      name: 'get_weather',
      description: 'Weather of a city',
      input_schema: WEATHER_SCHEMA,
      cache_control: { type: 'ephemeral' },
    },
  ],
  tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  stop_sequences: ['END'],
  temperature: 0.5,
  metadata: { user_id: 'u' },
  thinking: { type: 'enabled', budget_tokens: 2000 },
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is in this image?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      ],
    },
    { role: 'system', content: 'The date is 2026-01-01.' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Two cities.', signature: 'EqQB' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { location: 'Paris' } },
        { type: 'tool_use', id: 'toolu_2', name: 'get_weather', input: { location: '北京' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: '15 degrees' },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_2',
          is_error: true,
          content: [
            { type: 'text', text: 'no data' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          ],
        },
        { type: 'text', text: 'Go on.' },
      ],
    },
  ],
};

const IMAGE_PART = { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } };

/** What `MESSAGES_REQUEST` is in Chat Completions. */
export const CHAT_REQUEST = {
  model: 'alias',
  max_tokens: 1024,
  stream: true,
  stream_options: { include_usage: true },
  temperature: 0.5,
  stop: ['END'],
  tools: [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'Weather of a city',
        parameters: WEATHER_SCHEMA,
      },
    },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: false,
  messages: [
    { role: 'system', content: 'You are a helper.\n\nBe brief.' },
    {
      role: 'user',
      content: [{ type: 'text', text: 'What is in this image?' }, IMAGE_PART],
    },
    {
      role: 'user',
      content: '<system-reminder>\nThe date is 2026-01-01.\n</system-reminder>',
    },
    {
      role: 'assistant',
      content: 'I look.',
      reasoning_content: 'Two cities.',
      reasoning_details: [
        {
          type: 'reasoning.text',
          text: 'Two cities.',
          signature: 'EqQB',
          format: 'anthropic-claude-v1',
          index: 0,
        },
      ],
      tool_calls: [
        {
          id: 'toolu_1',
          type: 'function',
          function: { name: 'get_weather', arguments: '{"location":"Paris"}' },
        },
        {
          id: 'toolu_2',
          type: 'function',
          function: { name: 'get_weather', arguments: '{"location":"北京"}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'toolu_1', content: '15 degrees' },
    {
      role: 'tool',
      tool_call_id: 'toolu_2',
      content: 'no data\n[The image of this result follows in the next message.]',
    },
    {
      role: 'user',
      content: [
        { type: 'text', text: '[Image of the result of the tool call toolu_2:]' },
        IMAGE_PART,
        { type: 'text', text: 'Go on.' },
      ],
    },
  ],
};

export const CHAT_REQUEST_DROPPED = [
  'metadata',
  'thinking',
  'tools[].cache_control',
  'system[].cache_control',
  'messages[].content[].is_error',
];

const CACHE = { cache_control: { type: 'ephemeral' } };

/** What `CHAT_REQUEST` is in Anthropic's Messages, with the marks for its prompt cache. */
export const MESSAGES_AGAIN = {
  model: 'alias',
  max_tokens: 1024,
  temperature: 0.5,
  stop_sequences: ['END'],
  system: [{ type: 'text', text: 'You are a helper.\n\nBe brief.', ...CACHE }],
  tools: [{ name: 'get_weather', description: 'Weather of a city', input_schema: WEATHER_SCHEMA }],
  tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is in this image?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
        {
          type: 'text',
          text: '<system-reminder>\nThe date is 2026-01-01.\n</system-reminder>',
          ...CACHE,
        },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Two cities.', signature: 'EqQB' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { location: 'Paris' } },
        { type: 'tool_use', id: 'toolu_2', name: 'get_weather', input: { location: '北京' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: '15 degrees' },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_2',
          content: [
            { type: 'text', text: 'no data' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          ],
        },
        { type: 'text', text: 'Go on.', ...CACHE },
      ],
    },
  ],
};
