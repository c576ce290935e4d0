import { type Json, objectsOf, textOf } from './json';

/** Format of the entries of `reasoning_details` that are Anthropic's thinking, signatures included. */
const FORMAT = 'anthropic-claude-v1';
/** Stands where Anthropic has a signature, for reasoning of models that sign nothing. */
const UNSIGNED = 'unsigned';

export function isThinking(block: Json): boolean {
  return block['type'] === 'thinking' || block['type'] === 'redacted_thinking';
}

/** Thinking blocks as fields of a chat message: the text to read, and the signed blocks to send back. */
export function reasoningFields(blocks: readonly Json[]): Json {
  const text = blocks.map((block) => textOf(block['thinking'])).join('');
  const details = blocks.flatMap((block, index): Json[] => {
    const { signature, thinking, data } = block;
    if (block['type'] === 'redacted_thinking')
      return [{ type: 'reasoning.encrypted', data, format: FORMAT, index }];
    if (typeof signature !== 'string' || signature === '' || signature === UNSIGNED) return [];
    return [{ type: 'reasoning.text', text: thinking, signature, format: FORMAT, index }];
  });
  return {
    ...(text === '' ? {} : { reasoning_content: text }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
  };
}

/** The signed thinking of a chat message, as it came from Anthropic. */
export function signedThinking(message: Json): Json[] {
  return objectsOf(message['reasoning_details']).flatMap((detail): Json[] => {
    if (detail['format'] !== FORMAT) return [];
    return detail['type'] === 'reasoning.encrypted'
      ? [{ type: 'redacted_thinking', data: detail['data'] }]
      : [{ type: 'thinking', thinking: textOf(detail['text']), signature: detail['signature'] }];
  });
}

/** The text of a chat message's reasoning, under the names that providers use for it. */
export function reasoningText(message: Json): string {
  const named = textOf(message['reasoning_content']) || textOf(message['reasoning']);
  if (named !== '') return named;
  return objectsOf(message['reasoning_details'])
    .map((detail) => textOf(detail['text'] ?? detail['summary']))
    .join('');
}

/** All reasoning of a reply, for a harness that reads Anthropic's form. */
export function thinkingOf(message: Json): Json[] {
  const signed = signedThinking(message);
  if (signed.length > 0) return signed;
  const text = reasoningText(message);
  return text === '' ? [] : [{ type: 'thinking', thinking: text, signature: UNSIGNED }];
}

/** Whether a message has reasoning that Anthropic would refuse, since it did not sign it. */
export function hasUnsignedReasoning(message: Json): boolean {
  return signedThinking(message).length === 0 && reasoningText(message) !== '';
}
