import { type HtmlElement, type HtmlNode, attribute, isElement } from './html-tree';

/** Columns of a table that are kept in order; cells beyond follow one another. */
const MAX_COLUMNS = 2_000;

/** Columns of a table's cells as a browser lays them out: cells of earlier rows and columns may reach over several. */
export class TableGrid {
  /** Rows that each column is still taken by a cell from above. */
  readonly #taken: number[] = [];
  #column = 0;

  beginRow(): void {
    for (let at = 0; at < this.#taken.length; at++)
      this.#taken[at] = Math.max(0, (this.#taken[at] ?? 0) - 1);
    this.#column = 0;
  }

  /** The cell's first column, from 1. */
  place(cell: HtmlElement): number {
    while ((this.#taken[this.#column] ?? 0) > 0) this.#column++;
    const first = this.#column;
    const [rows, columns] = [spanOf(cell, 'rowspan'), spanOf(cell, 'colspan')];
    for (let at = first; at < Math.min(first + columns, MAX_COLUMNS); at++) this.#taken[at] = rows;
    this.#column = first + Math.min(columns, MAX_COLUMNS);
    return first + 1;
  }
}

function spanOf(cell: HtmlElement, name: 'rowspan' | 'colspan'): number {
  const text = attribute(cell, name) ?? '';
  return /^\d{1,5}$/u.test(text) ? Math.max(1, Number(text)) : 1;
}

/** Rows of a table itself, not of tables within its cells. */
export function rowsOf(table: HtmlElement): HtmlElement[] {
  return table.childNodes.filter(isElement).flatMap((child) => {
    if (child.tagName === 'tr') return [child];
    return ['thead', 'tbody', 'tfoot'].includes(child.tagName)
      ? child.childNodes.filter(isElement).filter(({ tagName }) => tagName === 'tr')
      : [];
  });
}

export function isCell(node: HtmlNode): node is HtmlElement {
  return isElement(node) && (node.tagName === 'td' || node.tagName === 'th');
}
