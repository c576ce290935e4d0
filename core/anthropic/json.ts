/** A JSON object as it came: nothing is known of its members. */
export type Json = Readonly<Record<string, unknown>>;

/** Stands where Chat Completions wants a name for a schema that has none. */
export const UNNAMED_SCHEMA = 'response';

/** A translation, and what the other side has no words for (paths such as `messages[].content[].citations`). */
export interface Translated {
  readonly body: Json;
  readonly dropped: readonly string[];
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; nothing for what is no list. */
export function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Adds each member that `known` does not name to what is reported, under `prefix`. */
export function reportUnknown(
  given: Json,
  known: readonly string[],
  prefix: string,
  dropped: Set<string>,
): void {
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && value !== null && !known.includes(name))
      dropped.add(`${prefix}${name.slice(0, 40)}`);
}

/** System text inside a conversation, marked as harnesses mark it. */
export function systemReminder(text: string): string {
  return text.trimStart().startsWith('<system-reminder>')
    ? text
    : `<system-reminder>\n${text}\n</system-reminder>`;
}

/** Tool arguments as an object; text that is none is kept under `raw`, as in transcripts. */
export function parseArguments(text: unknown): Json {
  if (isObject(text)) return text;
  if (typeof text !== 'string' || text.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed)) return parsed;
  } catch {
    // The model's own mistake: it is told by its tool.
  }
  return { raw: text };
}
