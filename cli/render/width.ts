const WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;
const ELLIPSIS = '...';

/** Columns a text takes in a terminal: East Asian characters take two, combining marks none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text)
    width += /\p{M}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** Cuts to `width` columns, with `...` where something is left out. */
export function fitWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  return `${headOf(text, width - ELLIPSIS.length)}${ELLIPSIS}`;
}

/** The same, but left out is the middle: ids differ at their end, and marks stand there. */
export function fitMiddle(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const room = Math.max(0, width - ELLIPSIS.length);
  const tail = tailOf(text, Math.ceil(room * 0.75));
  return `${headOf(text, room - displayWidth(tail))}${ELLIPSIS}${tail}`;
}

/** Breaks a text into lines of at most `width` columns, between words where it can. */
export function wrapWords(text: string, width: number): string[] {
  if (width < 1 || displayWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (displayWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (displayWidth(line) > width) {
      const characters = Array.from(line);
      const head = withinWidth(characters, width);
      // One character may be wider than the column.
      const taken = Math.max(1, head.length);
      lines.push(characters.slice(0, taken).join(''));
      line = characters.slice(taken).join('');
    }
  }
  return line === '' ? lines : [...lines, line];
}

function headOf(text: string, width: number): string {
  return withinWidth(text, width).join('');
}

function tailOf(text: string, width: number): string {
  return withinWidth(Array.from(text).reverse(), width).reverse().join('');
}

function withinWidth(characters: Iterable<string>, width: number): string[] {
  const kept: string[] = [];
  let used = 0;
  for (const character of characters) {
    used += displayWidth(character);
    if (used > width) break;
    kept.push(character);
  }
  return kept;
}

/** Columns of a terminal; `undefined` for a file or a pipe, which get everything whole. */
export function terminalWidth(output: {
  readonly isTTY?: boolean;
  readonly columns?: number;
}): number | undefined {
  return output.isTTY === true && (output.columns ?? 0) > 0 ? output.columns : undefined;
}
