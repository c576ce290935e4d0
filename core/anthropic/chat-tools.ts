import { isObject, type Json, objectsOf, reportUnknown } from './json';

/** Anthropic's tools as function tools. A tool of the provider's own keeps its type: the request filter drops it. */
export function chatTools(tools: unknown, dropped: Set<string>): Json[] | undefined {
  if (!Array.isArray(tools)) return undefined;
  return objectsOf(tools).map((tool) => {
    const { type, name, description, input_schema: parameters, strict } = tool;
    if (type !== undefined && type !== null && type !== 'custom') return { type };
    reportUnknown(
      tool,
      ['type', 'name', 'description', 'input_schema', 'strict'],
      'tools[].',
      dropped,
    );
    return {
      type: 'function',
      function: {
        name,
        ...(description === undefined ? {} : { description }),
        ...(parameters === undefined ? {} : { parameters }),
        ...(typeof strict === 'boolean' ? { strict } : {}),
      },
    };
  });
}

const CHOICES: ReadonlyMap<string, string> = new Map(
  Object.entries({ auto: 'auto', any: 'required', none: 'none' }),
);

/** `tool_choice` and `parallel_tool_calls`. */
export function chatToolChoice(choice: unknown, dropped: Set<string>): Json {
  if (choice === undefined || choice === null) return {};
  const given = isObject(choice) ? choice : {};
  const { type, name } = given;
  const parallel =
    given['disable_parallel_tool_use'] === true ? { parallel_tool_calls: false } : {};
  if (type === 'tool' && typeof name === 'string')
    return { tool_choice: { type: 'function', function: { name } }, ...parallel };
  const simple = CHOICES.get(String(type));
  if (simple !== undefined) return { tool_choice: simple, ...parallel };
  dropped.add('tool_choice');
  return parallel;
}

/** Function tools as Anthropic's. */
export function messagesTools(tools: unknown): Json[] {
  return objectsOf(tools).flatMap((tool) => {
    if (!isObject(tool['function'])) return [];
    const { name, description, parameters, strict } = tool['function'];
    return [
      {
        name,
        ...(description === undefined ? {} : { description }),
        input_schema: parameters ?? { type: 'object', properties: {} },
        ...(typeof strict === 'boolean' ? { strict } : {}),
      },
    ];
  });
}

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ auto: 'auto', required: 'any', none: 'none' }),
);

/** Anthropic's `tool_choice` for a Chat Completions request with tools; `parallel_tool_calls` is a part of it. */
export function messagesToolChoice(body: Json): Json | undefined {
  const choice = body['tool_choice'];
  const alone = body['parallel_tool_calls'] === false ? { disable_parallel_tool_use: true } : {};
  if (choice === 'none') return { type: 'none' };
  if (typeof choice === 'string') return { type: TYPES.get(choice) ?? 'auto', ...alone };
  if (isObject(choice) && isObject(choice['function']))
    return { type: 'tool', name: choice['function']['name'], ...alone };
  return Object.keys(alone).length > 0 ? { type: 'auto', ...alone } : undefined;
}
