import { redact } from '../../../activities/models/redact';
import { retryAfterMs } from '../../../activities/models/try-fault';
import { tokenUsage } from '../../../activities/models/usage';

describe('keys in texts', () => {
  it.each([
    ['bad key my-very-own-key!', 'bad key [redacted]!'],
    ['Incorrect API key provided: sk-proj-abc***9xyz.', 'Incorrect API key provided: [redacted].'],
    ['header Authorization: Bearer abcdef1234567', 'header Authorization: [redacted]'],
    ['nothing secret', 'nothing secret'],
  ])('%j becomes %j', (text, clean) => {
    expect(redact(text, 'my-very-own-key')).toBe(clean);
  });
  it('cuts long texts', () => {
    expect(redact('x'.repeat(5_000), undefined, 10)).toBe('xxxxxxxxxx...');
  });
});

describe('Retry-After', () => {
  it.each([
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:09 GMT' }, 8_000],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{}, undefined],
  ])('%j is a wait of %s ms', (headers, expected) => {
    expect(retryAfterMs(new Headers(headers as Record<string, string>), 1_000)).toBe(expected);
  });
});

describe('token counts', () => {
  it.each([
    [
      'OpenAI',
      { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
      [10, 4, 0, 2],
    ],
    [
      'DeepSeek',
      { prompt_tokens: 10, completion_tokens: 2, prompt_cache_hit_tokens: 7 },
      [10, 7, 0, 2],
    ],
    ['Moonshot', { prompt_tokens: 10, completion_tokens: 2, cached_tokens: 3 }, [10, 3, 0, 2]],
    [
      'a relay with cache writes',
      {
        prompt_tokens: 10,
        completion_tokens: 2,
        prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 5 },
      },
      [10, 4, 5, 2],
    ],
    [
      'a provider that counts more cached than sent',
      { prompt_tokens: 10, completion_tokens: 2, cached_tokens: 99 },
      [10, 10, 0, 2],
    ],
  ])('of %s', (_title, usage, [inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens]) => {
    expect(tokenUsage(usage)).toEqual({
      inputTokens,
      cachedInputTokens,
      cacheWriteTokens,
      outputTokens,
    });
  });
  it.each([
    undefined,
    null,
    {},
    { prompt_tokens: 5 },
    { prompt_tokens: -1, completion_tokens: 1 },
    { prompt_tokens: '5', completion_tokens: 1 },
  ])('are unknown in %j', (usage) => expect(tokenUsage(usage)).toBeUndefined());
});
