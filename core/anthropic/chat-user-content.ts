import { isObject, type Json, objectsOf, reportUnknown, textOf } from './json';

/** A line in a tool message that stands where an image was; the images are in the user's message that follows. */
export const RESULT_IMAGE_FOLLOWS = '[The image of this result follows in the next message.]';
const ANNOUNCEMENT = /^\[Image of the result of the tool call (.*):\]$/su;

/** The id of the call whose result's image a text announces; undefined for any other text. */
export function resultOfAnnouncement(text: string): string | undefined {
  return ANNOUNCEMENT.exec(text)?.[1];
}

/**
 * The chat messages for a user turn: one `tool` message per tool result, then everything else. A tool message can
 * only hold text, so images of results follow in the user message, each announced by the id of its result.
 */
export function userMessages(content: unknown, dropped: Set<string>): Json[] {
  if (!Array.isArray(content)) return [{ role: 'user', content }];
  const results: Json[] = [];
  const parts: Json[] = [];
  for (const block of objectsOf(content)) {
    if (block['type'] !== 'tool_result') {
      parts.push(chatPart(block, dropped));
      continue;
    }
    const { message, images } = toolMessage(block, dropped);
    results.push(message);
    parts.push(...images);
  }
  return parts.length === 0 && results.length > 0
    ? results
    : [...results, { role: 'user', content: onlyText(parts) ?? parts }];
}

/** A user message of one text is sent as a string: every server takes that. */
function onlyText(parts: readonly Json[]): unknown {
  return parts.length === 1 && parts[0]?.['type'] === 'text' ? parts[0]['text'] : undefined;
}

/** A content part. What cannot be said keeps its type, for the request filter to replace and report. */
function chatPart(block: Json, dropped: Set<string>): Json {
  const prefix = 'messages[].content[].';
  switch (block['type']) {
    case 'text':
      reportUnknown(block, ['type', 'text'], prefix, dropped);
      return { type: 'text', text: textOf(block['text']) };
    case 'image':
      reportUnknown(block, ['type', 'source'], prefix, dropped);
      return { type: 'image_url', image_url: { url: imageUrl(block['source']) } };
    case 'document': {
      const source = isObject(block['source']) ? block['source'] : {};
      if (source['type'] !== 'text') return { type: 'document' };
      reportUnknown(block, ['type', 'source', 'title'], prefix, dropped);
      const title = textOf(block['title']);
      const text = textOf(source['data']);
      return { type: 'text', text: title === '' ? text : `${title}\n\n${text}` };
    }
    default:
      return { type: block['type'] };
  }
}

function imageUrl(source: unknown): unknown {
  if (!isObject(source)) return undefined;
  return source['type'] === 'base64'
    ? `data:${textOf(source['media_type'])};base64,${textOf(source['data'])}`
    : source['url'];
}

function toolMessage(block: Json, dropped: Set<string>): { message: Json; images: Json[] } {
  reportUnknown(
    block,
    ['type', 'tool_use_id', 'content', 'is_error'],
    'messages[].content[].',
    dropped,
  );
  // The harness writes the error out in the text, and Chat Completions has no such mark.
  if (block['is_error'] === true) dropped.add('messages[].content[].is_error');
  const id = block['tool_use_id'];
  const { content } = block;
  if (typeof content === 'string')
    return { message: { role: 'tool', tool_call_id: id, content }, images: [] };
  const parts = objectsOf(content).map((part) => chatPart(part, dropped));
  const images = parts.filter((part) => part['type'] === 'image_url');
  const texts = parts.flatMap((part) => {
    if (part['type'] === 'text') return [textOf(part['text'])];
    if (part['type'] === 'image_url') return [RESULT_IMAGE_FOLLOWS];
    const type = String(part['type']).slice(0, 40);
    dropped.add(`messages[].content[] of type ${type}`);
    return [`[${type} removed: only text and inline images are passed on]`];
  });
  const announced = [
    { type: 'text', text: `[Image of the result of the tool call ${String(id)}:]` },
    ...images,
  ];
  return {
    message: { role: 'tool', tool_call_id: id, content: texts.join('\n') },
    images: images.length === 0 ? [] : announced,
  };
}
