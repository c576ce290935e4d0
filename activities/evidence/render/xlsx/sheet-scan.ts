import { cellName, parseCell } from '../../../../core/cell-range';
import { type OfficePackage } from '../package';
import { streamXml } from '../stream-xml';
import { RuleReader, type SheetRule } from './sheet-rules';
import { unescapeControls } from './shared-strings';
import { moveFormula } from './formula';

/** A cell as the sheet part has it; `text` is the content of `v` or of an inline string. */
export interface RawCell {
  readonly row: number;
  readonly column: number;
  readonly style: number | undefined;
  readonly type: string;
  readonly text: string | undefined;
  readonly formula: string | undefined;
}

/** What a sheet part says, read in one pass. */
export interface SheetScan {
  /** The first `maxCells` cells; `cellCount` and the bounds count all of them. */
  readonly cells: RawCell[];
  cellCount: number;
  formulaCount: number;
  errorCount: number;
  bounds: { fromRow: number; fromColumn: number; toRow: number; toColumn: number } | undefined;
  readonly merged: string[];
  freezePane: string | undefined;
  autoFilter: string | undefined;
  readonly hiddenRows: number[];
  readonly hiddenColumns: { readonly from: number; readonly to: number }[];
  readonly validations: SheetRule[];
  readonly conditionalFormats: SheetRule[];
}

interface OpenFormula {
  readonly kind: string;
  readonly sharedIndex: string | undefined;
  text: string;
}

/** Streams a sheet part. Cells without content and without formula do not count. Throws `Unreadable`. */
export async function scanSheet(
  parts: OfficePackage,
  part: string,
  maxCells: number,
): Promise<SheetScan> {
  const reader = new SheetReader(maxCells);
  await streamXml(parts, part, {
    open: (name, attributes) => reader.open(name, attributes),
    close: (name) => reader.close(name),
    text: (text) => reader.text(text),
  });
  return reader.scan;
}

class SheetReader {
  private readonly rules = new RuleReader();
  readonly scan: SheetScan = {
    cells: [],
    cellCount: 0,
    formulaCount: 0,
    errorCount: 0,
    bounds: undefined,
    merged: [],
    freezePane: undefined,
    autoFilter: undefined,
    hiddenRows: [],
    hiddenColumns: [],
    validations: this.rules.validations,
    conditionalFormats: this.rules.conditionalFormats,
  };
  private row = 0;
  private column = 0;
  private cell: { style: number | undefined; type: string } | undefined;
  private value: string | undefined;
  private formula: OpenFormula | undefined;
  private readonly shared = new Map<string, { formula: string; row: number; column: number }>();
  private phonetic = 0;
  /** Where text goes at the moment. */
  private sink: ((text: string) => void) | undefined;

  constructor(private readonly maxCells: number) {}

  text(text: string): void {
    this.sink?.(text);
  }

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
        this.sink = (text) => (this.value = (this.value ?? '') + text);
        return;
      case 't':
        if (this.cell && this.phonetic === 0)
          this.sink = (text) => (this.value = (this.value ?? '') + text);
        return;
      case 'rPh':
        this.phonetic++;
        return;
      case 'f': {
        this.openFormulaText(attributes());
        return;
      }
      default:
        this.openOther(name, attributes());
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
      default:
        this.sink = undefined;
        this.rules.close(name);
    }
  }

  /** A row without a number follows the one before. */
  private openRow(attributes: Record<string, string>): void {
    this.row = Number(attributes['r'] ?? this.row + 1);
    this.column = 0;
    if (isOn(attributes['hidden'])) this.scan.hiddenRows.push(this.row);
  }

  private openCell(attributes: Record<string, string>): void {
    const place = attributes['r'] === undefined ? undefined : parseCell(attributes['r']);
    this.column = place?.column ?? this.column + 1;
    this.row = place?.row ?? this.row;
    const style = attributes['s'] === undefined ? undefined : Number(attributes['s']);
    this.cell = { style, type: attributes['t'] ?? 'n' };
    this.value = undefined;
    this.formula = undefined;
  }

  private openFormulaText(attributes: Record<string, string>): void {
    if (this.rules.isOpen) {
      this.sink = this.rules.open('f', attributes);
      return;
    }
    const formula: OpenFormula = {
      kind: attributes['t'] ?? 'normal',
      sharedIndex: attributes['si'],
      text: '',
    };
    this.formula = formula;
    this.sink = (text) => (formula.text += text);
  }

  private closeCell(): void {
    const cell = this.cell;
    this.cell = undefined;
    if (!cell) return;
    const formula = this.formula && this.expand(this.formula);
    if (this.value === undefined && formula === undefined) return;
    if (this.value === '' && formula === undefined && cell.type !== 'str') return;
    const { scan, row, column } = this;
    scan.cellCount++;
    if (formula !== undefined) scan.formulaCount++;
    if (cell.type === 'e') scan.errorCount++;
    scan.bounds = grow(scan.bounds, row, column);
    if (scan.cells.length >= this.maxCells) return;
    const text = this.value === undefined ? undefined : unescapeControls(this.value);
    scan.cells.push({ row, column, style: cell.style, type: cell.type, text, formula });
  }

  /** The text of the cell's own formula; a shared one is moved here from its first cell. */
  private expand(formula: OpenFormula): string | undefined {
    if (formula.kind !== 'shared' || formula.sharedIndex === undefined)
      return formula.text === '' ? undefined : formula.text;
    if (formula.text !== '') {
      this.shared.set(formula.sharedIndex, {
        formula: formula.text,
        row: this.row,
        column: this.column,
      });
      return formula.text;
    }
    const first = this.shared.get(formula.sharedIndex);
    return first && moveFormula(first.formula, this.row - first.row, this.column - first.column);
  }

  private openOther(name: string, attributes: Record<string, string>): void {
    const { scan } = this;
    switch (name) {
      case 'mergeCell':
        if (attributes['ref'] !== undefined) scan.merged.push(attributes['ref']);
        return;
      case 'pane':
        if (/^frozen/u.test(attributes['state'] ?? '')) scan.freezePane ??= freezeCell(attributes);
        return;
      case 'autoFilter':
        scan.autoFilter ??= attributes['ref'];
        return;
      case 'col':
        if (isOn(attributes['hidden']))
          scan.hiddenColumns.push({
            from: Number(attributes['min']),
            to: Number(attributes['max']),
          });
        return;
      default:
        this.sink = this.rules.open(name, attributes);
    }
  }
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

/** The first cell that scrolls, as office programs name a freeze: `A2` freezes row 1. */
function freezeCell(attributes: Record<string, string>): string {
  const row = Number(attributes['ySplit'] ?? 0) + 1;
  const column = Number(attributes['xSplit'] ?? 0) + 1;
  return cellName(Math.round(row), Math.round(column));
}

function grow(bounds: SheetScan['bounds'], row: number, column: number): SheetScan['bounds'] {
  if (!bounds) return { fromRow: row, fromColumn: column, toRow: row, toColumn: column };
  bounds.fromRow = Math.min(bounds.fromRow, row);
  bounds.toRow = Math.max(bounds.toRow, row);
  bounds.fromColumn = Math.min(bounds.fromColumn, column);
  bounds.toColumn = Math.max(bounds.toColumn, column);
  return bounds;
}
