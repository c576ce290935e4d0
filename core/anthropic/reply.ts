import {
  isObject,
  type Json,
  objectsOf,
  parseArguments,
  reportUnknown,
  textOf,
  type Translated,
} from './json';
import { isThinking, reasoningFields, withThinking } from './reasoning';

/** A reply of Anthropic's Messages API. */
export interface AnthropicMessage extends Json {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  readonly model: string;
  readonly content: readonly Json[];
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
  readonly usage: Readonly<Record<string, number>>;
}

const STOP_REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    stop: 'end_turn',
    length: 'max_tokens',
    tool_calls: 'tool_use',
    function_call: 'tool_use',
    content_filter: 'refusal',
  }),
);
const FINISH_REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    end_turn: 'stop',
    stop_sequence: 'stop',
    pause_turn: 'stop',
    max_tokens: 'length',
    model_context_window_exceeded: 'length',
    tool_use: 'tool_calls',
    refusal: 'content_filter',
  }),
);

/**
 * A chat completion as Anthropic's message. A refusal that the model wrote becomes its text. Without counts the
 * usage is all zeros, since the form has no word for unknown: the journal keeps that they are.
 */
export function messageFromCompletion(completion: Json, id: string): AnthropicMessage {
  const choice = objectsOf(completion['choices'])[0] ?? {};
  const message = isObject(choice['message']) ? choice['message'] : {};
  const texts = [contentText(message['content']), textOf(message['refusal'])];
  const calls = objectsOf(message['tool_calls']).map((call, index) => {
    const target = isObject(call['function']) ? call['function'] : {};
    return {
      type: 'tool_use',
      id: textOf(call['id']) || `${id}_${index}`,
      name: textOf(target['name']),
      input: parseArguments(target['arguments']),
    };
  });
  const finish = textOf(choice['finish_reason']);
  const refused = textOf(message['refusal']) !== '';
  const reason = STOP_REASONS.get(finish) ?? 'end_turn';
  return {
    id,
    type: 'message',
    role: 'assistant',
    model: textOf(completion['model']),
    content: withThinking(message, [
      ...texts.filter((text) => text !== '').map((text) => ({ type: 'text', text })),
      ...calls,
    ]),
    // Some servers call a reply with tool calls finished.
    stop_reason: refused
      ? 'refusal'
      : reason === 'end_turn' && calls.length > 0
        ? 'tool_use'
        : reason,
    stop_sequence: null,
    usage: anthropicUsage(completion['usage']),
  };
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map((part) => textOf(part['text']))
    .join('');
}

function anthropicUsage(usage: unknown): Readonly<Record<string, number>> {
  const given = isObject(usage) ? usage : {};
  const details = isObject(given['prompt_tokens_details']) ? given['prompt_tokens_details'] : {};
  const input = count(given['prompt_tokens']);
  const read = Math.min(
    input,
    count(details['cached_tokens'] ?? given['cached_tokens'] ?? given['prompt_cache_hit_tokens']),
  );
  const written = Math.min(input - read, count(details['cache_write_tokens']));
  return {
    input_tokens: input - read - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: count(given['completion_tokens']),
  };
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

const MESSAGE_FIELDS = [
  'id',
  'type',
  'role',
  'model',
  'content',
  'stop_reason',
  'stop_details',
  'usage',
];
/** Counts that are told, and facts of a call that say nothing about its reply or its price. */
const USAGE_FIELDS = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'output_tokens_details',
  'cache_creation',
  'inference_geo',
  'service_tier',
  'speed',
];

/** Anthropic's message as a chat completion. */
export function completionFromMessage(message: Json): Translated {
  const dropped = new Set<string>();
  reportUnknown(message, MESSAGE_FIELDS, 'reply ', dropped);
  const blocks = objectsOf(message['content']);
  const texts: string[] = [];
  const calls: Json[] = [];
  for (const block of blocks) {
    if (block['type'] === 'text') texts.push(replyText(block, dropped));
    else if (block['type'] === 'tool_use') calls.push(replyCall(block, dropped));
    else if (!isThinking(block))
      dropped.add(`reply content of type ${String(block['type']).slice(0, 40)}`);
  }
  const details = isObject(message['stop_details']) ? message['stop_details'] : {};
  reportUnknown(details, ['type', 'explanation'], 'reply stop_details.', dropped);
  const explanation = textOf(details['explanation']);
  const reply = {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join(''),
    ...(explanation === '' ? {} : { refusal: explanation }),
    ...reasoningFields(blocks),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const reason = textOf(message['stop_reason']);
  const body = {
    id: textOf(message['id']),
    object: 'chat.completion',
    created: 0,
    model: textOf(message['model']),
    choices: [{ index: 0, message: reply, finish_reason: FINISH_REASONS.get(reason) ?? 'stop' }],
    ...chatUsage(message['usage'], dropped),
  };
  return { body, dropped: [...dropped] };
}

function replyText(block: Json, dropped: Set<string>): string {
  const { citations } = block;
  if (Array.isArray(citations) && citations.length > 0) dropped.add('reply content[].citations');
  return textOf(block['text']);
}

function replyCall(block: Json, dropped: Set<string>): Json {
  const { id, name, input, caller } = block;
  // Every call says that the model itself made it.
  if (isObject(caller) && caller['type'] !== 'direct') dropped.add('reply content[].caller');
  reportUnknown(block, ['type', 'id', 'name', 'input', 'caller'], 'reply content[].', dropped);
  // Text: a call that was cut off, or that the model wrote wrong.
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? {});
  return { id: textOf(id), type: 'function', function: { name: textOf(name), arguments: text } };
}

/** Anthropic counts fresh, cached and written tokens apart; Chat Completions counts all of them as the prompt. */
function chatUsage(usage: unknown, dropped: Set<string>): { usage?: Json } {
  if (!isObject(usage)) return {};
  reportUnknown(usage, USAGE_FIELDS, 'reply usage.', dropped);
  const { input_tokens: fresh, output_tokens: output } = usage;
  if (typeof fresh !== 'number' || typeof output !== 'number') return {};
  const read = count(usage['cache_read_input_tokens']);
  const written = count(usage['cache_creation_input_tokens']);
  const prompt = count(fresh) + read + written;
  const details = isObject(usage['output_tokens_details']) ? usage['output_tokens_details'] : {};
  const thinking = details['thinking_tokens'];
  return {
    usage: {
      prompt_tokens: prompt,
      completion_tokens: count(output),
      total_tokens: prompt + count(output),
      prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written },
      ...(typeof thinking === 'number'
        ? { completion_tokens_details: { reasoning_tokens: count(thinking) } }
        : {}),
    },
  };
}
