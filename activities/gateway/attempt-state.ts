import { addCost, addUsage, type MicroUsd, NO_USAGE, type TokenUsage } from '../../core/money';
import {
  type BegunFrame,
  type EndedFrame,
  type JournalFrame,
  type RepliedFrame,
} from './journal-frames';
import { type GatewayEnd, type GatewayLog } from './port';

/** What an attempt's journal adds up to. The gateway and the readers of a finished attempt share this one sum. */
export interface AttemptState {
  openedAtMs: number | undefined;
  steps: number;
  modelRequests: number;
  auxiliaryRequests: number;
  upstreamCalls: number;
  toolCalls: number;
  usage: TokenUsage;
  costMicroUsd: MicroUsd | undefined;
  /** Tokens of some reply are unknown. */
  usageUnknown: boolean;
  /** Exchanges that began and have not ended, by number. */
  readonly unfinished: Map<number, Pick<BegunFrame, 'kind' | 'finalisation'>>;
  /** Exchanges whose reply was lost with a gateway process or by closing: their cost is unknown. */
  lost: number;
  /** The one request without tools beyond the step cap has got its reply. */
  finalised: boolean;
  end: GatewayEnd | undefined;
  closed: boolean;
  trouble: { readonly type: string; readonly message: string } | undefined;
  lastEnded: EndedFrame | undefined;
  answeredMs: number;
  waitedMs: number;
  /** Absence of the gateway that no exchange has accounted for yet. */
  awayCreditMs: number;
  exchanges: number;
}

export function emptyState(): AttemptState {
  return {
    openedAtMs: undefined,
    steps: 0,
    modelRequests: 0,
    auxiliaryRequests: 0,
    upstreamCalls: 0,
    toolCalls: 0,
    usage: NO_USAGE,
    costMicroUsd: 0,
    usageUnknown: false,
    unfinished: new Map(),
    lost: 0,
    finalised: false,
    end: undefined,
    closed: false,
    trouble: undefined,
    lastEnded: undefined,
    answeredMs: 0,
    waitedMs: 0,
    awayCreditMs: 0,
    exchanges: 0,
  };
}

/** Adds one journaled frame. */
export function applyFrame(state: AttemptState, frame: JournalFrame): void {
  switch (frame.t) {
    case 'opened':
      state.openedAtMs ??= Date.parse(frame.at);
      break;
    case 'resumed':
      state.awayCreditMs += frame.awayMs;
      // The process that served them is gone: what was in flight has no reply any more.
      state.lost += state.unfinished.size;
      state.unfinished.clear();
      break;
    case 'begun':
      state.exchanges = Math.max(state.exchanges, frame.e + 1);
      state.unfinished.set(frame.e, frame);
      break;
    case 'ended':
      applyEnd(state, frame);
      break;
    case 'limit':
      state.end ??= frame.reason;
      break;
    case 'closed':
      state.end ??= frame.reason;
      state.closed = true;
      break;
    case 'blob':
    case 'image':
      break;
  }
}

function applyEnd(state: AttemptState, frame: EndedFrame): void {
  const begun = state.unfinished.get(frame.e);
  state.unfinished.delete(frame.e);
  state.lastEnded = frame;
  state.waitedMs += frame.waitedMs;
  state.answeredMs += frame.durationMs;
  state.upstreamCalls += frame.failedTries;
  if (frame.outcome === 'aborted') {
    state.lost++;
    return;
  }
  state.modelRequests++;
  if (begun?.kind === 'auxiliary') state.auxiliaryRequests++;
  if (frame.outcome === 'trouble') state.trouble ??= { type: frame.type, message: frame.message };
  if (frame.outcome !== 'reply') return;
  state.upstreamCalls++;
  if (begun?.kind === 'main') state.steps++;
  if (begun?.finalisation === true) state.finalised = true;
  state.toolCalls += toolCallsOf(frame).length;
  if (frame.usage === undefined) state.usageUnknown = true;
  else state.usage = addUsage(state.usage, frame.usage);
  state.costMicroUsd = addCost(state.costMicroUsd, frame.costMicroUsd);
}

/** The facts that others decide by. */
export function toGatewayLog(state: AttemptState): GatewayLog {
  const last = state.lastEnded;
  const failed = last !== undefined && last.outcome !== 'reply' ? last : undefined;
  return {
    traffic: {
      steps: state.steps,
      modelRequests: state.modelRequests,
      auxiliaryRequests: state.auxiliaryRequests,
      upstreamCalls: state.upstreamCalls + state.lost,
      toolCalls: state.toolCalls,
      usage: state.usage,
      costMicroUsd: state.costMicroUsd,
      // Also when a reply was lost or came without counts: the sums are "at least".
      incomplete: state.lost + state.unfinished.size > 0 || state.usageUnknown,
    },
    end: state.end,
    lastFinishReason: last?.outcome === 'reply' ? finishReasonOf(last) : undefined,
    lastError:
      failed === undefined
        ? undefined
        : { status: failed.outcome === 'trouble' ? 402 : failed.status, message: failed.message },
    trouble: state.trouble,
    refused: last !== undefined && isRefusal(last),
    emptyReply: last?.outcome === 'reply' && isEmpty(last),
    answeredMs: state.answeredMs,
    waitedMs: state.waitedMs,
  };
}

interface ReadMessage {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly tool_calls?: unknown;
}

function firstChoice(frame: RepliedFrame): { finish_reason?: unknown; message?: ReadMessage } {
  const choices = frame.completion['choices'];
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return typeof first === 'object' && first !== null ? first : {};
}

export function messageOf(frame: RepliedFrame): ReadMessage {
  return firstChoice(frame).message ?? {};
}

export function finishReasonOf(frame: RepliedFrame): string | undefined {
  const reason = firstChoice(frame).finish_reason;
  return typeof reason === 'string' ? reason : undefined;
}

export function toolCallsOf(frame: RepliedFrame): readonly unknown[] {
  const calls = messageOf(frame).tool_calls;
  return Array.isArray(calls) ? (calls as unknown[]) : [];
}

function isRefusal(frame: EndedFrame): boolean {
  if (frame.outcome === 'refused') return frame.contentRefused;
  if (frame.outcome !== 'reply') return false;
  const { refusal } = messageOf(frame);
  return (
    finishReasonOf(frame) === 'content_filter' || (typeof refusal === 'string' && refusal !== '')
  );
}

function isEmpty(frame: RepliedFrame): boolean {
  const { content } = messageOf(frame);
  const text = typeof content === 'string' ? content.trim() : Array.isArray(content) ? 'parts' : '';
  return text === '' && toolCallsOf(frame).length === 0;
}
