import { escapeText } from './escape';

const WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;

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
  let kept = '';
  for (const character of text) {
    if (displayWidth(kept + character) > width - 3) break;
    kept += character;
  }
  return `${kept}...`;
}

/** Lines cut to the width of a terminal; into a file or a pipe they go whole. */
export function fitLines(
  text: string,
  output: { readonly isTTY?: boolean; readonly columns?: number },
): string {
  const { isTTY, columns } = output;
  if (isTTY !== true || columns === undefined) return text;
  return text
    .split('\n')
    .map((line) => fitWidth(line, columns))
    .join('\n');
}

/** A plain table: text columns to the left, columns named in `right` to the right. Cells are escaped here. */
export function renderTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  right: (column: number) => boolean = () => false,
): string {
  const lines = [columns, ...rows].map((row) => row.map(escapeText));
  const widths = columns.map((_column, index) =>
    Math.max(...lines.map((line) => displayWidth(line[index] ?? ''))),
  );
  return lines
    .map((line) =>
      columns
        .map((_column, index) => {
          const cell = line[index] ?? '';
          const pad = ' '.repeat((widths[index] ?? 0) - displayWidth(cell));
          return right(index) ? pad + cell : cell + pad;
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
