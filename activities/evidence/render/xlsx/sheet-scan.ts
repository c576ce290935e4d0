import { type CellRange, LAST_COLUMN, LAST_ROW, parseCell } from '../../../../core/cell-range';
import { type OfficePackage } from '../package';
import { streamXml } from '../stream-xml';
import { moveFormula } from './formula';
import { type ListingBudget } from './listing-budget';
import { unescapeControls } from './shared-strings';
import { RichRuns } from './rich-runs';
import { LayoutReader } from './sheet-layout';
import { RuleReader } from './sheet-rules';

/** A cell as the sheet part has it; `text` is the content of `v` or of an inline string. */
export interface RawCell {
  readonly row: number;
  readonly column: number;
  readonly style: number | undefined;
  readonly type: string;
  readonly text: string | undefined;
  readonly formula: string | undefined;
  readonly isRowHidden: boolean;
  /** Range of an array formula that begins here. */
  readonly array?: string;
  /** How parts of its own text look. */
  readonly richText?: string;
  /** The cell has metadata, as the first one of a dynamic array does. */
  readonly hasMetadata?: boolean;
}

/** What a sheet part says, read in one pass. */
export interface SheetScan {
  /** The first cells, as many as the budget allows; the counts and bounds are over all of them. */
  cells: RawCell[];
  cellCount: number;
  formulaCount: number;
  errorCount: number;
  bounds: { -readonly [Side in keyof CellRange]: CellRange[Side] } | undefined;
  /** Cells whose address no sheet has; they are left out. */
  outside: number;
  /** Rows or cells stand in another order than that of a sheet, or twice. */
  isDisordered: boolean;
  readonly layout: LayoutReader;
  readonly rules: RuleReader;
}

export interface ScanOptions {
  readonly budget: ListingBudget;
  /** How styles and colours of rules are put into words. */
  readonly look?: ConstructorParameters<typeof RuleReader>[0];
  /** Called for each cell, those that are not listed too. */
  readonly onCell?: (cell: RawCell) => void;
  /** Called for each cell that has a style and nothing else. */
  readonly onEmpty?: (row: number, column: number, style: number) => void;
}

/** Streams a sheet part. Cells without content and without formula do not count. Throws `Unreadable`. */
export async function scanSheet(
  parts: OfficePackage,
  part: string,
  options: ScanOptions,
): Promise<SheetScan> {
  const reader = new SheetReader(options);
  await streamXml(parts, part, {
    open: (name, attributes) => reader.open(name, attributes),
    close: (name) => reader.close(name),
    text: (text) => reader.text(text),
  });
  return reader.scan;
}

interface OpenFormula {
  readonly kind: string;
  readonly sharedIndex: string | undefined;
  readonly range: string | undefined;
  readonly inputs: string;
  text: string;
}

const NO_LOOK: NonNullable<ScanOptions['look']> = {
  differential: () => '',
  color: () => undefined,
};
const MAX_FORMULA = 32_768;

class SheetReader {
  private readonly rules: RuleReader;
  private readonly layout = new LayoutReader();
  readonly scan: SheetScan;
  private row = 0;
  private column = 0;
  private isRowHidden = false;
  private cell: { style: number | undefined; type: string; hasMetadata: boolean } | undefined;
  private value: string | undefined;
  private formula: OpenFormula | undefined;
  private readonly shared = new Map<string, { formula: string; row: number; column: number }>();
  private phonetic = 0;
  private readonly runs: RichRuns;
  /** Where text goes at the moment. */
  private sink: ((text: string) => void) | undefined;

  constructor(private readonly options: ScanOptions) {
    this.rules = new RuleReader(options.look ?? NO_LOOK);
    this.runs = new RichRuns({ of: (options.look ?? NO_LOOK).color });
    this.scan = {
      cells: [],
      cellCount: 0,
      formulaCount: 0,
      errorCount: 0,
      bounds: undefined,
      outside: 0,
      isDisordered: false,
      layout: this.layout,
      rules: this.rules,
    };
  }

  text(text: string): void {
    this.sink?.(text);
  }

  private readonly toValue = (text: string): void => {
    this.value = this.value === undefined ? text : this.value + text;
    if (this.cell?.type === 'inlineStr') this.runs.text(text);
  };

  open(name: string, attributes: () => Record<string, string>): void {
    switch (name) {
      case 'row': {
        this.openRow(attributes());
        return;
      }
      case 'c': {
        this.openCell(attributes());
        return;
      }
      case 'v':
        this.value = '';
        this.sink = this.toValue;
        return;
      case 't':
        if (this.cell && this.phonetic === 0) this.sink = this.toValue;
        return;
      case 'rPh':
        this.phonetic++;
        return;
      case 'f': {
        this.openFormula(attributes());
        return;
      }
      default:
        if (this.cell?.type === 'inlineStr' && this.runs.open(name, attributes)) return;
        this.sink = this.rules.open(name, attributes()) ?? this.layout.open(name, attributes());
    }
  }

  close(name: string): void {
    switch (name) {
      case 'c': {
        this.closeCell();
        return;
      }
      case 'rPh':
        this.phonetic--;
        return;
      case 'rPr':
        this.runs.close(name);
        return;
      default:
        this.sink = undefined;
        this.rules.close(name);
        this.layout.close(name);
    }
  }

