import {
  type ModelCall,
  type ModelClient,
  type ModelReply,
} from '../../../../activities/models/port';

type Answer = (
  call: ModelCall,
  number: number,
) => Promise<Record<string, unknown>> | Record<string, unknown>;

export interface ScriptedClient extends ModelClient {
  readonly calls: ModelCall[];
}

/** A model client that answers by a function; throws what the function throws. */
export function scriptedClient(answer: Answer): ScriptedClient {
  const calls: ModelCall[] = [];
  return {
    calls,
    complete: async (call): Promise<ModelReply> => {
      calls.push(call);
      const completion = await answer(call, calls.length);
      return {
        completion,
        usage: { inputTokens: 100, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 10 },
        costMicroUsd: 110,
        reportedModel: 'scripted-1',
        startedAt: '2026-01-01T00:00:00.000Z',
        durationMs: 5,
        failedTries: 0,
        waitedMs: 2,
      };
    },
  };
}

/** A reply that calls `exec` once. */
export function toolReply(number: number): Record<string, unknown> {
  const call = {
    id: `call-${number}`,
    type: 'function',
    function: { name: 'exec', arguments: `{"command":"echo ${number}"}` },
  };
  return completion({ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls');
}

export function textReply(text: string, finishReason = 'stop'): Record<string, unknown> {
  return completion({ role: 'assistant', content: text }, finishReason);
}

function completion(
  message: Record<string, unknown>,
  finishReason: string,
): Record<string, unknown> {
  return {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'scripted-1',
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
  };
}
