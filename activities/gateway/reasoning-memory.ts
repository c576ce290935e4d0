import { isObject, type Json, objectsOf, textOf } from '../../core/anthropic/json';
import { type RepliedFrame } from './journal-frames';

/** Names under which providers give reasoning as plain text, and read it again. */
const PLAIN_NAMES = ['reasoning_content', 'reasoning'] as const;

/** Reasoning of one reply, as fields of its message. */
type Reasoning = Readonly<Record<string, unknown>>;

interface RememberedCall {
  /** Name and arguments of the call: ids may repeat within a run. */
  readonly target: string;
  readonly extraContent: unknown;
  readonly reasoning: Reasoning;
}

/**
 * What a model wants back of its own replies and many harnesses have no place for, from the journal. With tool calls,
 * by the call's id: reasoning, signed (`reasoning_details`) or plain, and signatures of the calls (`extra_content`).
 * Of replies without calls, by their text: signed reasoning only. Plain reasoning of those is asked for by no
 * provider, and dropped by those that say so (decision 0053).
 */
export class ReasoningMemory {
  private readonly calls = new Map<string, RememberedCall>();
  /** Signed reasoning of the replies without calls by their text, in order. */
  private readonly texts = new Map<string, Reasoning[]>();

  note(frame: RepliedFrame): void {
    for (const choice of objectsOf(frame.completion['choices'])) {
      const message: Json = isObject(choice['message']) ? choice['message'] : {};
      const calls = objectsOf(message['tool_calls']);
      if (calls.length === 0) this.noteText(message);
      const reasoning = reasoningOf(message);
      for (const call of calls) {
        const id = String(call['id']);
        const extraContent = call['extra_content'];
        if (extraContent === undefined && Object.keys(reasoning).length === 0)
          this.calls.delete(id);
        else this.calls.set(id, { target: targetOf(call), extraContent, reasoning });
      }
    }
  }

  /** The request with what the harness lost put back where it was; the same object when nothing is missing. */
  restore(body: Json): Json {
    if (this.calls.size + this.texts.size === 0 || !Array.isArray(body['messages'])) return body;
    const given = body['messages'] as readonly unknown[];
    const byText = this.placesOfTexts(given);
    const messages = given.map((message, index) =>
      isObject(message) ? this.restoreMessage(message, byText.get(index)) : message,
    );
    return messages.every((message, index) => message === given[index])
      ? body
      : { ...body, messages };
  }

  private noteText(message: Json): void {
    const text = contentText(message);
    if (text === '') return;
    const signed = message['reasoning_details'];
    const known = this.texts.get(text);
    if (known === undefined && signed === undefined) return;
    this.texts.set(text, [
      ...(known ?? []),
      signed === undefined ? {} : { reasoning_details: signed },
    ]);
  }

  /** By place in the request: nothing of a text that was said more or less often than it stands there. */
  private placesOfTexts(messages: readonly unknown[]): Map<number, Reasoning> {
    const places = new Map<string, number[]>();
    messages.forEach((message, index) => {
      if (!isObject(message) || message['role'] !== 'assistant') return;
      if (objectsOf(message['tool_calls']).length > 0) return;
      const text = contentText(message);
      if (this.texts.has(text)) places.set(text, [...(places.get(text) ?? []), index]);
    });
    return new Map(
      [...places].flatMap(([text, indexes]) => {
        const known = this.texts.get(text) ?? [];
        return known.length === indexes.length
          ? indexes.map((index, at) => [index, known[at] ?? {}] as const)
          : [];
      }),
    );
  }

  private restoreMessage(message: Json, ofText: Reasoning = {}): Json {
    if (message['role'] !== 'assistant') return message;
    const given = objectsOf(message['tool_calls']);
    if (given.length === 0) return withReasoning(message, ofText);
    const known = given.map((call) => {
      const found = this.calls.get(String(call['id']));
      return found?.target === targetOf(call) ? found : undefined;
    });
    const calls = given.map((call, index) => {
      const extra = known[index]?.extraContent;
      return call['extra_content'] !== undefined || extra === undefined
        ? call
        : { ...call, extra_content: extra };
    });
    const reasoning = known.find((call) => call !== undefined)?.reasoning ?? {};
    const restored = withReasoning(message, reasoning);
    return calls.every((call, index) => call === given[index])
      ? restored
      : { ...restored, tool_calls: calls };
  }
}

/** Signed reasoning says all: the text beside it is for people. */
function reasoningOf(message: Json): Reasoning {
  if (message['reasoning_details'] !== undefined)
    return { reasoning_details: message['reasoning_details'] };
  const plain = PLAIN_NAMES.filter((name) => typeof message[name] === 'string');
  return Object.fromEntries(plain.slice(0, 1).map((name) => [name, message[name]]));
}

/** What the harness kept, in whatever form, stays as it is. */
function withReasoning(message: Json, reasoning: Reasoning): Json {
  const isSigned = 'reasoning_details' in reasoning;
  const kept =
    (message['reasoning_details'] ?? undefined) !== undefined ||
    (!isSigned && PLAIN_NAMES.some((name) => textOf(message[name]) !== ''));
  return kept || Object.keys(reasoning).length === 0 ? message : { ...message, ...reasoning };
}

/** Without space at its ends, which harnesses strip. */
function contentText({ content }: Json): string {
  const text =
    typeof content === 'string'
      ? content
      : objectsOf(content)
          .map((part) => textOf(part['text']))
          .join('');
  return text.trim();
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
