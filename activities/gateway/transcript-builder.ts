import { finishReasonOf, messageOf, toolCallsOf } from './attempt-state';
import { type BegunFrame, type EndedFrame, type RepliedFrame } from './journal-frames';
import { type ImageFile, isObject, toContent, toToolCalls } from './transcript-content';
import { type TranscriptStep, type TranscriptToolCall } from './transcript-schema';

export interface TranscriptSource {
  /** Message and tool-list values by blob number. */
  readonly blobs: ReadonlyMap<number, unknown>;
  readonly images: ReadonlyMap<string, ImageFile>;
}

type NewStep = Omit<TranscriptStep, 'step_id'>;

/** A call's step, and the id that the model gave it. */
interface Caller {
  readonly step: TranscriptStep;
  readonly callId: string;
}

const MICRO_USD = 1_000_000;

/** Turns exchanges, in the order in which they began, into the steps of one conversation. */
export class TranscriptBuilder {
  readonly steps: TranscriptStep[] = [];
  private mainList: readonly number[] = [];
  private readonly seen = new Set<number>();
  /** The agent step that made a tool call, by the call's id as the harness has it; ids may repeat, the latest counts. */
  private readonly callers = new Map<string, Caller>();
  /** Agent steps by what they called, for harnesses that give calls ids of their own. */
  private readonly stepsByCalls = new Map<string, TranscriptStep>();
  /** Texts of replies, to tell the harness's copy of a reply from a message of its own. */
  private readonly replies = new Set<string>();

  constructor(private readonly source: TranscriptSource) {}

  /** Adds an exchange: what is new in its request, then its reply. */
  add(begun: BegunFrame, messages: readonly number[], ended: EndedFrame | undefined): void {
    const keep = commonPrefix(this.mainList, messages);
    const main = begun.kind === 'main';
    const rewritten = main && keep < this.mainList.length;
    if (rewritten) this.addRewrite(begun, keep);
    for (const number of messages.slice(keep)) {
      // In a rewritten or side conversation, what was shown before is not news.
      if ((rewritten || !main) && this.seen.has(number)) continue;
      this.addMessage(begun, this.source.blobs.get(number));
    }
    for (const number of messages) this.seen.add(number);
    if (main) this.mainList = messages;
    if (ended?.outcome === 'reply') this.addReply(begun, ended);
    else this.addFailure(begun, ended);
  }

  private push(step: NewStep): TranscriptStep {
    const numbered = { step_id: this.steps.length + 1, ...step };
    this.steps.push(numbered);
    return numbered;
  }

  private addRewrite(begun: BegunFrame, keep: number): void {
    this.push({
      timestamp: begun.at,
      source: 'system',
      message: `The harness rewrote its context from message ${keep + 1} on.`,
      extra: { context_management: { type: 'rewrite', boundary: keep } },
    });
  }

  private addMessage(begun: BegunFrame, message: unknown): void {
    if (!isObject(message)) return;
    const content = toContent(message['content'], this.source.images);
    const extra = begun.kind !== 'main' ? { extra: { auxiliary: true } } : {};
    switch (message['role']) {
      case 'assistant':
        if (!this.replies.has(replyText(message)) && !this.isReplyWithOtherIds(message))
          this.push({
            timestamp: begun.at,
            source: 'agent',
            message: content,
            is_copied_context: true,
            llm_call_count: 0,
            ...extra,
          });
        return;
      case 'tool': {
        const id = String(message['tool_call_id']);
        const caller = this.callers.get(id);
        if (caller === undefined)
          this.push({
            timestamp: begun.at,
            source: 'system',
            message: content,
            extra: { tool_call_id: id },
          });
        else
          (caller.step.observation ??= { results: [] }).results.push({
            source_call_id: caller.callId,
            content,
          });
        return;
      }
      default:
        this.push({
          timestamp: begun.at,
          source: message['role'] === 'user' ? 'user' : 'system',
          message: content,
          ...extra,
        });
    }
  }

