import { anthropicError } from '../../core/anthropic/error';
import { messageToEventStream } from '../../core/anthropic/event-stream';
import { messageFromCompletion } from '../../core/anthropic/reply';
import {
  chatError,
  type ChatCompletion,
  type ChatError,
  completionToEventStream,
} from '../../core/chat-completion';
import { type EndedFrame } from './journal-frames';
import { type FilteredRequest } from './request-filter';

/** What a harness gets for one delivery. */
export type Outcome =
  | { readonly status: 200; readonly completion: Readonly<Record<string, unknown>> }
  | { readonly status: number; readonly error: ChatError };

export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** 402 is the one status after which every harness stops at once, in one request. */
export function stopOutcome(message: string): Outcome {
  return { status: 402, error: chatError(message, 'insufficient_quota', 'insufficient_quota') };
}

/** After provider trouble the attempt is lost whatever the harness does: it is told to stop. */
export function troubleOutcome(type: string): Outcome {
  return stopOutcome(`The model cannot be reached (${type}); this attempt ends here.`);
}

/** The same answer for a journaled exchange as when it was fresh. */
export function outcomeOf(frame: EndedFrame): Outcome {
  switch (frame.outcome) {
    case 'reply':
      return { status: 200, completion: frame.completion };
    case 'refused': {
      const code = frame.contentRefused ? 'content_filter' : null;
      return {
        status: frame.status,
        error: chatError(frame.message, 'invalid_request_error', code),
      };
    }
    case 'aborted':
      return stopOutcome(frame.message);
    case 'trouble':
      return troubleOutcome(frame.type);
  }
}

/** The form in which a harness asked for its answer. */
export type AnswerForm = Pick<FilteredRequest, 'stream' | 'includeUsage' | 'protocol'>;

/** The answer in the form that the harness asked for. Errors have no stream: their status says it all. */
export function render(outcome: Outcome, form: AnswerForm, deliveryId: string): HttpAnswer {
  const anthropic = form.protocol === 'messages';
  if (!('completion' in outcome)) {
    const { status, error } = outcome;
    return json(status, anthropic ? anthropicError(status, error.error.message) : error);
  }
  if (anthropic) {
    // Harnesses tell replies apart by their ids, which some providers leave empty or repeat.
    const message = messageFromCompletion(outcome.completion, `msg_${deliveryId}`);
    return form.stream ? events(messageToEventStream(message)) : json(200, message);
  }
  const completion = withFinishReasons(outcome.completion as unknown as ChatCompletion);
  return form.stream
    ? events(completionToEventStream(completion, form.includeUsage))
    : json(200, completion);
}

function json(status: number, value: unknown): HttpAnswer {
  return { status, contentType: 'application/json', body: JSON.stringify(value) };
}

function events(body: string): HttpAnswer {
  return { status: 200, contentType: 'text/event-stream; charset=utf-8', body };
}

/** Harnesses take a reply without a finish reason for a broken one. */
function withFinishReasons(completion: ChatCompletion): ChatCompletion {
  if (completion.choices.every((choice) => choice.finish_reason !== null)) return completion;
  const choices = completion.choices.map((choice) => ({
    ...choice,
    finish_reason:
      choice.finish_reason ??
      ((choice.message.tool_calls?.length ?? 0) > 0 ? 'tool_calls' : 'stop'),
  }));
  return { ...completion, choices };
}
