import { isObject, type Json, objectsOf } from '../anthropic/json';

/**
 * Function tools as the Responses API spells them. There a tool without `strict` is strict, in Chat Completions it is
 * not: what was meant is said.
 */
export function responseTools(tools: unknown): Json[] {
  return objectsOf(tools).flatMap((tool) => {
    if (!isObject(tool['function'])) return [];
    const { name, description, parameters, strict } = tool['function'];
    return [
      {
        type: 'function',
        name,
        ...(description === undefined ? {} : { description }),
        parameters: parameters ?? { type: 'object', properties: {} },
        strict: strict === true,
      },
    ];
  });
}

export function responseToolChoice(choice: unknown, dropped: Set<string>): Json {
  if (choice === undefined || choice === null) return {};
  if (choice === 'auto' || choice === 'none' || choice === 'required')
    return { tool_choice: choice };
  if (isObject(choice) && choice['type'] === 'function' && isObject(choice['function']))
    return { tool_choice: { type: 'function', name: choice['function']['name'] } };
  dropped.add('tool_choice');
  return {};
}
