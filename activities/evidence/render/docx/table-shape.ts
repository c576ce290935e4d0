import { colourWords } from '../colour-words';
import { type TableShape, describeShape, emptyShape } from '../table-shape';
import { type XmlElement, child, elements } from '../xml';
import { backgroundOf } from './colour';
import { isOn } from './styles';

/** Rows or cells, also those wrapped in content controls or tracked insertions. */
export function unwrap(parent: XmlElement, name: string): XmlElement[] {
  return elements(parent).flatMap((element) => {
    if (element.name === name) return [element];
    return /^(?:sdt|sdtContent|customXml|ins|del|moveTo|moveFrom|smartTag)$/u.test(element.name)
      ? unwrap(element, name)
      : [];
  });
}

/** Columns of the grid that a row leaves free before its first cell. */
export function gridSkip(row: XmlElement): number {
  return Number(child(row, 'trPr', 'gridBefore')?.attributes['val'] ?? 0);
}

/** Columns of the grid that a cell takes. */
export function gridSpan(cell: XmlElement): number {
  return Number(child(cell, 'tcPr', 'gridSpan')?.attributes['val'] ?? 1) || 1;
}

/** Whether a cell continues the one above. */
export function isContinued(cell: XmlElement): boolean {
  const merge = child(cell, 'tcPr', 'vMerge');
  return merge !== undefined && merge.attributes['val'] !== 'restart';
}

/** Size, merged cells, shaded cells and header rows of a table, in words. */
export function describeTable(table: XmlElement): string {
  const shape = emptyShape();
  for (const line of unwrap(table, 'tr')) {
    shape.rows++;
    const header = child(line, 'trPr', 'tblHeader');
    if (header && isOn(header)) shape.headerRows++;
    if (child(line, 'trPr', 'ins')) shape.changes.push(`row ${shape.rows} was put in (tracked)`);
    if (child(line, 'trPr', 'del')) shape.changes.push(`row ${shape.rows} is taken out (tracked)`);
    let column = 1 + gridSkip(line);
    for (const cell of unwrap(line, 'tc')) {
      const span = gridSpan(cell);
      addCell(shape, cell, column, span);
      column += span;
    }
    shape.columns = Math.max(shape.columns, column - 1);
  }
  return describeShape(shape);
}

function addCell(shape: TableShape, cell: XmlElement, column: number, span: number): void {
  const row = shape.rows;
  const toColumn = column + span - 1;
  const above = shape.merged.findLast(
    (each) => each.column === column && each.toColumn === toColumn && each.toRow === row - 1,
  );
  if (isContinued(cell)) {
    if (above?.isTall === true) above.toRow = row;
    return;
  }
  const isTall = child(cell, 'tcPr', 'vMerge') !== undefined;
  if (isTall || span > 1) shape.merged.push({ row, toRow: row, column, toColumn, isTall });
  const fill = backgroundOf(child(cell, 'tcPr'));
  const colour = fill === undefined ? undefined : colourWords(fill);
  if (colour !== undefined) shape.fills.push({ row, column, colour });
}
