import { cellName } from '../../../../core/cell-range';
import { type CellFact, type CellFlag } from '../../../../core/workbook-facts';
import { plainFormula } from './formula';
import { type ListingBudget } from './listing-budget';
import { shownText } from './number-format';
import { formatColorWords } from './look';
import { type RawCell } from './sheet-scan';
import { type CellStyle, type WorkbookStyles } from './styles';

type CellValue = string | number | boolean;

export interface CellContext {
  readonly strings: readonly string[];
  readonly styles: WorkbookStyles;
  /** Parts of shared texts that look otherwise than the rest, by the text's number. */
  readonly richTexts?: ReadonlyMap<number, string>;
  readonly date1904: boolean;
  readonly budget: ListingBudget;
  /** Called for a shared text that the file does not have. */
  readonly onMissingString?: () => void;
}

/** The value a part stores for a cell; `undefined` where a formula has none. */
export function storedValue(
  cell: Pick<RawCell, 'text' | 'type'>,
  { strings, onMissingString }: Pick<CellContext, 'strings' | 'onMissingString'>,
): CellValue | undefined {
  const { text, type } = cell;
  if (text === undefined) return undefined;
  switch (type) {
    case 's': {
      const shared = text.trim() === '' ? undefined : strings[Number(text)];
      if (shared === undefined) onMissingString?.();
      return shared ?? '';
    }
    case 'b':
      return text === '1' || text === 'true';
    case 'n': {
      if (text.trim() === '') return undefined;
      const number = Number(text);
      return Number.isFinite(number) ? number : text;
    }
    case 'd':
      return dateSerial(text) ?? text;
    default:
      return text;
  }
}

/** Days since the end of 1899 of an ISO date, as cells without that type store dates. */
function dateSerial(text: string): number | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?)?Z?$/u.exec(
    text.trim(),
  );
  if (!match) return undefined;
  const [, year, month, day, hours = '0', minutes = '0', seconds = '0'] = match;
  const days = Date.UTC(Number(year), Number(month) - 1, Number(day)) / 86_400_000 + 25_569;
  return days + (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400;
}

/** A cell's facts without recalculation: what is shown of a formula without stored value comes later. */
export function cellFact(cell: RawCell, context: CellContext): CellFact {
  const { budget } = context;
  const stored = storedValue(cell, context);
  const value = typeof stored === 'string' ? budget.text(stored) : stored;
  const style = context.styles.of(cell.style);
  const shown = shownText(value ?? null, style.format, context.date1904);
  const unseen =
    style.unseen ?? (isShownAsNothing(value, shown) ? 'format that shows nothing' : undefined);
  const look = lookOf(cell, style, value, context);
  return {
    ref: cellName(cell.row, cell.column),
    value: value ?? null,
    shown,
    ...(look === '' ? {} : { look }),
    ...(style.format === 'General' ? {} : { format: budget.text(style.format) }),
    ...(cell.formula === undefined ? {} : formulaFacts(cell, cell.formula, value, budget)),
    ...(cell.type === 'e' && typeof value === 'string' ? { error: value } : {}),
    ...flagFacts(cell, value, { unseen, isUnlocked: style.unlocked === true }),
  };
}

function lookOf(
  cell: RawCell,
  style: CellStyle,
  value: CellValue | undefined,
  { richTexts }: CellContext,
): string {
  const rich = cell.type === 's' ? richTexts?.get(Number(cell.text)) : cell.richText;
  return [style.look, ...formatColorWords(style.format, value), rich].filter(Boolean).join(', ');
}

function formulaFacts(
  cell: RawCell,
  formula: string,
  value: CellValue | undefined,
  budget: ListingBudget,
): Pick<CellFact, 'formula' | 'cached' | 'array'> {
  return {
    formula: `=${budget.text(plainFormula(formula))}`,
    ...(value === undefined ? {} : { cached: value }),
    ...(cell.array === undefined
      ? {}
      : { array: { range: cell.array, isDynamic: cell.hasMetadata === true } }),
  };
}

function flagFacts(
  cell: RawCell,
  value: CellValue | undefined,
  { unseen, isUnlocked }: { readonly unseen: string | undefined; readonly isUnlocked: boolean },
): Pick<CellFact, 'flags' | 'unseen'> {
  const asText = cell.type === 's' || cell.type === 'inlineStr';
  const flags: CellFlag[] = [
    ...(asText && isNumberAsText(value) ? (['number-as-text'] as const) : []),
    ...(unseen === undefined ? [] : (['unseen'] as const)),
    ...(isUnlocked ? (['unlocked'] as const) : []),
  ];
  return {
    ...(flags.length > 0 ? { flags } : {}),
    ...(unseen === undefined ? {} : { unseen }),
  };
}

/** A format such as `;;;` hides a value; that zeros are not shown is common and hides nothing. */
function isShownAsNothing(value: CellValue | undefined, shown: string): boolean {
  if (value === undefined || value === 0 || shown.trim() !== '') return false;
  return typeof value !== 'string' || value.trim() !== '';
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
