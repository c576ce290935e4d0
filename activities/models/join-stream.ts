import { BrokenReply } from './try-fault';

type Json = Record<string, unknown>;

interface OpenChoice {
  message: Json;
  toolCalls: Map<number, Json>;
  finishReason: string | undefined;
  /** Log probabilities and whatever else a provider says of a choice beside its message. */
  extra: Json;
}

const CHOICE_FIELDS = ['index', 'delta', 'finish_reason'];

/** Joins the chunks of a streamed completion to the completion that an unstreamed call would have given. */
export class StreamJoiner {
  private readonly head: Json = {};
  private readonly choices = new Map<number, OpenChoice>();
  private usage: unknown;

  add(chunk: unknown): void {
    if (!isObject(chunk)) return;
    if (isObject(chunk['error']))
      throw new BrokenReply('the stream ended in an error', chunk['error']);
    for (const [name, value] of Object.entries(chunk)) {
      if (name === 'choices' || name === 'usage' || name === 'object') continue;
      if (value !== null && value !== '' && this.head[name] === undefined) this.head[name] = value;
    }
    if (isObject(chunk['usage'])) this.usage = chunk['usage'];
    if (!Array.isArray(chunk['choices'])) return;
    for (const choice of chunk['choices'] as unknown[])
      if (isObject(choice)) this.addChoice(choice);
  }

  /** The joined completion. Throws `BrokenReply` when the stream broke off before a finish reason. */
  result(): Json {
    if (this.choices.size === 0) throw new BrokenReply('the stream ended without a reply');
    const choices = [...this.choices.entries()].sort(([left], [right]) => left - right);
    return {
      id: '',
      created: 0,
      model: '',
      ...this.head,
      object: 'chat.completion',
      choices: choices.map(([index, choice]) => finishChoice(index, choice)),
      ...(this.usage === undefined ? {} : { usage: this.usage }),
    };
  }

  private addChoice(given: Json): void {
    const index = typeof given['index'] === 'number' ? given['index'] : 0;
    let choice = this.choices.get(index);
    if (choice === undefined) {
      choice = {
        message: { role: 'assistant', content: null },
        toolCalls: new Map(),
        finishReason: undefined,
        extra: {},
      };
      this.choices.set(index, choice);
    }
    if (typeof given['finish_reason'] === 'string') choice.finishReason = given['finish_reason'];
    if (isObject(given['delta'])) addDelta(choice, given['delta']);
    for (const [name, value] of Object.entries(given))
      if (!CHOICE_FIELDS.includes(name)) choice.extra[name] = joinedDeep(choice.extra[name], value);
  }
}

function addDelta(choice: OpenChoice, delta: Json): void {
  for (const [name, value] of Object.entries(delta)) {
    if (name === 'tool_calls') {
      if (Array.isArray(value)) for (const call of value as unknown[]) addToolCall(choice, call);
    } else if (name !== 'role') choice.message[name] = joined(choice.message[name], value);
  }
}

/** Providers number the parts of parallel calls; one that does not sends each call whole. */
function partIndex(choice: OpenChoice, part: Json): number {
  if (typeof part['index'] === 'number') return part['index'];
  const startsNew = typeof part['id'] === 'string' && part['id'] !== '';
  return startsNew ? choice.toolCalls.size : Math.max(0, choice.toolCalls.size - 1);
}

function addToolCall(choice: OpenChoice, part: unknown): void {
  if (!isObject(part)) return;
  const index = partIndex(choice, part);
  const call = choice.toolCalls.get(index) ?? {
    id: '',
    type: 'function',
    function: { name: '', arguments: '' },
  };
  choice.toolCalls.set(index, call);
  for (const [name, value] of Object.entries(part)) {
    if (name === 'index') continue;
    if (name === 'function') addFunctionPart(call['function'] as Json, value);
    else if (name !== 'id' && name !== 'type') call[name] = joined(call[name], value);
    else if (typeof value === 'string' && value !== '') call[name] = value;
  }
}

function addFunctionPart(target: Json, part: unknown): void {
  if (!isObject(part)) return;
  for (const [name, text] of Object.entries(part))
    // A few providers repeat the whole name in every part.
    if (name !== 'name' || target['name'] !== text) target[name] = joined(target[name], text);
}

/** Texts and lists grow, everything else is replaced; `null` changes nothing. */
function joined(before: unknown, part: unknown): unknown {
  if (part === null || part === undefined) return before ?? null;
  if (typeof part === 'string') return typeof before === 'string' ? before + part : part;
  if (Array.isArray(part))
    return Array.isArray(before) ? [...(before as unknown[]), ...(part as unknown[])] : part;
  return part;
}

/** The same, member by member for objects: lists of log probabilities come in parts. */
function joinedDeep(before: unknown, part: unknown): unknown {
  if (!isObject(before) || !isObject(part)) return joined(before, part);
  const members = Object.entries(part).map(([name, value]) => [name, joined(before[name], value)]);
  return { ...before, ...(Object.fromEntries(members) as Json) };
}

function finishChoice(index: number, choice: OpenChoice): Json {
  if (choice.finishReason === undefined)
    throw new BrokenReply('the stream broke off before its end');
  const calls = [...choice.toolCalls.entries()].sort(([left], [right]) => left - right);
  const message = {
    ...choice.message,
    ...(calls.length > 0 ? { tool_calls: calls.map(([, call]) => call) } : {}),
  };
  return { index, message, finish_reason: choice.finishReason, ...choice.extra };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
