import { isObject, type Json, objectsOf, textOf, type Translated } from '../anthropic/json';
import { type PlacedText, reasoningFields } from './reasoning-items';

const INCOMPLETE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    max_output_tokens: 'length',
    content_filter: 'content_filter',
  }),
);

/** What the items of a reply say, taken apart. */
interface ReplyParts {
  readonly texts: PlacedText[];
  readonly refusals: string[];
  readonly calls: Json[];
  firstCall: number;
  readonly reasoning: (readonly [number, Json])[];
}

/**
 * A reply of the Responses API as a chat completion. Encrypted reasoning and the places of texts go to
 * `reasoning_details`, from where a later request takes them back. The reply must be one that has ended.
 */
export function completionFromResponse(response: Json): Translated {
  const dropped = new Set<string>();
  const parts = readItems(response['output'], dropped);
  const text = parts.texts.map((part) => part.text).join('');
  const refusal = parts.refusals.join('\n');
  const message = {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(refusal === '' ? {} : { refusal }),
    ...reasoningFields(parts.reasoning, parts.texts, parts.firstCall),
    ...(parts.calls.length === 0 ? {} : { tool_calls: parts.calls }),
  };
  const created = response['created_at'];
  const body = {
    id: textOf(response['id']),
    object: 'chat.completion',
    created: typeof created === 'number' ? Math.floor(created) : 0,
    model: textOf(response['model']),
    ...(typeof response['service_tier'] === 'string'
      ? { service_tier: response['service_tier'] }
      : {}),
    choices: [{ index: 0, message, finish_reason: finishReason(response, parts, dropped) }],
    ...chatUsage(response['usage']),
  };
  return { body, dropped: [...dropped] };
}

function finishReason(response: Json, parts: ReplyParts, dropped: Set<string>): string {
  if (response['status'] === 'incomplete') {
    const details = isObject(response['incomplete_details']) ? response['incomplete_details'] : {};
    const known = INCOMPLETE.get(textOf(details['reason']));
    if (known === undefined)
      dropped.add(`incomplete_details.reason ${textOf(details['reason']).slice(0, 40)}`);
    return known ?? 'length';
  }
  return parts.calls.length > 0 ? 'tool_calls' : 'stop';
}

function readItems(output: unknown, dropped: Set<string>): ReplyParts {
  const parts: ReplyParts = {
    texts: [],
    refusals: [],
    calls: [],
    reasoning: [],
    firstCall: Infinity,
  };
  objectsOf(output).forEach((item, index) => {
    switch (item['type']) {
      case 'message':
        readMessage(item, index, parts, dropped);
        break;
      case 'reasoning':
        parts.reasoning.push([index, item]);
        break;
      case 'function_call':
        parts.calls.push(callOf(item, dropped));
        parts.firstCall = Math.min(parts.firstCall, index);
        break;
      default:
        dropped.add(`reply item of type ${String(item['type']).slice(0, 40)}`);
    }
  });
  return parts;
}

function callOf(item: Json, dropped: Set<string>): Json {
  const { namespace, caller } = item;
  if (namespace !== undefined && namespace !== null) dropped.add('reply function_call.namespace');
  // `direct` is the model itself.
  if (isObject(caller) && caller['type'] !== 'direct') dropped.add('reply function_call.caller');
  return {
    id: textOf(item['call_id']) || textOf(item['id']),
    type: 'function',
    function: { name: textOf(item['name']), arguments: textOf(item['arguments']) },
  };
}

function readMessage(item: Json, index: number, parts: ReplyParts, dropped: Set<string>): void {
  const texts: string[] = [];
  for (const part of objectsOf(item['content'])) {
    if (part['type'] === 'output_text') {
      texts.push(textOf(part['text']));
      for (const name of ['annotations', 'logprobs'])
        if (Array.isArray(part[name]) && part[name].length > 0)
          dropped.add(`reply output_text.${name}`);
    } else if (part['type'] === 'refusal') parts.refusals.push(textOf(part['refusal']));
    else dropped.add(`reply content of type ${String(part['type']).slice(0, 40)}`);
  }
  const phase = typeof item['phase'] === 'string' ? item['phase'] : undefined;
  parts.texts.push({ index, text: texts.join(''), phase });
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

/** Both protocols count cached and written tokens as part of the input. Without counts there is no usage. */
function chatUsage(usage: unknown): { usage?: Json } {
  if (!isObject(usage)) return {};
  const { input_tokens: input, output_tokens: output } = usage;
  if (typeof input !== 'number' || typeof output !== 'number') return {};
  const read = isObject(usage['input_tokens_details']) ? usage['input_tokens_details'] : {};
  const made = isObject(usage['output_tokens_details']) ? usage['output_tokens_details'] : {};
  return {
    usage: {
      prompt_tokens: count(input),
      completion_tokens: count(output),
      total_tokens: count(input) + count(output),
      prompt_tokens_details: {
        cached_tokens: count(read['cached_tokens']),
        cache_write_tokens: count(read['cache_write_tokens']),
      },
      completion_tokens_details: { reasoning_tokens: count(made['reasoning_tokens']) },
    },
  };
}
