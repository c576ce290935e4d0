import { type ChatCompletion } from '../../core/chat-completion';

/** What a provider of ours wants to say in one turn. */
export interface ProviderTurn {
  readonly text: string | undefined;
  readonly tools: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly usage?: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cachedInputTokens: number;
  };
  /** Default: `tool_calls` or `stop`. A reply cut off at its length ends in the middle of its last call's arguments. */
  readonly finish?: 'length' | 'content_filter';
}

/** About four bytes a token: our own providers count no real tokens. */
const BYTES_PER_TOKEN = 4;

/** The turn as a chat completion. Ids are made of the turn, so that the same request gets the same reply. */
export function toCompletion(
  turn: ProviderTurn,
  facts: { readonly model: string; readonly turnNumber: number; readonly bodyBytes: number },
): ChatCompletion {
  const toolCalls = turn.tools.map((tool, index) => ({
    id: `call_${facts.turnNumber}_${index}`,
    type: 'function' as const,
    function: {
      name: tool.name,
      arguments: argumentsText(turn, index),
    },
  }));
  const written = (turn.text?.length ?? 0) + JSON.stringify(toolCalls).length;
  const usage = turn.usage ?? {
    inputTokens: Math.ceil(facts.bodyBytes / BYTES_PER_TOKEN),
    outputTokens: Math.ceil(written / BYTES_PER_TOKEN),
    cachedInputTokens: 0,
  };
  return {
    id: `chatcmpl-${facts.model}-${facts.turnNumber}`,
    object: 'chat.completion',
    created: 0,
    model: facts.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: turn.text ?? null,
          ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
        },
        finish_reason: turn.finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
      },
    ],
    usage: {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
      prompt_tokens_details: { cached_tokens: usage.cachedInputTokens },
    },
  };
}

function argumentsText({ tools, finish }: ProviderTurn, index: number): string {
  const text = JSON.stringify(tools[index]?.arguments);
  const cutOff = finish === 'length' && index === tools.length - 1;
  return cutOff ? text.slice(0, Math.ceil(text.length / 2)) : text;
}
