import { type Json, objectsOf, textOf } from './json';

/** Format of the entries of `reasoning_details` that are Anthropic's thinking, signatures included. */
const FORMAT = 'anthropic-claude-v1';
/** Stands where Anthropic has a signature, for reasoning of models that sign nothing. */
const UNSIGNED = 'unsigned';

export function isThinking(block: Json): boolean {
  return block['type'] === 'thinking' || block['type'] === 'redacted_thinking';
}

/**
 * The thinking among a reply's blocks as fields of a chat message: the text to read, and the signed blocks with their
 * places, to send back.
 */
export function reasoningFields(blocks: readonly Json[]): Json {
  const text = blocks.map((block) => textOf(block['thinking'])).join('');
  const details = blocks.flatMap((block, index): Json[] => {
    const { type, signature, thinking, data } = block;
    if (type === 'redacted_thinking')
      return [{ type: 'reasoning.encrypted', data, format: FORMAT, index }];
    if (type !== 'thinking') return [];
    if (typeof signature !== 'string' || signature === '' || signature === UNSIGNED) return [];
    return [{ type: 'reasoning.text', text: thinking, signature, format: FORMAT, index }];
  });
  return {
    ...(text === '' ? {} : { reasoning_content: text }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
  };
}

/** The blocks of a message with its signed thinking where it was: `others` fill the places between. */
export function withSignedThinking(message: Json, others: readonly Json[]): Json[] {
  const rest = [...others];
  const blocks: Json[] = [];
  for (const detail of signedDetails(message)) {
    const place = typeof detail['index'] === 'number' ? detail['index'] : 0;
    while (blocks.length < place && rest.length > 0) blocks.push(...rest.splice(0, 1));
    blocks.push(blockOf(detail));
  }
  return [...blocks, ...rest];
}

function signedDetails(message: Json): Json[] {
  return objectsOf(message['reasoning_details']).filter(({ format }) => format === FORMAT);
}

function blockOf(detail: Json): Json {
  return detail['type'] === 'reasoning.encrypted'
    ? { type: 'redacted_thinking', data: detail['data'] }
    : { type: 'thinking', thinking: textOf(detail['text']), signature: detail['signature'] };
}

/** The text of a chat message's reasoning, under the names that providers use for it. */
export function reasoningText(message: Json): string {
  const named = textOf(message['reasoning_content']) || textOf(message['reasoning']);
  if (named !== '') return named;
  return objectsOf(message['reasoning_details'])
    .map((detail) => textOf(detail['text'] ?? detail['summary']))
    .join('');
}

/** A reply's blocks with all of its reasoning, for a harness that reads Anthropic's form. */
export function withThinking(message: Json, others: readonly Json[]): Json[] {
  if (signedDetails(message).length > 0) return withSignedThinking(message, others);
  const text = reasoningText(message);
  const unsigned = { type: 'thinking', thinking: text, signature: UNSIGNED };
  return text === '' ? [...others] : [unsigned, ...others];
}

/** Whether a message has reasoning that Anthropic would refuse, since it did not sign it. */
export function hasUnsignedReasoning(message: Json): boolean {
  return signedDetails(message).length === 0 && reasoningText(message) !== '';
}
