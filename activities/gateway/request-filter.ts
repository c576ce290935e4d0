/** Fields of a request that are passed on; whatever else a harness sends is dropped and reported. */
export const ALLOWED_FIELDS = [
  'frequency_penalty',
  'max_completion_tokens',
  'max_tokens',
  'parallel_tool_calls',
  'presence_penalty',
  'reasoning_effort',
  'response_format',
  'seed',
  'stop',
  'temperature',
  'top_p',
] as const;
export const ALLOWED_MESSAGE_FIELDS = [
  'content',
  'name',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'refusal',
  'role',
  'tool_call_id',
  'tool_calls',
] as const;
/** `extra_content` carries signatures that some models want back with their own tool calls. */
export const ALLOWED_TOOL_CALL_FIELDS = ['extra_content', 'function', 'id', 'type'] as const;
export const ALLOWED_FUNCTION_FIELDS = ['description', 'name', 'parameters', 'strict'] as const;
export const ROLES = ['assistant', 'developer', 'system', 'tool', 'user'] as const;
export const IMAGE_TYPES = ['image/gif', 'image/jpeg', 'image/png', 'image/webp'] as const;

const SILENTLY_HANDLED = new Set([
  'model',
  'messages',
  'tools',
  'tool_choice',
  'stream',
  'stream_options',
]);
/** Names of a request that are reported as left out; a hostile one could hold any number. */
export const MOST_REPORTED = 50;

type Json = Record<string, unknown>;

/** What a harness speaks: OpenAI's Chat Completions or Anthropic's Messages. */
export type HarnessProtocol = 'chat-completions' | 'messages';

/** A request as it may go to the provider (without `model` and `stream`), and how the harness wants its reply. */
export interface FilteredRequest {
  readonly body: Readonly<Json>;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** Non-empty tools that the model may call. */
  readonly main: boolean;
  readonly dropped: readonly string[];
  /** How the harness wants its answer spelled. @default 'chat-completions' */
  readonly protocol?: HarnessProtocol;
}

/** A request that no provider could answer; told to the harness as HTTP 400. */
export class BadRequest extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadRequest';
  }
}

/** Rebuilds a request from the allowed fields. `maxOutputTokens` bounds what may be asked for in one reply. */
export function filterRequest(given: unknown, maxOutputTokens: number): FilteredRequest {
  if (!isObject(given)) throw new BadRequest('the body is not a JSON object');
  const dropped = new Set<string>();
  const body: Json = { messages: filterMessages(given['messages'], dropped) };
  for (const name of ALLOWED_FIELDS)
    if (given[name] !== undefined && given[name] !== null) body[name] = given[name];
  for (const name of Object.keys(given))
    if (!SILENTLY_HANDLED.has(name) && !(ALLOWED_FIELDS as readonly string[]).includes(name))
      dropped.add(name);
  boundOutput(body, maxOutputTokens, dropped);
  const tools = filterTools(given['tools'], dropped);
  if (tools.length > 0) {
    body['tools'] = tools;
    const choice = filterToolChoice(given['tool_choice'], dropped);
    if (choice !== undefined) body['tool_choice'] = choice;
  }
  const streamOptions = given['stream_options'];
  return {
    body,
    stream: given['stream'] === true,
    includeUsage: isObject(streamOptions) && streamOptions['include_usage'] === true,
    main: tools.length > 0 && body['tool_choice'] !== 'none',
    dropped: [...dropped].slice(0, MOST_REPORTED),
  };
}

function boundOutput(body: Json, maxOutputTokens: number, dropped: Set<string>): void {
  for (const name of ['max_tokens', 'max_completion_tokens']) {
    const asked = body[name];
    if (asked === undefined) continue;
    if (typeof asked !== 'number' || !(asked > 0)) {
      Reflect.deleteProperty(body, name);
      dropped.add(name);
    } else body[name] = Math.min(asked, maxOutputTokens);
  }
  if (body['max_tokens'] === undefined && body['max_completion_tokens'] === undefined)
    body['max_tokens'] = maxOutputTokens;
}

function filterMessages(messages: unknown, dropped: Set<string>): Json[] {
  if (!Array.isArray(messages) || messages.length === 0)
    throw new BadRequest('messages must be a list with at least one message');
  return (messages as unknown[]).map((message, index) => {
    if (!isObject(message) || !(ROLES as readonly unknown[]).includes(message['role']))
      throw new BadRequest(`messages[${index}].role must be one of ${ROLES.join(', ')}`);
    const kept = pick(message, ALLOWED_MESSAGE_FIELDS, 'messages[].', dropped);
    refuseOtherShapes(kept, index);
    if (Array.isArray(kept['content'])) kept['content'] = filterParts(kept['content'], dropped);
    if (Array.isArray(kept['tool_calls']))
      kept['tool_calls'] = (kept['tool_calls'] as unknown[])
        .filter(isObject)
        .filter((call) => isFunctionCall(call, dropped))
        .map((call) => pick(call, ALLOWED_TOOL_CALL_FIELDS, 'messages[].tool_calls[].', dropped));
    return kept;
  });
}

