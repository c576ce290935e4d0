const USAGE = { input_tokens: 1, output_tokens: 1 };

/** A short reply of each protocol, by the path that is asked. */
export const REPLIES: Readonly<Record<string, object>> = {
  '/v1/chat/completions': {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'the-model',
    choices: [{ index: 0, message: { role: 'assistant', content: 'done' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
  '/v1/messages': {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'the-model',
    content: [{ type: 'text', text: 'done' }],
    stop_reason: 'end_turn',
    usage: USAGE,
  },
  '/v1/responses': {
    id: 'r',
    object: 'response',
    status: 'completed',
    model: 'the-model',
    output: [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] },
    ],
    usage: USAGE,
  },
};
