import { type Json, textOf } from './json';
import { type AnthropicMessage } from './reply';

/** The events of a streamed reply with the same content as `message`. */
export function messageEvents(message: AnthropicMessage): Json[] {
  const { content, stop_reason, stop_sequence, usage, ...head } = message;
  const start = {
    ...head,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 0 },
  };
  return [
    { type: 'message_start', message: start },
    { type: 'ping' },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: emptied(block) },
      ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ];
}

function emptied(block: Json): Json {
  switch (block['type']) {
    case 'text':
      return { ...block, text: '' };
    case 'thinking':
      return { ...block, thinking: '', signature: '' };
    case 'tool_use':
      return { ...block, input: {} };
    default:
      return block;
  }
}

function deltasOf(block: Json): Json[] {
  switch (block['type']) {
    case 'text':
      return [{ type: 'text_delta', text: block['text'] }];
    case 'thinking':
      return [
        { type: 'thinking_delta', thinking: block['thinking'] },
        { type: 'signature_delta', signature: block['signature'] },
      ];
    case 'tool_use':
      return [{ type: 'input_json_delta', partial_json: JSON.stringify(block['input']) }];
    default:
      return [];
  }
}

/** A complete `text/event-stream` body. */
export function messageToEventStream(message: AnthropicMessage): string {
  return messageEvents(message)
    .map((event) => `event: ${textOf(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}