/** Calls of other kinds are of tools that are never passed on. */
function isFunctionCall({ type }: Json, dropped: Set<string>): boolean {
  if (type === undefined || type === null || type === 'function') return true;
  const kind = typeof type === 'string' ? type.slice(0, 40) : 'unknown';
  dropped.add(`messages[].tool_calls[] of type ${kind}`);
  return false;
}

/** What is filtered part by part must be a list: a lenient server would read a single part, and fetch its image. */
function refuseOtherShapes({ content, tool_calls: calls }: Json, index: number): void {
  if (typeof content === 'object' && content !== null && !Array.isArray(content))
    throw new BadRequest(`messages[${index}].content must be a text or a list of parts`);
  if (calls !== undefined && calls !== null && !Array.isArray(calls))
    throw new BadRequest(`messages[${index}].tool_calls must be a list`);
}

function filterParts(parts: readonly unknown[], dropped: Set<string>): Json[] {
  return parts.map((part) => {
    if (!isObject(part)) return removed('content', dropped);
    if (part['type'] === 'text' && typeof part['text'] === 'string')
      return pick(part, ['type', 'text'], PART, dropped);
    if (part['type'] === 'refusal' && typeof part['refusal'] === 'string')
      return pick(part, ['type', 'refusal'], PART, dropped);
    if (part['type'] === 'image_url') {
      pick(part, ['type', 'image_url'], PART, dropped);
      return filterImage(part['image_url'], dropped);
    }
    return removed(
      typeof part['type'] === 'string' ? part['type'].slice(0, 40) : 'content',
      dropped,
    );
  });
}

const PART = 'messages[].content[].';

/** Only images inside the request: an address would make the provider fetch something for the agent. */
function filterImage(image: unknown, dropped: Set<string>): Json {
  const url = isObject(image) ? image['url'] : undefined;
  if (
    typeof url !== 'string' ||
    !IMAGE_TYPES.some((type) => url.startsWith(`data:${type};base64,`))
  )
    return removed('image', dropped);
  const prefix = `${PART}image_url.`;
  const { detail } = pick(image as Json, ['url', 'detail'], prefix, dropped);
  if (detail === undefined || detail === null) return { type: 'image_url', image_url: { url } };
  if (detail === 'low' || detail === 'high' || detail === 'auto')
    return { type: 'image_url', image_url: { url, detail } };
  dropped.add(`${prefix}detail`);
  return { type: 'image_url', image_url: { url } };
}

function removed(what: string, dropped: Set<string>): Json {
  dropped.add(`messages[].content[] of type ${what}`);
  return { type: 'text', text: `[${what} removed: only text and inline images are passed on]` };
}

/** Function tools only: what a provider would run on its own servers is dropped. */
function filterTools(tools: unknown, dropped: Set<string>): Json[] {
  if (tools === undefined || tools === null) return [];
  if (!Array.isArray(tools)) throw new BadRequest('tools must be a list');
  const kept: Json[] = [];
  for (const tool of tools as unknown[]) {
    const given = isObject(tool) && tool['type'] === 'function' ? tool['function'] : undefined;
    if (isObject(given) && typeof given['name'] === 'string')
      kept.push({
        type: 'function',
        function: pick(given, ALLOWED_FUNCTION_FIELDS, 'tools[].function.', dropped),
      });
    else
      dropped.add(
        `tools[] of type ${isObject(tool) ? String(tool['type']).slice(0, 40) : 'unknown'}`,
      );
  }
  return kept;
}

function filterToolChoice(choice: unknown, dropped: Set<string>): unknown {
  if (choice === undefined || choice === null) return undefined;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  if (isObject(choice) && choice['type'] === 'function' && isObject(choice['function'])) {
    const { name } = choice['function'];
    if (typeof name === 'string') return { type: 'function', function: { name } };
  }
  dropped.add('tool_choice');
  return undefined;
}

function pick(given: Json, allowed: readonly string[], prefix: string, dropped: Set<string>): Json {
  const kept: Json = {};
  for (const [name, value] of Object.entries(given))
    if (allowed.includes(name)) kept[name] = value;
    else dropped.add(`${prefix}${name.slice(0, 40)}`);
  return kept;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
