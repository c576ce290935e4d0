import { addCost, addUsage, type MicroUsd, NO_USAGE, type TokenUsage } from '../../core/money';
import {
  type BegunFrame,
  type EndedFrame,
  type HeldFrame,
  type JournalFrame,
  type RepliedFrame,
} from './journal-frames';
import { type GatewayEnd, type GatewayLog } from './port';
import { WaitingTime } from './waiting-time';

/** An exchange that began and has not ended. */
export interface OpenExchange extends Pick<BegunFrame, 'kind' | 'finalisation'> {
  /** Since when it is held, milliseconds since the epoch; nothing of it is out then. */
  readonly heldSinceMs?: number;
  /** Made by the gateway itself, to see whether the account answers at all. */
  readonly accountCheck?: true;
}

/** Begins the delivery ids of the gateway's own exchanges. */
export const ACCOUNT_CHECK_ID = 'account-check-';

/** What an attempt's journal adds up to. The gateway and the readers of a finished attempt share this one sum. */
export interface AttemptState {
  openedAtMs: number | undefined;
  steps: number;
  /** Replies to subagents: no steps, but they use up the cap on steps. */
  subagentReplies: number;
  modelRequests: number;
  auxiliaryRequests: number;
  upstreamCalls: number;
  toolCalls: number;
  usage: TokenUsage;
  costMicroUsd: MicroUsd | undefined;
  /** Tokens of some reply are unknown. */
  usageUnknown: boolean;
  /** Exchanges that began and have not ended, by number. */
  readonly unfinished: Map<number, OpenExchange>;
  /** Exchanges whose reply was lost with a gateway process or by closing: their cost is unknown. */
  lost: number;
  /** The one request without tools beyond the step cap has got its reply. */
  finalised: boolean;
  end: GatewayEnd | undefined;
  closed: boolean;
  trouble: { readonly type: string; readonly message: string } | undefined;
  lastEnded: EndedFrame | undefined;
  answeredMs: number;
  readonly waiting: WaitingTime;
  /** Since when the attempt waits for its provider, milliseconds since the epoch; a reply ends it. */
  troubledSinceMs: number | undefined;
  /** Absence of the gateway that no exchange has accounted for yet. */
  awayCreditMs: number;
  exchanges: number;
  /** Requests that were refused at a limit, as far as they are journaled. */
  refusals: number;
}

/** A harness that goes on asking for ever must not fill the disk with it. */
export const MOST_REFUSALS = 1_000;

export function emptyState(): AttemptState {
  return {
    openedAtMs: undefined,
    steps: 0,
    subagentReplies: 0,
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
    waiting: new WaitingTime(),
    troubledSinceMs: undefined,
    awayCreditMs: 0,
    exchanges: 0,
    refusals: 0,
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
      resume(state, Date.parse(frame.at));
      break;
    case 'begun':
      begin(state, frame);
      break;
    case 'held':
      beginHold(state, frame);
      break;
    case 'released':
      endHold(state, frame.e, Date.parse(frame.at));
      break;
    case 'ended':
      applyEnd(state, frame);
      break;
    case 'damaged':
      state.usageUnknown = true;
      break;
    case 'unanswered':
      state.unfinished.delete(frame.e);
      break;
    case 'limit':
      state.refusals++;
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

/** The process that served them is gone: what was in flight has no reply any more, what was held was never out. */
function resume(state: AttemptState, atMs: number): void {
  for (const [e, { heldSinceMs }] of state.unfinished)
    if (heldSinceMs === undefined) state.lost++;
    else endHold(state, e, atMs);
  state.unfinished.clear();
}

function begin(state: AttemptState, frame: BegunFrame): void {
  const { e, kind, finalisation, deliveryId } = frame;
  state.exchanges = Math.max(state.exchanges, e + 1);
  const accountCheck = deliveryId.startsWith(ACCOUNT_CHECK_ID);
  state.unfinished.set(e, { kind, finalisation, ...(accountCheck && { accountCheck }) });
}

function beginHold(state: AttemptState, { e, at, type }: HeldFrame): void {
  const atMs = Date.parse(at);
  if (type !== 'Paused' && type !== 'NoWorker') state.troubledSinceMs ??= atMs;
  const open = state.unfinished.get(e);
  if (open?.heldSinceMs === undefined && open !== undefined)
    state.unfinished.set(e, { ...open, heldSinceMs: atMs });
}

function endHold(state: AttemptState, e: number, endedMs: number): void {
  const open = state.unfinished.get(e);
  if (open?.heldSinceMs === undefined) return;
  state.waiting.add(open.heldSinceMs, endedMs);
  const { heldSinceMs: _held, ...rest } = open;
  state.unfinished.set(e, rest);
}

/** Time that the attempt's exchanges waited for us until `nowMs`. */
export function waitedMs(state: AttemptState, nowMs: number): number {
  const holds = [...state.unfinished.values()].flatMap(({ heldSinceMs }) => heldSinceMs ?? []);
  return state.waiting.totalMs(holds, nowMs);
}

function applyEnd(state: AttemptState, frame: EndedFrame): void {
  const begun = state.unfinished.get(frame.e);
  state.unfinished.delete(frame.e);
  state.lastEnded = frame;
  const answeredSinceMs = Date.parse(frame.at) - frame.durationMs;
  state.waiting.add(answeredSinceMs - frame.waitedMs, answeredSinceMs);
  state.answeredMs += frame.durationMs;
  state.upstreamCalls += frame.failedTries;
  if (frame.outcome === 'aborted') {
    state.lost++;
    return;
  }
  state.modelRequests++;
  if (begun !== undefined && begun.kind !== 'main') state.auxiliaryRequests++;
  if (frame.outcome === 'trouble') state.trouble ??= { type: frame.type, message: frame.message };
  // A tiny call may be answered where the agent's are not.
  else if (begun?.accountCheck !== true) state.troubledSinceMs = undefined;
  if (frame.outcome !== 'reply') return;
  state.upstreamCalls++;
  if (begun?.kind === 'main') state.steps++;
  if (begun?.kind === 'subagent') state.subagentReplies++;
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
  const out = [...state.unfinished.values()].filter(({ heldSinceMs }) => heldSinceMs === undefined);
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
      incomplete: state.lost + out.length > 0 || state.usageUnknown,
      ...(state.refusals > 0 && { refusedRequests: state.refusals }),
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
    waitedMs: state.waiting.totalMs(),
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
