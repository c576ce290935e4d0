import { type Account } from '../../core/account';
import { isObject, type Json } from '../../core/anthropic/json';
import { messagesFromChat } from '../../core/anthropic/messages-from-chat';
import { completionFromMessage } from '../../core/anthropic/reply';
import { type ProviderReply, type TryOptions } from './account-client';
import { eventValues } from './event-lines';
import { httpFault, isEventStream, jsonRequest, replyObject } from './http-reply';
import { MessageJoiner } from './join-message';
import { BrokenReply, type HttpFault } from './try-fault';

const API_VERSION = '2023-06-01';
/** Allows `thinking.block_binding`. */
const BINDING_BETA = { 'anthropic-beta': 'thinking-binding-controls-2026-08-01' };

/**
 * One try of a Chat Completions request at an account that speaks Anthropic's Messages.
 *
 * Newer Claude models refuse thinking when anything before it has changed since (system prompt, tools, an earlier
 * message), as harnesses change it that trim their conversation or close it without tools. Such a request, refused
 * unpaid, is sent again with the wish to drop that thinking; so are all later ones to the same model.
 */
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
  const binding = new Set<unknown>();
  return async (chat, options) => {
    const request = messagesFromChat(chat);
    const send = async (): Promise<Response> => {
      const body = { ...request.body, stream };
      return binding.has(chat['model'])
        ? fetchFunction(
            url,
            jsonRequest(droppingUnbound(body), stream, { ...headers, ...BINDING_BETA }, options),
          )
        : fetchFunction(url, jsonRequest(body, stream, headers, options));
    };
    let response = await send();
    if (response.status === 400 && !binding.has(chat['model'])) {
      const fault = await httpFault(response);
      if (!isBindingFault(fault)) throw fault;
      binding.add(chat['model']);
      response = await send();
    }
    if (!response.ok) throw await httpFault(response);
    const streamed = isEventStream(response);
    const message = streamed ? await joined(response) : checkedMessage(await replyObject(response));
    const reply = completionFromMessage(message);
    return { completion: reply.body, dropped: [...request.dropped, ...reply.dropped], streamed };
  };
}

function isBindingFault({ error, message }: HttpFault): boolean {
  const said = isObject(error) ? error['message'] : undefined;
  return (typeof said === 'string' ? said : message).includes('bound to a different conversation');
}

/** These models think adaptively where nothing else is said. */
function droppingUnbound(body: Json): Json {
  const thinking = isObject(body['thinking']) ? body['thinking'] : { type: 'adaptive' };
  const wish = { prefix_mismatch_behavior: 'drop_block' };
  return { ...body, thinking: { ...thinking, block_binding: wish } };
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
