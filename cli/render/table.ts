import { escapeText } from './escape';
import { fitCell, layOut } from './fit-table';

export interface TableStyle {
  /** Columns of figures: to the right, and never cut. @default none */
  readonly right?: (column: number) => boolean;
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
  const { right = () => false, width = Number.POSITIVE_INFINITY } = style;
  const lines = [columns, ...rows].map((row) =>
    columns.map((_name, at) => escapeText(row[at] ?? '')),
  );
  return layOut(lines, right, width)
    .map((block) =>
      lines
        .map((line) =>
          block.columns
            .map((column, at) =>
              fitCell(line[column] ?? '', column, block.widths[at] ?? 0, right(column)),
            )
            .join('  ')
            .trimEnd(),
        )
        .join('\n'),
    )
    .join('\n\n');
}
