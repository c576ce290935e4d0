import { type Account } from '../../core/account';
import { type Json } from '../../core/anthropic/json';
import { completionFromResponse } from '../../core/responses/reply';
import { responsesFromChat } from '../../core/responses/request';
import { type ProviderReply, type TryOptions } from './account-client';
import { eventValues } from './event-lines';
import { httpFault, isEventStream, jsonRequest, replyObject } from './http-reply';
import { checkedResponse, ResponseJoiner } from './join-response';

/** One try of a Chat Completions request at an account that speaks OpenAI's Responses. */
export function createResponsesCall(
  account: Account,
  fetchFunction: typeof fetch,
): (chat: Json, options: TryOptions) => Promise<ProviderReply> {
  const url = `${account.baseUrl.replace(/\/+$/u, '')}/responses`;
  const stream = account.streaming ?? true;
  const headers: Record<string, string> =
    account.apiKey === undefined ? {} : { authorization: `Bearer ${account.apiKey}` };
  return async (chat, options) => {
    const request = responsesFromChat(chat);
    const body = { ...request.body, stream };
    const response = await fetchFunction(url, jsonRequest(body, stream, headers, options));
    if (!response.ok) throw await httpFault(response);
    const streamed = isEventStream(response);
    const given = streamed ? await joined(response) : checkedResponse(await replyObject(response));
    const reply = completionFromResponse(given);
    return { completion: reply.body, dropped: [...request.dropped, ...reply.dropped], streamed };
  };
}

async function joined(response: Response): Promise<Json> {
  const joiner = new ResponseJoiner();
  if (response.body !== null)
    for await (const event of eventValues(response.body)) joiner.add(event);
  return joiner.result();
}