  /** Some harnesses rename the calls of a reply, and their results with them. */
  private isReplyWithOtherIds(message: Readonly<Record<string, unknown>>): boolean {
    const calls = message['tool_calls'];
    const renamed = Array.isArray(calls) ? toToolCalls(calls as unknown[]) : [];
    const step = renamed.length > 0 ? this.stepsByCalls.get(callsText(renamed)) : undefined;
    const originals = step?.tool_calls;
    if (step === undefined || originals === undefined) return false;
    renamed.forEach(({ tool_call_id: id }, index) => {
      const callId = originals[index]?.tool_call_id ?? id;
      this.callers.set(id, { step, callId });
    });
    return true;
  }

  private addReply(begun: BegunFrame, reply: RepliedFrame): void {
    const message = messageOf(reply) as Record<string, unknown>;
    const toolCalls = toToolCalls(toolCallsOf(reply));
    const reasoning = message['reasoning_content'] ?? message['reasoning'];
    const refusal = message['refusal'];
    const dropped = [...new Set([...begun.dropped, ...(reply.dropped ?? [])])];
    const step = this.push({
      timestamp: reply.at,
      source: 'agent',
      ...(reply.reportedModel === undefined ? {} : { model_name: reply.reportedModel }),
      message: toContent(message['content'] ?? '', this.source.images),
      ...(typeof reasoning === 'string' && reasoning !== ''
        ? { reasoning_content: reasoning }
        : {}),
      ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
      metrics: metricsOf(reply),
      llm_call_count: 1,
      extra: {
        finish_reason: finishReasonOf(reply) ?? null,
        delivery_id: begun.deliveryId,
        ...(typeof refusal === 'string' && refusal !== '' ? { refusal } : {}),
        ...marksOf(begun.kind),
        ...(begun.finalisation ? { finalisation: true } : {}),
        ...(dropped.length === 0 ? {} : { dropped }),
      },
    });
    for (const { tool_call_id: callId } of toolCalls) this.callers.set(callId, { step, callId });
    if (toolCalls.length > 0) this.stepsByCalls.set(callsText(toolCalls), step);
    this.replies.add(replyText(message));
  }

  private addFailure(
    begun: BegunFrame,
    ended: Exclude<EndedFrame, RepliedFrame> | undefined,
  ): void {
    const error =
      ended === undefined
        ? { outcome: 'lost', message: 'the gateway ended before the reply was there' }
        : ended.outcome === 'trouble'
          ? { outcome: ended.outcome, type: ended.type, message: ended.message }
          : { outcome: ended.outcome, status: ended.status, message: ended.message };
    this.push({
      timestamp: ended?.at ?? begun.at,
      source: 'system',
      message: `A model request got no reply: ${error.message}`,
      extra: { error, delivery_id: begun.deliveryId },
    });
  }
}

/** What is no step says so. */
function marksOf(kind: BegunFrame['kind']): Readonly<Record<string, true>> {
  if (kind === 'main') return {};
  return { auxiliary: true, ...(kind === 'subagent' ? { subagent: true } : {}) };
}

function commonPrefix(left: readonly number[], right: readonly number[]): number {
  let length = 0;
  while (length < left.length && length < right.length && left[length] === right[length]) length++;
  return length;
}

/** What a harness keeps of a reply: it may drop the text beside tool calls, so the calls' ids decide if there are any. */
function replyText(message: Readonly<Record<string, unknown>>): string {
  const calls = Array.isArray(message['tool_calls']) ? (message['tool_calls'] as unknown[]) : [];
  const ids = calls.filter(isObject).map((call) => call['id']);
  return JSON.stringify(ids.length > 0 ? ids : (message['content'] ?? ''));
}

function callsText(calls: readonly TranscriptToolCall[]): string {
  return JSON.stringify(calls.map((call) => [call.function_name, call.arguments]));
}

function metricsOf(reply: RepliedFrame): NonNullable<TranscriptStep['metrics']> {
  const { usage } = reply;
  return {
    ...(usage === undefined
      ? {}
      : {
          prompt_tokens: usage.inputTokens,
          completion_tokens: usage.outputTokens,
          cached_tokens: usage.cachedInputTokens,
        }),
    ...(reply.costMicroUsd === undefined ? {} : { cost_usd: reply.costMicroUsd / MICRO_USD }),
    extra: {
      duration_ms: reply.durationMs,
      waited_ms: reply.waitedMs,
      failed_tries: reply.failedTries,
      ...(usage === undefined ? {} : { cache_write_tokens: usage.cacheWriteTokens }),
    },
  };
}
