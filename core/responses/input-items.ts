import { isObject, type Json, objectsOf, reportUnknown, textOf } from '../anthropic/json';
import { withResultImages } from '../anthropic/result-images';
import { hasForeignReasoning, keptItems, type KeptItems } from './reasoning-items';

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
const DETAILS = ['auto', 'low', 'high'];

/** Chat messages as the input items of the Responses API. */
export function inputItems(messages: unknown, dropped: Set<string>): Json[] {
  return withResultImages(objectsOf(messages)).flatMap((message) => {
    reportUnknown(message, MESSAGE_FIELDS, 'messages[].', dropped);
    if (message['role'] === 'assistant') return assistantItems(message, dropped);
    if (message['role'] === 'tool') return [callOutput(message, dropped)];
    const content = contentOf(message['content'], dropped);
    return content.length === 0 ? [] : [{ role: message['role'], content: onlyText(content) }];
  });
}

/** One text alone is a string: every server takes that. */
function onlyText(content: readonly Json[]): unknown {
  return content.length === 1 && content[0]?.['type'] === 'input_text'
    ? content[0]['text']
    : content;
}

/** Text and image parts; empty texts are left out. */
function contentOf(content: unknown, dropped: Set<string>): Json[] {
  if (typeof content === 'string')
    return content === '' ? [] : [{ type: 'input_text', text: content }];
  return objectsOf(content).flatMap((part): Json[] => {
    const text = part['text'] ?? part['refusal'];
    if (typeof text === 'string') return text === '' ? [] : [{ type: 'input_text', text }];
    const image = isObject(part['image_url']) ? part['image_url'] : {};
    const { url, detail } = image;
    if (typeof url === 'string' && url.startsWith('data:'))
      return [
        {
          type: 'input_image',
          image_url: url,
          detail: DETAILS.includes(String(detail)) ? detail : 'auto',
        },
      ];
    dropped.add(`messages[].content[] of type ${String(part['type']).slice(0, 40)}`);
    return [];
  });
}

function callOutput(message: Json, dropped: Set<string>): Json {
  const content = contentOf(message['content'], dropped);
  const texts = content.every((part) => part['type'] === 'input_text');
  const output = texts ? content.map((part) => textOf(part['text'])).join('\n') : content;
  return { type: 'function_call_output', call_id: message['tool_call_id'], output };
}

/**
 * A reply as the items it was: what is known to have stood at a place stands there again, everything else fills the
 * places between in the order text, calls. Reasoning that nothing follows is left out, since providers refuse it.
 */
function assistantItems(message: Json, dropped: Set<string>): Json[] {
  const kept = keptItems(message);
  if (kept.unusable) dropped.add('messages[].reasoning_details without encrypted content');
  if (hasForeignReasoning(message, kept)) dropped.add('messages[].reasoning_content');
  const placed = new Map(kept.reasoning);
  const rest = [...textItems(message, kept, placed), ...callItems(message, dropped)];
  const items: Json[] = [];
  for (const place of [...placed.keys()].sort((left, right) => left - right)) {
    while (items.length < place && rest.length > 0) items.push(...rest.splice(0, 1));
    items.push(placed.get(place) ?? {});
  }
  items.push(...rest);
  while (items.at(-1)?.['type'] === 'reasoning') {
    items.pop();
    dropped.add('messages[].reasoning_details at the end of a reply');
  }
  return items;
}

/** Puts texts whose places are known into `placed`; returns the others. */
function textItems(message: Json, kept: KeptItems, placed: Map<number, Json>): Json[] {
  const content = contentOf(message['content'], new Set())
    .map((part) => textOf(part['text']))
    .join('');
  const refusal = textOf(message['refusal']);
  const characters = kept.texts.reduce((sum, text) => sum + text.characters, 0);
  const texts = [content, refusal].filter((text) => text !== '');
  if (kept.texts.length === 0 || characters !== content.length)
    return texts.map((text) => assistantText(text, kept.texts[0]?.phase));
  let at = 0;
  for (const { index, characters: length, phase } of kept.texts) {
    if (length > 0) placed.set(index, assistantText(content.slice(at, at + length), phase));
    at += length;
  }
  return refusal === '' ? [] : [assistantText(refusal, undefined)];
}

function assistantText(content: string, phase: string | undefined): Json {
  return { role: 'assistant', content, ...(phase === undefined ? {} : { phase }) };
}

function callItems(message: Json, dropped: Set<string>): Json[] {
  return objectsOf(message['tool_calls']).map((call) => {
    reportUnknown(call, ['id', 'type', 'function'], 'messages[].tool_calls[].', dropped);
    const target = isObject(call['function']) ? call['function'] : {};
    return {
      type: 'function_call',
      call_id: call['id'],
      name: target['name'],
      arguments: textOf(target['arguments']) || '{}',
    };
  });
}
