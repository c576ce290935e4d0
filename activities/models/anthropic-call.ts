import { type Account } from '../../core/account';
import { isObject, type Json } from '../../core/anthropic/json';
import { messagesFromChat } from '../../core/anthropic/messages-from-chat';
import { completionFromMessage } from '../../core/anthropic/reply';
import { type ProviderReply, type TryOptions } from './account-client';
import { eventValues } from './event-lines';
import { type GuardedRequest } from './guarded-fetch';
import { MessageJoiner } from './join-message';
import { BrokenReply, HttpFault } from './try-fault';

const API_VERSION = '2023-06-01';

/** One try of a Chat Completions request at an account that speaks Anthropic's Messages. */
export function createAnthropicCall(
  account: Account,
  fetchFunction: typeof fetch,
): (chat: Json, options: TryOptions) => Promise<ProviderReply> {
  const url = `${account.baseUrl.replace(/\/+$/u, '')}/messages`;
  const stream = account.streaming ?? true;
  return async (chat, options) => {
    const request = messagesFromChat(chat);
    const init: RequestInit & GuardedRequest = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: stream ? 'text/event-stream' : 'application/json',
        'anthropic-version': API_VERSION,
        ...(account.apiKey === undefined ? {} : { 'x-api-key': account.apiKey }),
      },
      body: JSON.stringify({ ...request.body, stream }),
      inactivityTimeoutMs: options.inactivityTimeoutMs,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    };
    const response = await fetchFunction(url, init);
    if (!response.ok) throw await httpFault(response);
    const message = isEventStream(response)
      ? await joined(response)
      : checkedMessage(await json(response));
    const reply = completionFromMessage(message);
    return { completion: reply.body, dropped: [...request.dropped, ...reply.dropped] };
  };
}

function isEventStream(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').includes('text/event-stream');
}

async function joined(response: Response): Promise<Json> {
  const joiner = new MessageJoiner();
  if (response.body !== null)
    for await (const event of eventValues(response.body)) joiner.add(event);
  return joiner.result();
}

async function json(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new BrokenReply('the provider answered 200 with something that is no JSON');
  }
}

function checkedMessage(reply: unknown): Json {
  if (isObject(reply) && isObject(reply['error']))
    throw new BrokenReply('the provider answered 200 with an error', reply['error']);
  if (!isObject(reply) || !Array.isArray(reply['content']) || reply['type'] !== 'message')
    throw new BrokenReply('the provider answered 200 with something that is no message');
  return reply;
}

async function httpFault(response: Response): Promise<HttpFault> {
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
