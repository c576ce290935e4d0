import { isObject, objectsOf } from '../../core/anthropic/json';
import { type RepliedFrame } from './journal-frames';

type Json = Readonly<Record<string, unknown>>;

interface Remembered {
  /** Name and arguments of the call: ids may repeat within a run. */
  readonly target: string;
  readonly extraContent: unknown;
  readonly reasoningDetails: unknown;
}

/**
 * What a model wants back with its own tool calls and most harnesses have no place for: signed reasoning
 * (`reasoning_details`) and signatures of the calls (`extra_content`). Kept by the call's id, from the journal.
 */
export class ReasoningMemory {
  private readonly calls = new Map<string, Remembered>();

  note(frame: RepliedFrame): void {
    for (const choice of objectsOf(frame.completion['choices'])) {
      const message: Json = isObject(choice['message']) ? choice['message'] : {};
      for (const call of objectsOf(message['tool_calls'])) {
        const [extraContent, reasoningDetails] = [
          call['extra_content'],
          message['reasoning_details'],
        ];
        const id = String(call['id']);
        if (extraContent === undefined && reasoningDetails === undefined) this.calls.delete(id);
        else this.calls.set(id, { target: targetOf(call), extraContent, reasoningDetails });
      }
    }
  }

  /** The request with what the harness lost put back where its calls are; the same object when nothing is missing. */
  restore(body: Json): Json {
    if (this.calls.size === 0 || !Array.isArray(body['messages'])) return body;
    const given = body['messages'] as readonly unknown[];
    const messages = given.map((message) =>
      isObject(message) ? this.restoreMessage(message) : message,
    );
    return messages.every((message, index) => message === given[index])
      ? body
      : { ...body, messages };
  }

  private restoreMessage(message: Json): Json {
    if (message['role'] !== 'assistant' || !Array.isArray(message['tool_calls'])) return message;
    const given = objectsOf(message['tool_calls']);
    const known = given.map((call) => {
      const found = this.calls.get(String(call['id']));
      return found?.target === targetOf(call) ? found : undefined;
    });
    const details =
      message['reasoning_details'] ??
      known.find((call) => call?.reasoningDetails !== undefined)?.reasoningDetails;
    const calls = given.map((call, index) => {
      const extra = known[index]?.extraContent;
      return call['extra_content'] !== undefined || extra === undefined
        ? call
        : { ...call, extra_content: extra };
    });
    const unchanged =
      details === message['reasoning_details'] &&
      calls.every((call, index) => call === given[index]);
    return unchanged
      ? message
      : {
          ...message,
          tool_calls: calls,
          ...(details === undefined ? {} : { reasoning_details: details }),
        };
  }
}

/** Arguments are compared as values: harnesses print them anew. */
function targetOf(call: Json): string {
  const { name, arguments: text }: Json = isObject(call['function']) ? call['function'] : {};
  try {
    return JSON.stringify([name, JSON.parse(String(text))]);
  } catch {
    return JSON.stringify([name, text]);
  }
}
