import OpenAI from 'openai';
import { type Account } from '../../core/account';
import { isObject } from '../../core/anthropic/json';
import { isDeeperThan } from '../../core/json-depth';
import { createAnthropicCall } from './anthropic-call';
import { createGuardedFetch, type GuardedRequest } from './guarded-fetch';
import { StreamJoiner } from './join-stream';
import { createResponsesCall } from './responses-call';
import { BrokenReply } from './try-fault';

type Json = Readonly<Record<string, unknown>>;

/** One account's connection; shared by all calls that use the account. */
export interface AccountClient {
  /** One try. Throws whatever went wrong; never tries again. */
  complete(
    body: Json,
    headers: Record<string, string>,
    request: TryOptions,
  ): Promise<ProviderReply>;
}

export interface ProviderReply {
  readonly completion: Json;
  /** What of the request or the reply the protocols have no common words for. */
  readonly dropped: readonly string[];
  /** Whether it came as a stream: some servers answer whole whatever they are asked. */
  readonly streamed: boolean;
}

export interface TryOptions {
  readonly inactivityTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The client's own limit on a whole request would end long reasoning; the inactivity limit decides instead. */
const WHOLE_REQUEST_MS = 6 * 3_600_000;
/** Nesting of a reply; arguments of calls are texts. */
const MOST_LEVELS = 200;

export function createAccountClient(
  account: Account,
  fetchFunction: typeof fetch | undefined,
): AccountClient {
  const fetchOrGuarded =
    fetchFunction ??
    createGuardedFetch({
      allowPrivateAddresses: account.allowPrivateAddresses,
      maxSockets: account.maxConcurrency,
    });
  const call = callOf(account, fetchOrGuarded);
  return {
    complete: (body, headers, options) =>
      withOwnSignal(options, (own) => notTooDeep(call(body, headers, own))),
  };
}

/** What is deeper than any reply could be read, and not be written down: a journal would have to do without it. */
async function notTooDeep(reply: Promise<ProviderReply>): Promise<ProviderReply> {
  const fault = new BrokenReply(`the reply has more than ${MOST_LEVELS} levels`);
  try {
    if (isDeeperThan((await reply).completion, MOST_LEVELS)) throw fault;
  } catch (error) {
    // Where it was translated already, that went as deep as the stack.
    throw error instanceof RangeError ? fault : error;
  }
  return reply;
}

function callOf(account: Account, fetchFunction: typeof fetch): AccountClient['complete'] {
  if (account.protocol !== 'anthropic' && account.protocol !== 'openai-responses')
    return openaiCall(account, fetchFunction);
  const create = account.protocol === 'anthropic' ? createAnthropicCall : createResponsesCall;
  const call = create(account, fetchFunction);
  return (body, _headers, options) => call(body, options);
}

function openaiCall(account: Account, fetchFunction: typeof fetch): AccountClient['complete'] {
  const client = new OpenAI({
    apiKey: account.apiKey ?? 'none',
    baseURL: account.baseUrl,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: WHOLE_REQUEST_MS,
    logLevel: 'off',
    fetch: fetchFunction,
    ...(account.apiKey === undefined ? { defaultHeaders: { authorization: null } } : {}),
  });
  const stream = account.streaming ?? true;
  const attempt = stream ? streamed : unstreamed;
  return async (body, headers, options) => ({
    completion: await attempt(client, body, headers, options),
    dropped: [],
    streamed: stream,
  });
}

/** A caller's signal may live for hundreds of calls, and the client leaves a listener on it each time. */
async function withOwnSignal(
  options: TryOptions,
  attempt: (own: TryOptions) => Promise<ProviderReply>,
): Promise<ProviderReply> {
  const { signal } = options;
  if (signal === undefined) return attempt(options);
  const controller = new AbortController();
  const abort = () => {
    controller.abort(signal.reason);
  };
  signal.addEventListener('abort', abort);
  try {
    return await attempt({ ...options, signal: controller.signal });
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function requestOptions(
  headers: Record<string, string>,
  options: TryOptions,
): NonNullable<Parameters<OpenAI['chat']['completions']['create']>[1]> {
  const guarded: GuardedRequest = { inactivityTimeoutMs: options.inactivityTimeoutMs };
  return {
    headers,
    fetchOptions: guarded as object,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

async function streamed(
  client: OpenAI,
  body: Json,
  headers: Record<string, string>,
  options: TryOptions,
): Promise<Json> {
  const request = { ...body, stream: true, stream_options: { include_usage: true } };
  const stream = await client.chat.completions.create(
    request as unknown as OpenAI.ChatCompletionCreateParamsStreaming,
    requestOptions(headers, options),
  );
  const joiner = new StreamJoiner();
  for await (const chunk of stream) joiner.add(chunk);
  // The client ends the loop silently when its signal is aborted.
  options.signal?.throwIfAborted();
  return joiner.result();
}

async function unstreamed(
  client: OpenAI,
  body: Json,
  headers: Record<string, string>,
  options: TryOptions,
): Promise<Json> {
  const reply: unknown = await client.chat.completions.create(
    body as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming,
    requestOptions(headers, options),
  );
  return checkedCompletion(reply);
}

function checkedCompletion(reply: unknown): Json {
  if (typeof reply !== 'object' || reply === null)
    throw new BrokenReply('the provider answered 200 with something that is no completion');
  const { error, choices } = reply as { error?: unknown; choices?: unknown };
  if (typeof error === 'object' && error !== null)
    throw new BrokenReply('the provider answered 200 with an error', error as Json);
  if (!Array.isArray(choices) || choices.length === 0 || !choices.every(isChoice))
    throw new BrokenReply('the provider answered 200 without a reply in it');
  return reply as Json;
}

/** What is read of a choice everywhere: a message, whose calls, if it has any, are a list of objects. */
function isChoice(choice: unknown): boolean {
  const { message } = (choice ?? {}) as { message?: unknown };
  if (!isObject(message)) return false;
  const calls = message['tool_calls'] ?? [];
  return Array.isArray(calls) && calls.every(isObject);
}
