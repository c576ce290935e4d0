import {
  isObject,
  type Json,
  reportUnknown,
  type Translated,
  UNNAMED_SCHEMA,
} from '../anthropic/json';
import { inputItems } from './input-items';
import { responseToolChoice, responseTools } from './response-tools';

/** Fields of the Responses API's own that a lane's parameters may set. */
export const NATIVE_FIELDS = [
  'include',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning',
  'safety_identifier',
  'service_tier',
  'text',
  'truncation',
] as const;
const SAID = [
  'max_completion_tokens',
  'max_tokens',
  'messages',
  'model',
  'parallel_tool_calls',
  'reasoning_effort',
  'response_format',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
  'verbosity',
];
/** The provider refuses a smaller limit. */
const LEAST_OUTPUT_TOKENS = 16;

/**
 * A Chat Completions request as one of OpenAI's Responses API. Nothing is stored at the provider (`store: false`), so
 * reasoning is asked for in encrypted form and sent back with later requests. How the answer is streamed is the
 * caller's to say.
 */
export function responsesFromChat(chat: Json): Translated {
  const dropped = new Set<string>();
  reportUnknown(chat, [...SAID, ...NATIVE_FIELDS], '', dropped);
  const tools = responseTools(chat['tools']);
  const limit = chat['max_completion_tokens'] ?? chat['max_tokens'];
  const body: Record<string, unknown> = {
    model: chat['model'],
    store: false,
    include: ['reasoning.encrypted_content'],
    input: inputItems(chat['messages'], dropped),
    ...(typeof limit === 'number'
      ? { max_output_tokens: Math.max(LEAST_OUTPUT_TOKENS, limit) }
      : {}),
  };
  for (const name of ['temperature', 'top_p', ...NATIVE_FIELDS])
    if (chat[name] !== undefined && chat[name] !== null) body[name] = chat[name];
  if (tools.length > 0) {
    body['tools'] = tools;
    Object.assign(body, responseToolChoice(chat['tool_choice'], dropped));
    if (typeof chat['parallel_tool_calls'] === 'boolean')
      body['parallel_tool_calls'] = chat['parallel_tool_calls'];
  }
  const effort = chat['reasoning_effort'];
  if (typeof effort === 'string') body['reasoning'] = { effort, ...memberOf(body['reasoning']) };
  Object.assign(body, textOptions(chat, dropped));
  return { body, dropped: [...dropped] };
}

function memberOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** `text`: the form of the answer and how wordy it is. */
function textOptions(chat: Json, dropped: Set<string>): Json {
  const text: Record<string, unknown> = {};
  const { verbosity, response_format: given } = chat;
  if (typeof verbosity === 'string') text['verbosity'] = verbosity;
  if (isObject(given)) {
    const form = answerForm(given, dropped);
    if (form !== undefined) text['format'] = form;
  }
  Object.assign(text, memberOf(chat['text']));
  return Object.keys(text).length === 0 ? {} : { text };
}

function answerForm(given: Json, dropped: Set<string>): Json | undefined {
  if (given['type'] === 'json_object' || given['type'] === 'text') return { type: given['type'] };
  if (given['type'] !== 'json_schema' || !isObject(given['json_schema'])) {
    dropped.add('response_format');
    return undefined;
  }
  const { name, description, schema, strict } = given['json_schema'];
  return {
    type: 'json_schema',
    name: name ?? UNNAMED_SCHEMA,
    ...(description === undefined ? {} : { description }),
    schema: schema ?? {},
    ...(typeof strict === 'boolean' ? { strict } : {}),
  };
}
