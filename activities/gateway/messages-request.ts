import { chatFromMessages } from '../../core/anthropic/chat-from-messages';
import { isObject, type Json, objectsOf } from '../../core/anthropic/json';
import { BadRequest, type FilteredRequest, filterRequest, MOST_REPORTED } from './request-filter';

/** How Claude Code begins the text that asks for a summary of its conversation, tools and all. */
export const COMPACTION_MARKS = [
  'CRITICAL: Respond with TEXT ONLY',
  'Your task is to create a detailed summary of',
] as const;

/**
 * A request of Anthropic's Messages API, translated to Chat Completions and rebuilt from the allowed fields. A
 * request for a summary of the conversation is no step: it comes with all tools, which the model then may not call.
 */
export function filterMessagesRequest(given: unknown, maxOutputTokens: number): FilteredRequest {
  if (!isObject(given)) throw new BadRequest('the body is not a JSON object');
  const { body, dropped } = chatFromMessages(given);
  const compaction = isCompaction(given) && Array.isArray(body['tools']);
  const filtered = filterRequest(
    compaction ? { ...body, tool_choice: 'none' } : body,
    maxOutputTokens,
  );
  return {
    ...filtered,
    protocol: 'messages',
    dropped: [
      ...new Set([
        ...(compaction ? ['tools of a request for a summary'] : []),
        ...filtered.dropped,
        ...dropped,
      ]),
    ].slice(0, MOST_REPORTED),
  };
}

function isCompaction(given: Json): boolean {
  const last = objectsOf(given['messages']).at(-1);
  if (last?.['role'] !== 'user') return false;
  const { content } = last;
  const texts =
    typeof content === 'string'
      ? [content]
      : objectsOf(content)
          .filter((block) => block['type'] === 'text')
          .map((block) => String(block['text']));
  return texts.some((text) => COMPACTION_MARKS.some((mark) => text.trimStart().startsWith(mark)));
}

const BYTES_PER_TOKEN = 4;
/** About what an image of a screen costs; its bytes say nothing about its tokens. */
const TOKENS_PER_IMAGE = 1_600;

/** An estimate for `count_tokens`: no provider is asked, so it costs nothing and is no request of the attempt. */
export function estimateTokens(given: unknown): number {
  if (!isObject(given)) throw new BadRequest('the body is not a JSON object');
  let images = 0;
  const counted = { system: given['system'], messages: given['messages'], tools: given['tools'] };
  const text = JSON.stringify(counted, (_key, value: unknown) => {
    if (!isObject(value) || value['type'] !== 'base64') return value;
    images++;
    return null;
  });
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN) + images * TOKENS_PER_IMAGE;
}
