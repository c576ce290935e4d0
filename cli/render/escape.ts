/**
 * Text from models and files for a terminal: control characters, escape sequences, text that changes the writing
 * direction and invisible characters are shown as `\u{1b}`, so that nothing can move the cursor, hide or forge a line.
 */
export function escapeText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}]/gu, visible);
}

/** Like `escapeText`, but line breaks and tabs stay; for text that is shown as a block. */
export function escapeBlock(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.split('\t').map(escapeText).join('    '))
    .join('\n');
}

function visible(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
