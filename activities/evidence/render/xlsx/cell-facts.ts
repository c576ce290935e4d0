import { cellName } from '../../../../core/cell-range';
import { type CellFact } from '../../../../core/evidence-view';
import { shownText } from './number-format';
import { type RawCell } from './sheet-scan';
import { type CellStyles } from './styles';

type CellValue = string | number | boolean;

export interface CellContext {
  readonly strings: readonly string[];
  readonly styles: CellStyles;
  readonly date1904: boolean;
}

/** The value a part stores for a cell; `undefined` where a formula has none. */
export function storedValue(cell: RawCell, strings: readonly string[]): CellValue | undefined {
  const { text, type } = cell;
  if (text === undefined) return undefined;
  switch (type) {
    case 's':
      return strings[Number(text)] ?? '';
    case 'b':
      return text === '1' || text === 'true';
    case 'n': {
      const number = Number(text);
      if (text.trim() === '') return undefined;
      return Number.isNaN(number) ? text : number;
    }
    default:
      return text;
  }
}

/** A cell's facts without recalculation: what is shown of a formula without stored value comes later. */
export function cellFact(cell: RawCell, context: CellContext): CellFact {
  const value = storedValue(cell, context.strings);
  const { format, unseen } = context.styles(cell.style);
  const asText = cell.type === 's' || cell.type === 'inlineStr';
  const flags = [
    ...(asText && isNumberAsText(value) ? (['number-as-text'] as const) : []),
    ...(unseen ? (['unseen'] as const) : []),
  ];
  return {
    ref: cellName(cell.row, cell.column),
    value: value ?? null,
    shown: shownText(value ?? null, format, context.date1904),
    ...(format === 'General' ? {} : { format }),
    ...(cell.formula === undefined ? {} : { formula: `=${cell.formula}` }),
    ...(cell.formula === undefined || value === undefined ? {} : { cached: value }),
    ...(cell.type === 'e' && typeof value === 'string' ? { error: value } : {}),
    ...(flags.length > 0 ? { flags } : {}),
  };
}

/** A number kept as text; identifiers with leading zeros or over 15 digits are meant to be text. */
export function isNumberAsText(value: CellValue | undefined): boolean {
  return (
    typeof value === 'string' &&
    value.length <= 24 &&
    /^\s*[-+(]?[$¥￥€£]?\s*(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?\s*%?\)?\s*$/u.test(
      value,
    )
  );
}
