import { escapeText } from './escape';
import { fitCell, layOut, type TableBlock } from './fit-table';
import { wrapWords } from './width';

export interface TableStyle {
  /** Columns of figures: to the right, and never cut. @default none */
  readonly right?: (column: number) => boolean;
  /** Columns whose cells go on in further lines instead of being cut. @default none */
  readonly wrap?: (column: number) => boolean;
  /** Of the terminal, in columns; see `terminalWidth`. @default as wide as the content */
  readonly width?: number | undefined;
}

/**
 * A plain table; cells are escaped here. On a terminal that is too narrow, columns of text are shortened, and what
 * still does not fit follows below with the first column again, so that no line wraps.
 */
export function renderTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  style: TableStyle = {},
): string {
  const { right = () => false, wrap = () => false, width = Number.POSITIVE_INFINITY } = style;
  const lines = [columns, ...rows].map((row) =>
    columns.map((_name, at) => escapeText(row[at] ?? '')),
  );
  return layOut(lines, right, width, wrap)
    .map((block) => lines.flatMap((line) => drawRow(line, block, right, wrap)).join('\n'))
    .join('\n\n');
}

/** A row's lines: one, or more where a cell goes on below. */
function drawRow(
  line: readonly string[],
  { columns, widths, wrapsFirst }: TableBlock,
  right: (column: number) => boolean,
  wrap: (column: number) => boolean,
): string[] {
  const cells = columns.map((column, at) => {
    const cell = line[column] ?? '';
    const goesOn = column === 0 ? wrapsFirst : wrap(column);
    return goesOn ? wrapWords(cell, widths[at] ?? 0) : [cell];
  });
  const height = Math.max(...cells.map((parts) => parts.length));
  return Array.from({ length: height }, (_line, row) =>
    columns
      .map((column, at) => fitCell(cells[at]?.[row] ?? '', column, widths[at] ?? 0, right(column)))
      .join('  ')
      .trimEnd(),
  );
}
