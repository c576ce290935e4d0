import { render } from '../../../activities/gateway/exchange-outcome';
import { MessageJoiner } from '../../../activities/models/join-message';
import { checkedResponse, ResponseJoiner } from '../../../activities/models/join-response';
import { StreamJoiner } from '../../../activities/models/join-stream';
import { completionFromMessage } from '../../../core/anthropic/reply';
import { completionFromResponse } from '../../../core/responses/reply';
import { type Outcome, type Run } from './fates';
import { type Json } from './samples';

/** What harnesses speak, in the order in which the tables name them. */
export const HARNESSES = ['chat-completions', 'messages'] as const;
export type Harness = (typeof HARNESSES)[number];

function handed(completion: Json, dropped: readonly string[], harness: Harness): Outcome {
  const form = { stream: false, includeUsage: true, protocol: harness };
  const { body } = render({ status: 200, completion }, form, 'delivery');
  return { body: JSON.parse(body) as unknown, dropped };
}

export function completionRun(harness: Harness): Run {
  const base = {
    id: 'base',
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'base' }, finish_reason: 'stop' }],
  };
  return (value) => handed({ ...base, ...value }, [], harness);
}

export function chunkRun(harness: Harness): Run {
  return (value) => {
    const joiner = new StreamJoiner();
    joiner.add({ choices: [{ index: 0, delta: { content: 'base' }, finish_reason: 'stop' }] });
    joiner.add(value);
    return handed(joiner.result(), [], harness);
  };
}

const MESSAGE = {
  id: 'base',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'base' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 1 },
};

export function messageRun(harness: Harness): Run {
  return (value) => {
    const { body, dropped } = completionFromMessage({ ...MESSAGE, ...value });
    return handed(body, dropped, harness);
  };
}

/** Blocks that deltas of each type belong to. */
const BLOCKS: Readonly<Record<string, Json>> = {
  text_delta: { type: 'text', text: '' },
  citations_delta: { type: 'text', text: '' },
  thinking_delta: { type: 'thinking', thinking: '', signature: '' },
  signature_delta: { type: 'thinking', thinking: 'base', signature: '' },
  input_json_delta: { type: 'tool_use', id: 'base', name: 'base', input: {} },
};

/** The event among the others that make it part of a whole message. */
export function messageEventRun(harness: Harness): Run {
  return (value) => {
    const joiner = new MessageJoiner();
    const delta = value['delta'] as Json | undefined;
    const block = BLOCKS[String(delta?.['type'])];
    const is = (type: string): boolean => value['type'] === type;
    joiner.add({ type: 'message_start', message: MESSAGE });
    if (is('content_block_delta'))
      joiner.add({ type: 'content_block_start', index: 5, content_block: block });
    joiner.add('index' in value ? { ...value, index: 5 } : value);
    if (!is('message_delta'))
      joiner.add({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} });
    joiner.add({ type: 'message_stop' });
    const { body, dropped } = completionFromMessage(joiner.result());
    return handed(body, dropped, harness);
  };
}

const ITEM = {
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'base' }],
};
const RESPONSE = {
  id: 'base',
  object: 'response',
  status: 'completed',
  model: 'm',
  output: [ITEM],
  usage: { input_tokens: 1, output_tokens: 1 },
};

export function responseRun(harness: Harness): Run {
  return (value) => {
    const given = { ...RESPONSE, error: null, ...value };
    const { body, dropped } = completionFromResponse(checkedResponse(given));
    return handed(body, dropped, harness);
  };
}

/** The event before the one that ends a stream; an end replaces it. */
export function responseEventRun(harness: Harness): Run {
  return (value) => {
    const joiner = new ResponseJoiner();
    const end = { type: 'response.completed', response: { ...RESPONSE, output: [] } };
    joiner.add({ type: 'response.output_item.done', output_index: 0, item: ITEM });
    joiner.add(end);
    joiner.add('output_index' in value ? { ...value, output_index: 1 } : value);
    const { body, dropped } = completionFromResponse(joiner.result());
    return handed(body, dropped, harness);
  };
}

/** Values that replies need to be replies and not errors, by `Type.field`. */
export const REPLY_VALUES: Readonly<Record<string, (mark: string) => unknown>> = {
  'ChatCompletionChunk.Choice.index': () => 0,
  'ChatCompletion.Choice.message': (mark) => ({ role: 'assistant', content: mark }),
  'ChatCompletionMessage.refusal': () => null,
  'Message.stop_details': () => null,
  'RawMessageDeltaEvent.Delta.stop_details': () => null,
  'Response.error': () => null,
  'Response.status': () => 'completed',
  'ResponseCompletedEvent.response': (mark) => ({ ...RESPONSE, model: mark }),
  'ResponseIncompleteEvent.response': (mark) => ({ ...RESPONSE, model: mark }),
};
