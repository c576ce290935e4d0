import { filterRequest } from '../../../activities/gateway/request-filter';
import { mainRequest, START, TOOL } from './support/harness-requests';

describe('rebuilding a request from allowed fields', () => {
  it('passes what nanobot sends, without its model and stream fields', () => {
    const given = mainRequest(START, {
      temperature: 0.1,
      stream: true,
      stream_options: { include_usage: true },
    });
    const filtered = filterRequest(given, 32_768);
    expect(filtered).toEqual({
      body: {
        messages: START,
        tools: [TOOL],
        tool_choice: 'auto',
        max_tokens: 1_000,
        temperature: 0.1,
      },
      stream: true,
      includeUsage: true,
      main: true,
      dropped: [],
    });
  });

  it('drops and reports everything else', () => {
    const filtered = filterRequest(
      mainRequest([{ ...START[1], cache_control: {} }], {
        store: true,
        metadata: {},
        web_search_options: {},
        n: 5,
        user: 'me',
        tools: [TOOL, { type: 'web_search' }, { type: 'mcp', server_url: 'https://evil.invalid' }],
        tool_choice: { type: 'allowed_tools' },
      }),
      32_768,
    );
    expect(filtered.body['tools']).toEqual([TOOL]);
    expect(filtered.body).not.toHaveProperty('n');
    expect(filtered.body).not.toHaveProperty('tool_choice');
    expect([...filtered.dropped].sort()).toEqual([
      'messages[].cache_control',
      'metadata',
      'n',
      'store',
      'tool_choice',
      'tools[] of type mcp',
      'tools[] of type web_search',
      'user',
      'web_search_options',
    ]);
  });

  it('keeps inline images and removes what a provider would have to fetch', () => {
    const inline = {
      type: 'image_url',
      image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' },
    };
    const content = [
      { type: 'text', text: 'look' },
      inline,
      { type: 'image_url', image_url: { url: 'https://inside.invalid/secret.png' } },
      { type: 'image_url', image_url: { url: 'data:text/html;base64,AAAA' } },
      { type: 'file', file: { file_id: 'file-1' } },
      { type: 'input_audio', input_audio: {} },
    ];
    const filtered = filterRequest({ messages: [{ role: 'user', content }] }, 100);
    const [message] = filtered.body['messages'] as { content: { type: string }[] }[];
    expect(message?.content.map(({ type }) => type)).toEqual([
      'text',
      'image_url',
      'text',
      'text',
      'text',
      'text',
    ]);
    expect(JSON.stringify(filtered.body)).not.toContain('inside.invalid');
    expect(filtered.dropped).toHaveLength(3);
  });

  it('keeps what a model wants back with its own tool calls', () => {
    const call = {
      id: 'c',
      type: 'function',
      function: { name: 'exec', arguments: '{}' },
      extra_content: { google: { thought_signature: 's' } },
      index: 0,
    };
    const messages = [
      { role: 'assistant', content: null, reasoning_content: 'why', tool_calls: [call] },
    ];
    const { index: _index, ...kept } = call;
    const filtered = filterRequest({ messages }, 100);
    expect(filtered.body['messages']).toEqual([{ ...messages[0], tool_calls: [kept] }]);
  });

  it.each([
    ['no tools', { tools: undefined }, false],
    ['an empty list of tools', { tools: [] }, false],
    ['only tools that are dropped', { tools: [{ type: 'web_search' }] }, false],
    ['tools that may not be called', { tool_choice: 'none' }, false],
    ['tools', {}, true],
    ['a tool that must be called', { tool_choice: 'required' }, true],
  ])('takes a request with %s for what it is', (_title, change, main) => {
    expect(filterRequest(mainRequest(START, change), 100).main).toBe(main);
  });

  it.each([
    ['asks for less', { max_tokens: 10 }, { max_tokens: 10 }],
    ['asks for more', { max_tokens: 99_999 }, { max_tokens: 100 }],
    [
      'asks under the other name',
      { max_tokens: undefined, max_completion_tokens: 500 },
      { max_completion_tokens: 100 },
    ],
    ['asks for nothing', { max_tokens: undefined }, { max_tokens: 100 }],
    ['asks for nonsense', { max_tokens: -1 }, { max_tokens: 100 }],
  ])('bounds the output when a harness %s', (_title, change, expected) => {
    expect(filterRequest(mainRequest(START, change), 100).body).toMatchObject(expected);
  });

  it.each([
    [null, 'the body is not a JSON object'],
    [{}, 'messages must be a list with at least one message'],
    [{ messages: [{ role: 'root' }] }, 'messages[0].role must be one of'],
    [{ messages: START, tools: 'all' }, 'tools must be a list'],
    [
      {
        messages: [
          { role: 'user', content: { type: 'image_url', image_url: { url: 'http://10.0.0.1/' } } },
        ],
      },
      'messages[0].content must be a text or a list of parts',
    ],
    [
      { messages: [{ role: 'assistant', tool_calls: { id: 'a' } }] },
      'messages[0].tool_calls must be a list',
    ],
  ])('refuses %j', (given, message) => {
    expect(() => filterRequest(given, 100)).toThrow(message);
  });
});
