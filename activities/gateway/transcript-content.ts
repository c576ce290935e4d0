import { storedImage } from './message-store';
import { type TranscriptContent, type TranscriptToolCall } from './transcript-schema';

type Json = Record<string, unknown>;

/** Where an image of the journal lies beside the transcript. */
export interface ImageFile {
  readonly mediaType: string;
  readonly path: string;
}

/** A message's content; text alone stays a text. */
export function toContent(
  content: unknown,
  images: ReadonlyMap<string, ImageFile>,
): TranscriptContent {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const parts = (content as unknown[]).map((part) => toPart(part, images));
  return parts.length === 1 && parts[0]?.type === 'text' ? parts[0].text : parts;
}

function toPart(part: unknown, images: ReadonlyMap<string, ImageFile>) {
  const given: Json = isObject(part) ? part : {};
  const sha256 = isObject(given['image_url']) ? storedImage(given['image_url']['url']) : undefined;
  const image = sha256 === undefined ? undefined : images.get(sha256);
  if (image !== undefined)
    return {
      type: 'image' as const,
      source: { media_type: image.mediaType, path: image.path },
    };
  const text = given['text'] ?? given['refusal'];
  return { type: 'text' as const, text: typeof text === 'string' ? text : JSON.stringify(part) };
}

/** Tool calls of a reply. Arguments that are no JSON object are kept as `{"raw": text}`. */
export function toToolCalls(calls: readonly unknown[]): TranscriptToolCall[] {
  return calls.filter(isObject).map((call, index) => {
    const target: Json = isObject(call['function']) ? call['function'] : {};
    return {
      tool_call_id:
        typeof call['id'] === 'string' && call['id'] !== '' ? call['id'] : `call-${index}`,
      function_name: typeof target['name'] === 'string' ? target['name'] : '',
      arguments: parseArguments(target['arguments']),
    };
  });
}

function parseArguments(text: unknown): Json {
  if (typeof text !== 'string') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed)) return parsed;
  } catch {
    // A malformed call is the model's; the transcript shows it as it came.
  }
  return { raw: text };
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
