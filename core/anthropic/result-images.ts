import { RESULT_IMAGE_FOLLOWS, resultOfAnnouncement } from './chat-user-content';
import { type Json, objectsOf, textOf } from './json';

/**
 * Chat messages in which images that belong to tool results are back in them: a chat's tool messages hold only text,
 * so the translation from Anthropic's Messages puts them, announced, into the user's message that follows.
 */
export function withResultImages(messages: readonly Json[]): Json[] {
  const out: Json[] = [];
  for (const message of messages) {
    const { images, rest } = announcedImages(message);
    const known = [...images].filter(([id]) => toolAt(out, id) >= 0);
    if (known.length === 0 || known.length < images.size) {
      out.push(message);
      continue;
    }
    for (const [id, parts] of known) {
      const at = toolAt(out, id);
      out[at] = withImages(out[at] ?? {}, parts);
    }
    if (rest.length > 0) out.push({ ...message, content: rest });
  }
  return out;
}

/** Images by the id of the call whose result they are, and what else the message holds. */
function announcedImages({ role, content }: Json): { images: Map<string, Json[]>; rest: Json[] } {
  const images = new Map<string, Json[]>();
  const rest: Json[] = [];
  let id: string | undefined;
  for (const part of role === 'user' ? objectsOf(content) : []) {
    const announced =
      part['type'] === 'text' ? resultOfAnnouncement(textOf(part['text'])) : undefined;
    if (announced !== undefined) id = announced;
    else if (id !== undefined && part['type'] === 'image_url')
      images.set(id, [...(images.get(id) ?? []), part]);
    else {
      id = undefined;
      rest.push(part);
    }
  }
  return { images, rest };
}

/** Where among the tool messages at the end of `messages` the result of this call is; -1 where it is not. */
function toolAt(messages: readonly Json[], id: string): number {
  for (let at = messages.length - 1; messages[at]?.['role'] === 'tool'; at--)
    if (messages[at]?.['tool_call_id'] === id) return at;
  return -1;
}

function withImages(message: Json, images: readonly Json[]): Json {
  const { content } = message;
  const parts = typeof content === 'string' ? inPlaces(content, images) : objectsOf(content);
  return { ...message, content: typeof content === 'string' ? parts : [...parts, ...images] };
}

/** Text and images in the order that they had; where the text does not tell, the images come last. */
function inPlaces(text: string, images: readonly Json[]): Json[] {
  const lines = text.split('\n');
  const marks = lines.filter((line) => line === RESULT_IMAGE_FOLLOWS).length;
  if (marks !== images.length) return [{ type: 'text', text }, ...images];
  const parts: Json[] = [];
  let from = 0;
  const addText = (to: number): void => {
    if (to > from) parts.push({ type: 'text', text: lines.slice(from, to).join('\n') });
    from = to + 1;
  };
  const rest = [...images];
  lines.forEach((line, at) => {
    if (line !== RESULT_IMAGE_FOLLOWS) return;
    addText(at);
    parts.push(...rest.splice(0, 1));
  });
  addText(lines.length);
  return parts;
}
