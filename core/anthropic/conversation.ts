import {
  isObject,
  type Json,
  objectsOf,
  parseArguments,
  reportUnknown,
  systemReminder,
  textOf,
} from './json';
import { hasUnsignedReasoning, withSignedThinking } from './reasoning';
import { withResultImages } from './result-images';

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: Json[];
}

const MESSAGE_FIELDS = [
  'role',
  'content',
  'refusal',
  'tool_calls',
  'tool_call_id',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
];
const DATA_URL = /^data:([a-z]+\/[a-z0-9.+-]+);base64,(.*)$/su;
const CACHE = { cache_control: { type: 'ephemeral' } };

/** Chat messages as a system prompt and turns that alternate, the first a user's. */
export function conversation(
  messages: unknown,
  dropped: Set<string>,
): { readonly system: Json[]; readonly turns: Json[] } {
  const system: Json[] = [];
  const turns: Turn[] = [];
  const add = (role: Turn['role'], blocks: readonly Json[]): void => {
    if (blocks.length === 0) return;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else turns.push({ role, content: [...blocks] });
  };
  for (const message of withResultImages(objectsOf(messages))) {
    reportUnknown(message, MESSAGE_FIELDS, 'messages[].', dropped);
    const { role } = message;
    if (role === 'system' || role === 'developer') {
      const texts = blocksOf(message['content'], dropped);
      if (turns.length === 0) system.push(...texts);
      else add('user', texts.map(reminder));
    } else if (role === 'assistant') {
      if (turns.length === 0) add('user', [{ type: 'text', text: '(continue)' }]);
      add('assistant', assistantBlocks(message, dropped));
    } else if (role === 'tool') addResult(turns, toolResult(message, dropped));
    else add('user', blocksOf(message['content'], dropped));
  }
  if (turns.length === 0) add('user', [{ type: 'text', text: '(continue)' }]);
  markForCache(system, turns);
  return { system, turns: turns.map(({ role, content }) => ({ role, content })) };
}

/** Anthropic wants all results of a reply's calls in the next turn, before anything else in it. */
function addResult(turns: Turn[], result: Json): void {
  const last = turns.at(-1);
  if (last?.role !== 'user') {
    turns.push({ role: 'user', content: [result] });
    return;
  }
  const after = last.content.findLastIndex((block) => block['type'] === 'tool_result') + 1;
  last.content.splice(after, 0, result);
}

/** Anthropic has system text only at the top; later text is marked as such. */
function reminder(block: Json): Json {
  return block['type'] === 'text'
    ? { type: 'text', text: systemReminder(textOf(block['text'])) }
    : block;
}

/** Text and image blocks; empty texts are left out, since Anthropic refuses them. */
function blocksOf(content: unknown, dropped: Set<string>): Json[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return objectsOf(content).flatMap((part): Json[] => {
    const text = part['text'] ?? part['refusal'];
    if (typeof text === 'string') return text === '' ? [] : [{ type: 'text', text }];
    const url = isObject(part['image_url']) ? part['image_url']['url'] : undefined;
    const found = typeof url === 'string' ? DATA_URL.exec(url) : null;
    if (found !== null) {
      const detail = isObject(part['image_url']) ? (part['image_url']['detail'] ?? 'auto') : 'auto';
      if (detail !== 'auto') dropped.add('messages[].content[].image_url.detail');
      const source = { type: 'base64', media_type: found[1], data: found[2] };
      return [{ type: 'image', source }];
    }
    dropped.add(`messages[].content[] of type ${String(part['type']).slice(0, 40)}`);
    return [];
  });
}

function assistantBlocks(message: Json, dropped: Set<string>): Json[] {
  if (hasUnsignedReasoning(message)) dropped.add('messages[].reasoning_content without signature');
  const refusal = textOf(message['refusal']);
  return withSignedThinking(message, [
    ...blocksOf(message['content'], dropped),
    ...(refusal === '' ? [] : [{ type: 'text', text: refusal }]),
    ...objectsOf(message['tool_calls']).map((call) => {
      reportUnknown(call, ['id', 'type', 'function'], 'messages[].tool_calls[].', dropped);
      const target = isObject(call['function']) ? call['function'] : {};
      return {
        type: 'tool_use',
        id: toolId(call['id']),
        name: target['name'],
        input: parseArguments(target['arguments']),
      };
    }),
  ]);
}

function toolResult(message: Json, dropped: Set<string>): Json {
  const blocks = blocksOf(message['content'], dropped);
  const [only] = blocks;
  const content = blocks.length === 1 && only?.['type'] === 'text' ? only['text'] : blocks;
  return {
    type: 'tool_result',
    tool_use_id: toolId(message['tool_call_id']),
    ...(blocks.length === 0 ? {} : { content }),
  };
}

/** Anthropic takes letters, digits, dash and underscore in ids; other models' ids hold more. */
function toolId(id: unknown): string {
  return textOf(id).replace(/[^A-Za-z0-9_-]/gu, '_');
}

function markForCache(system: Json[], turns: readonly Turn[]): void {
  markLast(system);
  const users = turns.filter(({ role }) => role === 'user');
  for (const { content } of users.slice(-2)) markLast(content);
}

function markLast(blocks: Json[]): void {
  const last = blocks.at(-1);
  if (last !== undefined) blocks[blocks.length - 1] = { ...last, ...CACHE };
}
