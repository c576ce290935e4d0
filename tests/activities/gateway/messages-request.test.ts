import {
  estimateTokens,
  filterMessagesRequest,
} from '../../../activities/gateway/messages-request';

const TOOLS = [{ name: 'Bash', description: 'Runs', input_schema: { type: 'object' } }];
const request = (change: object = {}) => ({
  model: 'alias',
  max_tokens: 32_000,
  messages: [{ role: 'user', content: 'Do the task.' }],
  tools: TOOLS,
  stream: true,
  ...change,
});
const filtered = (change: object = {}) => filterMessagesRequest(request(change), 1_000);

describe('a request of the Messages API', () => {
  it('goes on as a bounded chat request, with what was left out', () => {
    const { body, dropped, ...rest } = filtered({ metadata: { user_id: 'u' }, top_k: 5 });
    expect(body).toEqual({
      messages: [{ role: 'user', content: 'Do the task.' }],
      max_tokens: 1_000,
      tools: [
        {
          type: 'function',
          function: { name: 'Bash', description: 'Runs', parameters: { type: 'object' } },
        },
      ],
    });
    expect(rest).toEqual({ stream: true, includeUsage: true, main: true, protocol: 'messages' });
    expect([...dropped].sort()).toEqual(['metadata', 'top_k']);
  });

  it('reaches nothing outside: no address, no tool of the provider’s, no file', () => {
    const probe = 'http://probe.invalid/x';
    const { body, dropped } = filtered({
      mcp_servers: [{ type: 'url', url: probe, name: 'm' }],
      container: 'c',
      tools: [
        ...TOOLS,
        { type: 'web_fetch_20250910', name: 'web_fetch', allowed_domains: [probe] },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'url', url: probe } },
            { type: 'image', source: { type: 'file', file_id: probe } },
            { type: 'image', source: { type: 'base64', media_type: `x;${probe}`, data: '' } },
            { type: 'document', source: { type: 'url', url: probe } },
            { type: 'container_upload', file_id: probe },
            {
              type: 'tool_result',
              tool_use_id: 't',
              content: [
                { type: 'image', source: { type: 'url', url: probe } },
                { type: 'search_result', source: probe, title: '', content: [] },
              ],
            },
          ],
        },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('probe.invalid');
    expect([...dropped].sort()).toEqual([
      'container',
      'mcp_servers',
      'messages[].content[] of type container_upload',
      'messages[].content[] of type document',
      'messages[].content[] of type image',
      'messages[].content[] of type search_result',
      'tools[] of type web_fetch_20250910',
    ]);
  });

  it('counts as a step only when the model may call tools', () => {
    expect(filtered().main).toBe(true);
    expect(filtered({ tools: [] }).main).toBe(false);
    expect(filtered({ tool_choice: { type: 'none' } }).main).toBe(false);
  });

  it.each([
    'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\n- Tool calls will be REJECTED',
    'Your task is to create a detailed summary of the conversation so far, paying close attention',
  ])('is no step when it asks for a summary, whose reply then can call no tool', (text) => {
    const messages = [
      { role: 'user', content: 'Do the task.' },
      { role: 'assistant', content: 'Done half.' },
      { role: 'user', content: [{ type: 'text', text }] },
    ];
    const summary = filtered({ messages });
    expect(summary.main).toBe(false);
    expect(summary.body['tool_choice']).toBe('none');
    expect(summary.dropped).toEqual(['tools of a request for a summary']);
    // The same words from a tool, or earlier, are no request of the harness.
    const result = [{ type: 'tool_result', tool_use_id: 't', content: text }];
    expect(filtered({ messages: [{ role: 'user', content: result }] }).main).toBe(true);
    expect(filtered({ messages: [...messages, ...messages.slice(0, 1)] }).main).toBe(true);
  });

  it.each([
    [null, 'the body is not a JSON object'],
    [{}, 'messages must be a list'],
    [{ messages: [] }, 'messages must be a list'],
    [{ messages: [{ role: 'tool2' }] }, 'role must be one of'],
    [{ messages: ['x'] }, 'role must be one of'],
  ])('%j is refused', (given, message) => {
    expect(() => filterMessagesRequest(given, 1)).toThrow(message);
  });

  it('reports no more names than a journal should hold', () => {
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`x${n}`, 1]));
    expect(filtered(unknown).dropped).toHaveLength(50);
  });

  it('is estimated in tokens without the bytes of its images', () => {
    const text = estimateTokens(
      request({ messages: [{ role: 'user', content: 'x'.repeat(4_000) }] }),
    );
    expect(text).toBeGreaterThan(1_000);
    expect(text).toBeLessThan(1_100);
    const source = { type: 'base64', media_type: 'image/png', data: 'A'.repeat(1_000_000) };
    const content = [{ type: 'image', source }];
    const image = estimateTokens(request({ messages: [{ role: 'user', content }] }));
    expect(image).toBeGreaterThan(1_600);
    expect(image).toBeLessThan(1_800);
  });
});
