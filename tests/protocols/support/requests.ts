import { filterMessagesRequest } from '../../../activities/gateway/messages-request';
import { type FilteredRequest, filterRequest } from '../../../activities/gateway/request-filter';
import { requestBody } from '../../../activities/models/request-body';
import { messagesFromChat } from '../../../core/anthropic/messages-from-chat';
import { responsesFromChat } from '../../../core/responses/request';
import { type Outcome, type Run } from './fates';
import { type Json } from './samples';

/** The protocols of accounts, in the order in which the tables name them. */
export const UPSTREAMS = ['openai', 'anthropic', 'openai-responses'] as const;
export type Upstream = (typeof UPSTREAMS)[number];

const MOST_TOKENS = 10_000_000;
const MODEL = {
  id: 'lane',
  provider: 'openai',
  name: 'the-model',
  account: 'a',
  parameters: {},
} as const;

/** What goes to a provider of such a request; as the gateway and the model client do it. */
export function upstreamOf(filtered: FilteredRequest, upstream: Upstream): Outcome {
  const chat = requestBody(MODEL, filtered.body, {}).body;
  if (upstream === 'openai') return { body: chat, dropped: filtered.dropped };
  const { body, dropped } =
    upstream === 'anthropic' ? messagesFromChat(chat) : responsesFromChat(chat);
  return { body, dropped: [...filtered.dropped, ...dropped] };
}

const FUNCTION = { type: 'object', properties: {} };

/** From a harness that speaks Chat Completions. */
export function chatRun(upstream: Upstream): Run {
  const base = {
    messages: [{ role: 'user', content: 'base' }],
    tools: [{ type: 'function', function: { name: 'base', parameters: FUNCTION } }],
  };
  return (value: Json) => upstreamOf(filterRequest({ ...base, ...value }, MOST_TOKENS), upstream);
}

/** From a harness that speaks Anthropic's Messages. */
export function messagesRun(upstream: Upstream): Run {
  const base = {
    max_tokens: 1_000,
    messages: [{ role: 'user', content: 'base' }],
    tools: [{ name: 'base', input_schema: FUNCTION }],
  };
  return (value: Json) =>
    upstreamOf(filterMessagesRequest({ ...base, ...value }, MOST_TOKENS), upstream);
}

/** Values that requests need to be more than a refused text, by `Type.field`. */
export const REQUEST_VALUES: Readonly<Record<string, (mark: string) => unknown>> = {
  'ChatCompletionContentPartImage.ImageURL.url': (mark) => `data:image/png;base64,${mark}`,
};

/** Parts of assistant messages that the SDK's types allow in a user's as well. */
export const REQUEST_ROLES: Readonly<Record<string, string>> = {
  ThinkingBlockParam: 'assistant',
  RedactedThinkingBlockParam: 'assistant',
  ToolUseBlockParam: 'assistant',
  ServerToolUseBlockParam: 'assistant',
  BetaThinkingBlockParam: 'assistant',
  BetaRedactedThinkingBlockParam: 'assistant',
  BetaToolUseBlockParam: 'assistant',
  BetaServerToolUseBlockParam: 'assistant',
};
