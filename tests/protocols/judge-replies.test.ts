import { readReply } from '../../activities/judge/exchange';
import { type ModelReply } from '../../activities/models/port';
import { messagesFromChat } from '../../core/anthropic/messages-from-chat';
import { completionFromMessage } from '../../core/anthropic/reply';
import { completionFromResponse } from '../../core/responses/reply';
import { responsesFromChat } from '../../core/responses/request';
import { type Json } from './support/samples';

/** The judge's own message of a reply, as it goes into the next turn's request. */
function nextTurn(completion: Json): Json[] {
  const reply: ModelReply = {
    completion,
    usage: undefined,
    costMicroUsd: undefined,
    reportedModel: undefined,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    failedTries: 0,
    waitedMs: 0,
  };
  return [{ role: 'user', content: 'Judge.' }, { ...readReply(reply, 1).message }];
}

const CALL = { name: 'read_cells', arguments: '{"range":"A1"}' };

describe('a judge’s turn', () => {
  it('goes back to a Responses provider with its encrypted reasoning and phase', () => {
    const output = [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
      {
        type: 'message',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'I read.', annotations: [] }],
      },
      { type: 'function_call', call_id: 'call_1', ...CALL },
    ];
    const { body } = completionFromResponse({ status: 'completed', output });
    const { body: next, dropped } = responsesFromChat({ messages: nextTurn({ ...body }) });
    expect(next['input']).toEqual([
      { role: 'user', content: 'Judge.' },
      output[0],
      { role: 'assistant', content: 'I read.', phase: 'commentary' },
      output[2],
    ]);
    expect(dropped).toEqual([]);
  });

  it('goes back to Anthropic with its signed thinking', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 'EqQB' },
      { type: 'tool_use', id: 'toolu_1', name: 'read_cells', input: { range: 'A1' } },
    ];
    const { body } = completionFromMessage({ content, stop_reason: 'tool_use' });
    const { body: next } = messagesFromChat({ messages: nextTurn({ ...body }) });
    expect(next['messages']).toMatchObject([{ role: 'user' }, { role: 'assistant', content }]);
  });
});
