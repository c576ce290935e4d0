import {
  chatError,
  type ChatCompletion,
  type ChatError,
  completionToEventStream,
} from '../../core/chat-completion';
import { type EndedFrame } from './journal-frames';

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

/** The answer in the form that the harness asked for. Errors have no stream: their status says it all. */
export function render(outcome: Outcome, stream: boolean, includeUsage: boolean): HttpAnswer {
  if (!('completion' in outcome))
    return {
      status: outcome.status,
      contentType: 'application/json',
      body: JSON.stringify(outcome.error),
    };
  const completion = withFinishReasons(outcome.completion as unknown as ChatCompletion);
  if (!stream)
    return { status: 200, contentType: 'application/json', body: JSON.stringify(completion) };
  return {
    status: 200,
    contentType: 'text/event-stream; charset=utf-8',
    body: completionToEventStream(completion, includeUsage),
  };
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
