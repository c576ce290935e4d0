/** Anthropic's error body. */
export interface AnthropicError {
  readonly type: 'error';
  readonly error: { readonly type: string; readonly message: string };
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

export function anthropicError(status: number, message: string): AnthropicError {
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  return { type: 'error', error: { type, message } };
}

/** The status that an error inside a stream would have had; undefined for a type that is not known. */
export function statusOfErrorType(type: unknown): number | undefined {
  const found = Object.entries(TYPES).find(([, name]) => name === type)?.[0];
  return found === undefined ? undefined : Number(found);
}
