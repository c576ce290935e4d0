/**
 * JSON for a terminal or a file: the same value as `JSON.stringify` writes, its control characters, writing directions
 * and invisible characters as `\uXXXX`, so that a terminal that shows it obeys nothing in it.
 */
export function toJson(
  value: unknown,
  replacer?: (key: string, value: unknown) => unknown,
  indent = 2,
): string {
  return JSON.stringify(value, replacer, indent).replaceAll(
    /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}]/gu,
    (character) =>
      Array.from({ length: character.length }, (_, at) => unit(character, at)).join(''),
  );
}

function unit(text: string, at: number): string {
  return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
}
