import { chatTools, chatToolChoice } from './chat-tools';
import { userMessages } from './chat-user-content';
import {
  isObject,
  type Json,
  objectsOf,
  reportUnknown,
  systemReminder,
  textOf,
  type Translated,
  UNNAMED_SCHEMA,
} from './json';
import { isThinking, reasoningFields } from './reasoning';

const SAID = [
  'model',
  'messages',
  'system',
  'max_tokens',
  'stream',
  'temperature',
  'top_p',
  'stop_sequences',
  'tools',
  'tool_choice',
  'output_config',
];
const SAME_NAME = ['model', 'max_tokens', 'stream', 'temperature', 'top_p'];

/**
 * A request of Anthropic's Messages API as one of Chat Completions. It may still hold what no provider should be
 * sent (addresses of images, tools of a provider's own): the request filter decides about that. How hard a model
 * thinks is the lane's to say, so `thinking` and `output_config.effort` are reported and not passed on.
 */
export function chatFromMessages(given: Json): Translated {
  const dropped = new Set<string>();
  reportUnknown(given, SAID, '', dropped);
  const body: Record<string, unknown> = {};
  for (const name of SAME_NAME) if (given[name] !== undefined) body[name] = given[name];
  if (Array.isArray(given['stop_sequences'])) body['stop'] = given['stop_sequences'];
  Object.assign(body, responseFormat(given['output_config'], dropped));
  const tools = chatTools(given['tools'], dropped);
  if (tools !== undefined) body['tools'] = tools;
  Object.assign(body, chatToolChoice(given['tool_choice'], dropped));
  if (given['stream'] === true) body['stream_options'] = { include_usage: true };
  if (Array.isArray(given['messages']))
    body['messages'] = [
      ...systemMessage(given['system'], dropped),
      ...(given['messages'] as unknown[]).flatMap((message) => chatMessages(message, dropped)),
    ];
  return { body, dropped: [...dropped] };
}

function responseFormat(config: unknown, dropped: Set<string>): Json {
  if (!isObject(config)) return {};
  reportUnknown(config, ['format'], 'output_config.', dropped);
  const { format } = config;
  if (!isObject(format)) return {};
  if (format['type'] !== 'json_schema') {
    dropped.add('output_config.format');
    return {};
  }
  const schema = { name: UNNAMED_SCHEMA, schema: format['schema'], strict: true };
  return { response_format: { type: 'json_schema', json_schema: schema } };
}

function systemMessage(system: unknown, dropped: Set<string>): Json[] {
  const content = plainText(system, 'system[].', dropped);
  return content === '' ? [] : [{ role: 'system', content }];
}

/** Text of a string or of text blocks; Chat Completions servers often take only a string here. */
function plainText(content: unknown, prefix: string, dropped: Set<string>): string {
  if (typeof content === 'string') return content;
  const texts = objectsOf(content).map((block) => {
    reportUnknown(block, ['type', 'text'], prefix, dropped);
    return textOf(block['text']);
  });
  return texts.filter((text) => text !== '').join('\n\n');
}

function chatMessages(message: unknown, dropped: Set<string>): unknown[] {
  if (!isObject(message)) return [message];
  reportUnknown(message, ['role', 'content'], 'messages[].', dropped);
  switch (message['role']) {
    case 'assistant':
      return [assistantMessage(message['content'], dropped)];
    case 'user':
      return userMessages(message['content'], dropped);
    case 'system': {
      // Many servers take system messages only at the top.
      const text = plainText(message['content'], 'messages[].content[].', dropped);
      return text === '' ? [] : [{ role: 'user', content: systemReminder(text) }];
    }
    default:
      return [message];
  }
}

function assistantMessage(content: unknown, dropped: Set<string>): Json {
  if (typeof content === 'string') return { role: 'assistant', content };
  const blocks = objectsOf(content);
  const texts: string[] = [];
  const calls: Json[] = [];
  for (const block of blocks) {
    if (block['type'] === 'text') {
      reportUnknown(block, ['type', 'text'], 'messages[].content[].', dropped);
      texts.push(textOf(block['text']));
    } else if (block['type'] === 'tool_use') {
      reportUnknown(block, ['type', 'id', 'name', 'input'], 'messages[].content[].', dropped);
      const target = {
        name: block['name'],
        arguments: JSON.stringify(block['input'] ?? {}),
      };
      calls.push({ id: block['id'], type: 'function', function: target });
    } else if (!isThinking(block))
      dropped.add(`messages[].content[] of type ${String(block['type']).slice(0, 40)}`);
  }
  const text = texts.filter((part) => part !== '').join('\n');
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...reasoningFields(blocks),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}
