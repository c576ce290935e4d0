/** The part of OpenAI's Chat Completions that we read and write; unknown members are carried along. */
export interface ChatToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  readonly [extra: string]: unknown;
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: string | null;
  readonly refusal?: string | null;
  readonly reasoning_content?: string | null;
  readonly tool_calls?: readonly ChatToolCall[];
  readonly [extra: string]: unknown;
}

export interface ChatChoice {
  readonly index: number;
  readonly message: ChatMessage;
  readonly finish_reason: string | null;
}

export interface ChatCompletion {
  readonly id: string;
  readonly object: 'chat.completion';
  readonly created: number;
  readonly model: string;
  readonly choices: readonly ChatChoice[];
  readonly usage?: Readonly<Record<string, unknown>>;
  readonly [extra: string]: unknown;
}

/** OpenAI's error body. */
export interface ChatError {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: null;
    readonly code: string | null;
  };
}

export function chatError(message: string, type: string, code: string | null): ChatError {
  return { error: { message, type, param: null, code } };
}

type Delta = Readonly<Record<string, unknown>>;

/** Deltas of one message: role first, then reasoning, text, refusal, and each tool call whole. */
function deltasOf(message: ChatMessage): Delta[] {
  const { role, content, refusal, tool_calls: toolCalls, ...extra } = message;
  const deltas: Delta[] = [{ role, content: typeof content === 'string' ? '' : null }];
  // Reasoning and whatever else a provider adds comes before the text, as providers send it.
  for (const [name, value] of Object.entries(extra))
    if (value !== null && value !== undefined) deltas.push({ [name]: value });
  if (typeof content === 'string' && content !== '') deltas.push({ content });
  if (typeof refusal === 'string' && refusal !== '') deltas.push({ refusal });
  (toolCalls ?? []).forEach((call, index) => deltas.push({ tool_calls: [{ ...call, index }] }));
  return deltas;
}

/**
 * The chunks of a streamed reply with the same content as `completion`, ending with a finish reason (harnesses take
 * a stream without one for broken) and, when asked, the usage chunk.
 */
export function completionChunks(completion: ChatCompletion, includeUsage: boolean): object[] {
  const head = {
    id: completion.id,
    object: 'chat.completion.chunk',
    created: completion.created,
    model: completion.model,
  };
  const chunks: object[] = [];
  for (const choice of completion.choices) {
    for (const delta of deltasOf(choice.message))
      chunks.push({ ...head, choices: [{ index: choice.index, delta, finish_reason: null }] });
    const finishReason = choice.finish_reason ?? 'stop';
    chunks.push({
      ...head,
      choices: [{ index: choice.index, delta: {}, finish_reason: finishReason }],
    });
  }
  if (includeUsage) chunks.push({ ...head, choices: [], usage: completion.usage ?? null });
  return chunks;
}

/** A complete `text/event-stream` body, `[DONE]` included. JSON never holds a raw line break, so lines stay whole. */
export function completionToEventStream(completion: ChatCompletion, includeUsage: boolean): string {
  const events = completionChunks(completion, includeUsage).map(
    (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
  );
  return `${events.join('')}data: [DONE]\n\n`;
}
