import { isObject, type Json } from '../../core/anthropic/json';
import { type TryOptions } from './account-client';
import { type GuardedRequest } from './guarded-fetch';
import { BrokenReply, HttpFault } from './try-fault';

/** A POST of JSON to a provider, with the limits of one try. */
export function jsonRequest(
  body: Json,
  stream: boolean,
  headers: Readonly<Record<string, string>>,
  options: TryOptions,
): RequestInit & GuardedRequest {
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: stream ? 'text/event-stream' : 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
    inactivityTimeoutMs: options.inactivityTimeoutMs,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

export function isEventStream(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').includes('text/event-stream');
}

/** The body as a JSON object. Throws `BrokenReply` for anything else, and for an error under status 200. */
export async function replyObject(response: Response): Promise<Json> {
  const text = await response.text();
  let reply: unknown;
  try {
    reply = JSON.parse(text);
  } catch {
    throw new BrokenReply('the provider answered 200 with something that is no JSON');
  }
  if (!isObject(reply))
    throw new BrokenReply('the provider answered 200 with something that is no reply');
  return reply;
}

/** An answer with a status that is no success, its error read. */
export async function httpFault(response: Response): Promise<HttpFault> {
  const text = await response.text();
  let error: unknown;
  try {
    const body: unknown = JSON.parse(text);
    error = isObject(body) ? body['error'] : undefined;
  } catch {
    // A page of some proxy on the way: its text is all there is.
  }
  return new HttpFault(
    response.status,
    response.headers,
    error,
    text.slice(0, 2_000) || `HTTP ${response.status}`,
  );
}
