import { type Account } from '../../core/account';
import { isObject, type Json } from '../../core/anthropic/json';
import { messagesFromChat } from '../../core/anthropic/messages-from-chat';
import { completionFromMessage } from '../../core/anthropic/reply';
import { type ProviderReply, type TryOptions } from './account-client';
import { eventValues } from './event-lines';
import { httpFault, isEventStream, jsonRequest, replyObject } from './http-reply';
import { MessageJoiner } from './join-message';
import { BrokenReply } from './try-fault';

const API_VERSION = '2023-06-01';

/** One try of a Chat Completions request at an account that speaks Anthropic's Messages. */
export function createAnthropicCall(
  account: Account,
  fetchFunction: typeof fetch,
): (chat: Json, options: TryOptions) => Promise<ProviderReply> {
  const url = `${account.baseUrl.replace(/\/+$/u, '')}/messages`;
  const stream = account.streaming ?? true;
  const headers = {
    'anthropic-version': API_VERSION,
    ...(account.apiKey === undefined ? {} : { 'x-api-key': account.apiKey }),
  };
  return async (chat, options) => {
    const request = messagesFromChat(chat);
    const body = { ...request.body, stream };
    const response = await fetchFunction(url, jsonRequest(body, stream, headers, options));
    if (!response.ok) throw await httpFault(response);
    const streamed = isEventStream(response);
    const message = streamed ? await joined(response) : checkedMessage(await replyObject(response));
    const reply = completionFromMessage(message);
    return { completion: reply.body, dropped: [...request.dropped, ...reply.dropped], streamed };
  };
}

async function joined(response: Response): Promise<Json> {
  const joiner = new MessageJoiner();
  if (response.body !== null)
    for await (const event of eventValues(response.body)) joiner.add(event);
  return joiner.result();
}

function checkedMessage(reply: Json): Json {
  if (isObject(reply['error']))
    throw new BrokenReply('the provider answered 200 with an error', reply['error']);
  if (!Array.isArray(reply['content']) || reply['type'] !== 'message')
    throw new BrokenReply('the provider answered 200 with something that is no message');
  return reply;
}