  /** A row without a number, or with one that is none, follows the one before. */
  private openRow(attributes: Record<string, string>): void {
    const given = Number(attributes['r'] ?? NaN);
    const row = Number.isInteger(given) && given >= 1 ? given : this.row + 1;
    if (row <= this.row && this.row > 0) this.scan.isDisordered = true;
    this.row = row;
    this.column = 0;
    this.isRowHidden = this.layout.openRow(row, attributes);
  }

  private openCell(attributes: Record<string, string>): void {
    const place = attributes['r'] === undefined ? undefined : parseCell(attributes['r']);
    const column = place?.column ?? this.column + 1;
    if (column <= this.column || (place && place.row !== this.row)) this.scan.isDisordered = true;
    this.column = column;
    this.row = place?.row ?? this.row;
    const style = attributes['s'] === undefined ? undefined : Number(attributes['s']);
    const hasMetadata = attributes['cm'] !== undefined;
    this.cell = { style, type: attributes['t'] ?? 'n', hasMetadata };
    this.value = undefined;
    this.formula = undefined;
    this.runs.begin();
  }

  private openFormula(attributes: Record<string, string>): void {
    if (this.rules.isOpen || this.layout.isOpen) {
      this.sink = this.rules.open('f', attributes) ?? this.layout.open('f', attributes);
      return;
    }
    const formula: OpenFormula = {
      kind: attributes['t'] ?? 'normal',
      sharedIndex: attributes['si'],
      range: attributes['ref'],
      inputs: [attributes['r1'], attributes['r2']].filter(Boolean).join(','),
      text: '',
    };
    this.formula = formula;
    this.sink = (text) => {
      if (formula.text.length < MAX_FORMULA) formula.text += text;
    };
  }

  private closeCell(): void {
    const { cell, formula: open, value } = this;
    this.cell = undefined;
    if (!cell) return;
    const formula = open && this.expand(open);
    if (formula === undefined && (value === undefined || (value === '' && cell.type !== 'str'))) {
      if (cell.style !== undefined) this.options.onEmpty?.(this.row, this.column, cell.style);
      return;
    }
    if (!this.count(cell.type, formula !== undefined)) return;
    const { budget, onCell } = this.options;
    const isListed = budget.takeCell();
    if (!isListed && !onCell) return;
    const raw = this.rawCell(cell, open, formula);
    onCell?.(raw);
    if (isListed) this.scan.cells.push(raw);
  }

  private rawCell(
    cell: NonNullable<SheetReader['cell']>,
    open: OpenFormula | undefined,
    formula: string | undefined,
  ): RawCell {
    const { value } = this;
    const richText = cell.type === 'inlineStr' ? this.runs.end() : '';
    return {
      row: this.row,
      column: this.column,
      style: cell.style,
      type: cell.type,
      text: value === undefined ? undefined : unescapeControls(value),
      formula,
      isRowHidden: this.isRowHidden,
      ...(richText === '' ? {} : { richText }),
      ...arrayOf(open),
      ...(cell.hasMetadata ? { hasMetadata: true } : {}),
    };
  }

  /** False for a cell whose address no sheet has. */
  private count(type: string, isFormula: boolean): boolean {
    const { scan, row, column } = this;
    if (row < 1 || row > LAST_ROW || column > LAST_COLUMN) {
      scan.outside++;
      return false;
    }
    scan.cellCount++;
    if (isFormula) scan.formulaCount++;
    if (type === 'e') scan.errorCount++;
    scan.bounds = grow(scan.bounds, row, column);
    return true;
  }

  /** The text of the cell's own formula; a shared one is moved here from its first cell. */
  private expand(formula: OpenFormula): string | undefined {
    if (formula.kind === 'dataTable') return `TABLE(${formula.inputs})`;
    if (formula.kind !== 'shared' || formula.sharedIndex === undefined)
      return formula.text === '' ? undefined : formula.text;
    if (formula.text !== '') {
      const { row, column } = this;
      this.shared.set(formula.sharedIndex, { formula: formula.text, row, column });
      return formula.text;
    }
    const first = this.shared.get(formula.sharedIndex);
    if (!first) return undefined;
    if (!this.options.budget.takeMove(first.formula.length))
      return `[as in row ${first.row}, column ${first.column}] ${first.formula.slice(0, 60)}…`;
    return moveFormula(first.formula, this.row - first.row, this.column - first.column);
  }
}

function arrayOf(formula: OpenFormula | undefined): Pick<RawCell, 'array'> {
  return formula?.kind === 'array' && formula.range !== undefined ? { array: formula.range } : {};
}

function grow(bounds: SheetScan['bounds'], row: number, column: number): SheetScan['bounds'] {
  if (!bounds) return { fromRow: row, fromColumn: column, toRow: row, toColumn: column };
  bounds.fromRow = Math.min(bounds.fromRow, row);
  bounds.toRow = Math.max(bounds.toRow, row);
  bounds.fromColumn = Math.min(bounds.fromColumn, column);
  bounds.toColumn = Math.max(bounds.toColumn, column);
  return bounds;
}
