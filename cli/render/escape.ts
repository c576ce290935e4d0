import { escapeText } from '../../core/escape-text';

export { escapeText };

/** Like `escapeText`, but line breaks and tabs stay; for text that is shown as a block. */
export function escapeBlock(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.split('\t').map(escapeText).join('    '))
    .join('\n');
}
