import { type ChatMessage, type ChatToolCall } from '../../core/chat-completion';
import { type MicroUsd, type TokenUsage } from '../../core/money';
import { type ModelReply } from '../models/port';
import { type LoggedSearch, type OpenedPage } from './grounding/session-log';

/** What goes back to the judge for one tool call, or for a reply without any. */
export interface JudgeAnswer {
  /** Absent: said to the judge as a message, not as a tool's result. */
  readonly callId?: string;
  readonly tool?: string;
  readonly text: string;
  readonly search?: LoggedSearch;
  readonly page?: OpenedPage;
  /** The reply was no usable verdict: counts against the repairs. */
  readonly repair?: boolean;
  readonly durationMs: number;
}

/** What the judge said, without what only its provider needs. */
export interface JudgeReply {
  readonly message: ChatMessage;
  readonly finishReason: string | undefined;
  readonly usage: TokenUsage | undefined;
  readonly costMicroUsd: MicroUsd | undefined;
  readonly reportedModel: string | undefined;
  readonly startedAt: string;
  readonly durationMs: number;
}

/** A stored turn: what was newly said to the judge (nothing in the first), and what came back. */
export interface Exchange {
  readonly v: 1;
  readonly answers: readonly JudgeAnswer[];
  readonly reply: JudgeReply;
}

/**
 * Takes the message out of a completion. A completion without one is an empty message: the session asks again.
 * Tool calls without an id get one, so that answers can name them.
 */
export function readReply(reply: ModelReply, turn: number): JudgeReply {
  const choices = reply.completion['choices'];
  const choice = (Array.isArray(choices) ? choices[0] : undefined) as
    { message?: unknown; finish_reason?: unknown } | undefined;
  const given = isRecord(choice?.message) ? choice.message : {};
  const { refusal: _refusal, annotations: _annotations, audio: _audio, ...rest } = given;
  const calls = readCalls(rest['tool_calls'], turn);
  const { tool_calls: _calls, function_call: _call, ...words } = rest;
  return {
    message: {
      ...words,
      role: 'assistant',
      content: contentOf(words['content'], calls.length > 0),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
    finishReason: typeof choice?.finish_reason === 'string' ? choice.finish_reason : undefined,
    usage: reply.usage,
    costMicroUsd: reply.costMicroUsd,
    reportedModel: reply.reportedModel,
    startedAt: reply.startedAt,
    durationMs: reply.durationMs,
  };
}

/** A message must say something or call something: providers refuse it otherwise when it is sent back. */
function contentOf(content: unknown, hasCalls: boolean): string | null {
  if (typeof content === 'string' && content !== '') return content;
  return hasCalls ? null : '(no reply)';
}

function readCalls(value: unknown, turn: number): ChatToolCall[] {
  if (!Array.isArray(value)) return [];
  const seen = new Set<string>();
  return value.filter(isRecord).flatMap((call, at): ChatToolCall[] => {
    const named = call['function'];
    if (!isRecord(named) || typeof named['name'] !== 'string') return [];
    const given = named['arguments'];
    const id = typeof call['id'] === 'string' && !seen.has(call['id']) ? call['id'] : '';
    const callId = id === '' ? `call_${turn}_${at}` : id;
    seen.add(callId);
    return [
      {
        ...call,
        id: callId,
        type: 'function',
        function: {
          name: named['name'],
          arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}),
        },
      },
    ];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a stored turn back. Throws when the store holds something else under its key. */
export function readExchange(stored: unknown, place: string): Exchange {
  if (
    isRecord(stored) &&
    stored['v'] === 1 &&
    Array.isArray(stored['answers']) &&
    isRecord(stored['reply']) &&
    isRecord(stored['reply']['message'])
  )
    return stored as unknown as Exchange;
  throw new Error(`the judge journal holds no exchange at ${place}`);
}
