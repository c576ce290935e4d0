import {
  classifyFault,
  isContentRefusal,
  type TryFault,
} from '../../../activities/models/provider-error';

function fault(given: Partial<TryFault>): TryFault {
  return { status: undefined, code: undefined, message: '', retryAfterMs: undefined, ...given };
}

describe('what a failed call means', () => {
  const failures: [string, Partial<TryFault>, string][] = [
    ['a wrong key', { status: 401, code: 'invalid_api_key' }, 'ProviderAuth'],
    [
      'a key without the right',
      { status: 403, message: 'not allowed in your region' },
      'ProviderAuth',
    ],
    ['an unknown model', { status: 404, code: 'model_not_found' }, 'ModelUnknown'],
    ['an unknown model as 400', { status: 400, message: 'Model Not Exist' }, 'ModelUnknown'],
    ['an unknown model by number', { status: 400, code: '1211' }, 'ModelUnknown'],
    ['no credit', { status: 429, code: 'insufficient_quota' }, 'ProviderQuota'],
    ['an empty balance', { status: 402, message: 'Insufficient Balance' }, 'ProviderQuota'],
    [
      'a daily limit',
      { status: 429, message: 'Rate limit: 200 requests per day reached' },
      'ProviderQuota',
    ],
    [
      'a daily quota id',
      { status: 429, message: 'Quota GenerateRequestsPerDayPerProject exceeded, limit per_day' },
      'ProviderQuota',
    ],
    [
      'tools over the wrong protocol',
      {
        status: 400,
        message:
          'Function tools with reasoning_effort are not supported for gpt-x in /v1/chat/completions. ' +
          "To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
      },
      'ConfigMissing',
    ],
    ['a bad request', { status: 400, message: 'messages[3].role is invalid' }, 'InvalidInput'],
    ['a context overflow', { status: 400, code: 'context_length_exceeded' }, 'InvalidInput'],
    ['a body too large', { status: 413 }, 'InvalidInput'],
    [
      'an image for a relayed model without eyes',
      { status: 404, message: 'No endpoints found that support image input' },
      'InvalidInput',
    ],
    [
      'an image for a model without eyes',
      { status: 400, message: 'Model x: image_url content and images are not supported' },
      'InvalidInput',
    ],
    ['a content filter', { status: 400, code: 'content_filter' }, 'InvalidInput'],
    ['a moderated input', { status: 403, message: 'your input was flagged' }, 'InvalidInput'],
    ['a redirect', { code: 'REDIRECT' }, 'ConfigMissing'],
    ['a private address', { code: 'PRIVATE_ADDRESS' }, 'ConfigMissing'],
  ];
  it.each(failures)('%s ends the call', (_title, given, type) => {
    expect(classifyFault(fault(given))).toEqual({ kind: 'fail', type });
  });

  const retried: [string, Partial<TryFault>, boolean][] = [
    ['a rate limit', { status: 429, message: 'Rate limit reached: 30 requests per minute' }, true],
    [
      'a quota per minute',
      { status: 429, message: 'You exceeded your current quota, limit 5 per minute' },
      true,
    ],
    ['an overload', { status: 529 }, true],
    ['an unavailable service', { status: 503 }, true],
    ['a server error', { status: 500 }, false],
    ['a time-out', { status: 408 }, false],
    ['a reset', { code: 'ECONNRESET' }, false],
    ['a silence', { code: 'INACTIVE' }, false],
    ['a broken stream', { message: 'the stream broke off before its end' }, false],
  ];
  it.each(retried)('%s is tried again', (_title, given, overloaded) => {
    expect(classifyFault(fault(given))).toEqual({ kind: 'retry', overloaded });
  });

  it('does not take a quoted model name in a long message for an unknown model', () => {
    const message = `Invalid value in messages[2].content: "the model does not exist"`;
    expect(classifyFault(fault({ status: 400, message }))).toEqual({
      kind: 'fail',
      type: 'InvalidInput',
    });
  });

  it('tells a refusal of content from other bad requests', () => {
    expect(isContentRefusal({ status: 400, code: 'content_filter', message: '' })).toBe(true);
    expect(isContentRefusal({ status: 400, code: 'context_length_exceeded', message: '' })).toBe(
      false,
    );
    expect(isContentRefusal({ status: 500, code: undefined, message: 'flagged' })).toBe(false);
  });
});
