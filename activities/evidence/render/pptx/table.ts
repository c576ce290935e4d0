import { type TextMark } from '../../../../core/evidence-view';
import { type TableShape, describeShape, emptyShape } from '../table-shape';
import { type XmlElement, child, elements } from '../xml';
import { fillColour } from './marks';
import { type SlideParagraph, paragraphsOf } from './paragraphs';

export interface SlideCell {
  readonly row: number;
  readonly column: number;
  readonly text: string;
  readonly marks: readonly TextMark[];
  readonly links: SlideParagraph['links'];
}

/** Cells of a slide's table in order, without what merged cells cover, and what the table looks like, in words. */
export function readSlideTable(table: XmlElement): {
  readonly description: string;
  readonly cells: readonly SlideCell[];
} {
  const shape = emptyShape();
  const cells: SlideCell[] = [];
  elements(table, 'tr').forEach((line, rowIndex) => {
    shape.rows++;
    elements(line, 'tc').forEach((cell, columnIndex) => {
      shape.columns = Math.max(shape.columns, columnIndex + 1);
      if (isTrue(cell.attributes['hMerge']) || isTrue(cell.attributes['vMerge'])) return;
      const [row, column] = [rowIndex + 1, columnIndex + 1];
      addToShape(shape, cell, row, column);
      const paragraphs = paragraphsOf(child(cell, 'txBody'));
      cells.push({
        row,
        column,
        text: paragraphs
          .map(({ text }) => text)
          .join('\n')
          .trim(),
        marks: paragraphs.flatMap(({ marks }) => marks),
        links: paragraphs.flatMap(({ links }) => links),
      });
    });
  });
  return { description: describeShape(shape), cells };
}

function addToShape(shape: TableShape, cell: XmlElement, row: number, column: number): void {
  const [wide, tall] = ['gridSpan', 'rowSpan'].map(
    (name) => Number(cell.attributes[name] ?? 1) || 1,
  );
  const [toRow, toColumn] = [row + (tall ?? 1) - 1, column + (wide ?? 1) - 1];
  shape.merged.push({ row, toRow, column, toColumn, isTall: false });
  const colour = fillColour(child(cell, 'tcPr', 'solidFill'));
  if (colour !== undefined) shape.fills.push({ row, column, colour });
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
