/**
 * Text from models and files for one line of a terminal or a message: control characters, escape sequences, text that
 * changes the writing direction and invisible characters are shown as `\u{1b}`, so that nothing can move the cursor,
 * hide or forge a line. Done twice it changes nothing.
 */
export function escapeText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}]/gu, visible);
}

function visible(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
