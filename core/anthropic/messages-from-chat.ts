import {
  isObject,
  type Json,
  objectsOf,
  reportUnknown,
  type Translated,
  UNNAMED_SCHEMA,
} from './json';
import { messagesToolChoice, messagesTools } from './chat-tools';
import { conversation } from './conversation';

/** Fields of Anthropic's own that a lane's parameters may set. */
const NATIVE = ['output_config', 'service_tier', 'thinking', 'top_k'];
const SAID = [
  'max_completion_tokens',
  'max_tokens',
  'messages',
  'model',
  'parallel_tool_calls',
  'reasoning_effort',
  'response_format',
  'stop',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
];
/** Anthropic wants a limit; this is for callers that gave none. */
const DEFAULT_MAX_TOKENS = 32_000;
const EFFORTS: ReadonlyMap<string, string> = new Map(Object.entries({ minimal: 'low' }));

/**
 * A Chat Completions request as one of Anthropic's Messages API, with cache marks: on the system prompt and on the
 * last two user turns, so that each step of an agent pays only for what is new.
 */
export function messagesFromChat(chat: Json): Translated {
  const dropped = new Set<string>();
  reportUnknown(chat, [...SAID, ...NATIVE], '', dropped);
  const { system, turns } = conversation(chat['messages'], dropped);
  const offered = messagesTools(chat['tools']);
  const tools = offered.length > 0 ? offered : usedTools(turns);
  const body: Record<string, unknown> = {
    model: chat['model'],
    max_tokens: chat['max_completion_tokens'] ?? chat['max_tokens'] ?? DEFAULT_MAX_TOKENS,
    ...(system.length === 0 ? {} : { system }),
    messages: turns,
  };
  for (const name of NATIVE) if (chat[name] !== undefined) body[name] = chat[name];
  if (tools.length > 0) body['tools'] = tools;
  const choice =
    offered.length > 0 ? messagesToolChoice(chat) : tools.length > 0 ? { type: 'none' } : undefined;
  if (choice !== undefined) body['tool_choice'] = choice;
  const stop = typeof chat['stop'] === 'string' ? [chat['stop']] : chat['stop'];
  if (Array.isArray(stop) && stop.length > 0) body['stop_sequences'] = stop;
  Object.assign(body, outputConfig(chat, body['output_config'], dropped));
  setSampling(chat, body, dropped);
  return { body, dropped: [...dropped] };
}

/** Anthropic refuses calls and results without tools: those that were used, for a request that offers none. */
function usedTools(turns: readonly Json[]): Json[] {
  const uses = turns
    .flatMap(({ content }) => objectsOf(content))
    .filter(({ type }) => type === 'tool_use');
  return [...new Set(uses.map(({ name }) => name))].map((name) => ({
    name,
    input_schema: { type: 'object', properties: {} },
  }));
}

function outputConfig(chat: Json, native: unknown, dropped: Set<string>): Json {
  const config: Record<string, unknown> = isObject(native) ? { ...native } : {};
  const effort = chat['reasoning_effort'];
  const thinking =
    effort === 'none' && chat['thinking'] === undefined ? { thinking: { type: 'disabled' } } : {};
  if (typeof effort === 'string' && effort !== 'none')
    config['effort'] ??= EFFORTS.get(effort) ?? effort;
  const format = answerForm(chat['response_format'], dropped);
  if (format !== undefined) config['format'] ??= format;
  return { ...thinking, ...(Object.keys(config).length > 0 ? { output_config: config } : {}) };
}

function answerForm(given: unknown, dropped: Set<string>): Json | undefined {
  if (!isObject(given) || given['type'] === 'text') return undefined;
  if (given['type'] !== 'json_schema' || !isObject(given['json_schema'])) {
    dropped.add('response_format');
    return undefined;
  }
  const { name, description, schema, strict } = given['json_schema'];
  const prefix = 'response_format.json_schema.';
  // Anthropic's schemas are strict and have no name; the one that our own translation gives says nothing.
  if (name !== undefined && name !== UNNAMED_SCHEMA) dropped.add(`${prefix}name`);
  if (description !== undefined) dropped.add(`${prefix}description`);
  if (strict === false) dropped.add(`${prefix}strict`);
  return { type: 'json_schema', schema };
}

/** Anthropic refuses requests with both kinds of sampling, and with any sampling or forced tool while it thinks. */
function setSampling(chat: Json, body: Record<string, unknown>, dropped: Set<string>): void {
  const { thinking } = body;
  const thinks = isObject(thinking) && thinking['type'] !== 'disabled';
  const { temperature, top_p: topP } = chat;
  if (thinks) {
    if (typeof temperature === 'number') dropped.add('temperature');
    if (typeof topP === 'number') dropped.add('top_p');
    const choice = body['tool_choice'];
    if (isObject(choice) && (choice['type'] === 'any' || choice['type'] === 'tool')) {
      body['tool_choice'] = { ...choice, type: 'auto', name: undefined };
      dropped.add('tool_choice');
    }
    return;
  }
  if (typeof temperature === 'number') {
    body['temperature'] = Math.min(1, temperature);
    if (temperature > 1) dropped.add('temperature above 1');
    if (typeof topP === 'number') dropped.add('top_p');
  } else if (typeof topP === 'number') body['top_p'] = topP;
}
