import { cellName, columnName } from '../../../../core/cell-range';
import { BoundedList, MAX_LISTED, cutText } from './bounded-list';
import { type RangeGroup } from '../../../../core/workbook-facts';
import { type SheetControl } from './form-controls';
import { runningText } from './running-text';
import { Outlines } from './outlines';

const MAX_ROWS = 10_000;
const MAX_TEXT = 500;

/** Everything of a sheet part around its cells, but for rules. */
export class LayoutReader {
  readonly merged = new BoundedList<string>(MAX_LISTED);
  readonly hiddenRows = new BoundedList<number>(MAX_ROWS);
  readonly hiddenColumns: { readonly from: number; readonly to: number }[] = [];
  readonly links = new BoundedList<{ ref: string; id: string | undefined; place: string }>(
    MAX_LISTED,
  );
  readonly sparklines = new BoundedList<{ ref: string; type: string; source: string }>(MAX_LISTED);
  /** Form controls and embedded objects; where a file has two versions of one, both. */
  readonly controls: SheetControl[] = [];
  readonly criteria: string[] = [];
  readonly view: string[] = [];
  freezePane: string | undefined;
  autoFilter: string | undefined;
  protection: string | undefined;
  readonly columnWidths: { readonly from: number; readonly to: number; readonly width: number }[] =
    [];
  defaultWidth: number | undefined;
  private readonly bands: { readonly ranges: string; readonly style: number }[] = [];
  readonly outlines = new Outlines();
  private hasHiddenDefault = false;
  private sparklineType = 'line';
  private sparkline: { ref: string; type: string; source: string } | undefined;
  private isInFilter = false;
  private isFitted = false;
  private readonly running: Record<string, string> = {};

  /** True within a sparkline: a `f` there is its source and no cell's formula. */
  get isOpen(): boolean {
    return this.sparkline !== undefined;
  }

  /** Whether the row that is opened is hidden. */
  openRow(row: number, attributes: Record<string, string>): boolean {
    const { hidden, ht, zeroHeight, s, customFormat, outlineLevel } = attributes;
    if (isOn(customFormat)) this.addBand(`${row}:${row}`, s);
    this.outlines.addRow(row, outlineLevel);
    const isHidden =
      isOn(hidden) ||
      isOn(zeroHeight) ||
      (ht !== undefined && Number(ht) === 0) ||
      (this.hasHiddenDefault && ht === undefined && hidden === undefined);
    if (isHidden) this.hiddenRows.push(row);
    return isHidden;
  }

  isHiddenColumn(column: number): boolean {
    return this.hiddenColumns.some(({ from, to }) => column >= from && column <= to);
  }

  /** Where the text of the element goes. */
  open(name: string, attributes: Record<string, string>): ((text: string) => void) | undefined {
    if (this.openColumnsOrPane(name, attributes)) return undefined;
    if (this.openFilter(name, attributes)) return undefined;
    switch (name) {
      case 'mergeCell':
        if (attributes['ref'] !== undefined) this.merged.push(attributes['ref']);
        return undefined;
      case 'hyperlink':
        this.links.push({
          ref: attributes['ref'] ?? '',
          id: attributes['r:id'],
          place: attributes['location'] ?? '',
        });
        return undefined;
      case 'sheetProtection':
        this.protection = protectionOf(attributes);
        return undefined;
      case 'sparklineGroup':
        this.sparklineType = attributes['type'] ?? 'line';
        return undefined;
      case 'sparkline':
        this.sparkline = { ref: '', type: this.sparklineType, source: '' };
        return undefined;
      case 'control':
      case 'oleObject':
        this.openControl(name, attributes);
        return undefined;
      case 'controlPr':
        this.controls.at(-1)?.properties.push(attributes);
        return undefined;
      default:
        return this.openText(name, attributes);
    }
  }

  private openControl(element: string, attributes: Record<string, string>): void {
    if (this.controls.length >= MAX_LISTED * 2) return;
    this.controls.push({
      shapeId: attributes['shapeId'] ?? '',
      id: attributes['r:id'] ?? '',
      name: attributes['name'] ?? '',
      ...(element === 'oleObject' ? { program: attributes['progId'] ?? 'an unknown program' } : {}),
      properties: [],
    });
  }

  close(name: string): void {
    if (name === 'sparkline' && this.sparkline) {
      this.sparklines.push(this.sparkline);
      this.sparkline = undefined;
    }
    if (name === 'autoFilter') this.isInFilter = false;
  }

  private openColumnsOrPane(name: string, attributes: Record<string, string>): boolean {
    if (name === 'pane') {
      if (/^frozen/u.test(attributes['state'] ?? '')) this.freezePane ??= freezeCell(attributes);
    } else if (name === 'col') this.openColumns(attributes);
    else if (name === 'sheetFormatPr') {
      this.hasHiddenDefault = isOn(attributes['zeroHeight']);
      const width = Number(attributes['defaultColWidth'] ?? NaN);
      if (width > 0) this.defaultWidth = width;
    } else return this.openView(name, attributes);
    return true;
  }

  private openColumns(attributes: Record<string, string>): void {
    const { width, style, outlineLevel, hidden } = attributes;
    const [from, to] = [Number(attributes['min']), Number(attributes['max'])];
    if (!(from >= 1 && to >= from)) return;
    if (Number(width) > 0 && this.columnWidths.length < MAX_LISTED)
      this.columnWidths.push({ from, to, width: Number(width) });
    this.addBand(`${columnName(from)}:${columnName(to)}`, style);
    this.outlines.addColumns(from, to, outlineLevel);
    const isHidden = isOn(hidden) || (width !== undefined && Number(width) < 0.1);
    if (isHidden && this.hiddenColumns.length < MAX_LISTED) this.hiddenColumns.push({ from, to });
  }

  private addBand(ranges: string, style: string | undefined): void {
    if (style !== undefined && this.bands.length < MAX_LISTED)
      this.bands.push({ ranges, style: Number(style) });
  }

  /** Whole rows and columns with a fill; cells with a style of their own have that one instead. */
  filledBands(fillOf: (style: number) => string | undefined): RangeGroup[] {
    return this.bands.flatMap(({ ranges, style }) => {
      const what = fillOf(style);
      return what === undefined ? [] : [{ what, ranges }];
    });
  }

  private openView(name: string, attributes: Record<string, string>): boolean {
    if (name === 'sheetView') {
      if (isOff(attributes['showGridLines'])) this.view.push('no grid lines');
      if (isOn(attributes['rightToLeft'])) this.view.push('right to left');
      if (isOn(attributes['showFormulas'])) this.view.push('formulas are shown');
      const zoom = attributes['zoomScale'] ?? '100';
      if (zoom !== '100') this.view.push(`zoom ${zoom} %`);
    } else if (name === 'tabColor')
      this.view.push(`tab colour ${attributes['rgb']?.slice(-6) ?? 'of theme'}`);
    else if (name === 'pageSetUpPr') this.isFitted = isOn(attributes['fitToPage']);
    else if (name === 'pageSetup') this.view.push(...pageSetup(attributes, this.isFitted));
    else return false;
    return true;
  }

  private openFilter(name: string, attributes: Record<string, string>): boolean {
    switch (name) {
      case 'autoFilter':
        this.autoFilter ??= attributes['ref'];
        this.isInFilter = true;
        return true;
      case 'filterColumn':
        if (this.isInFilter && this.criteria.length < 100)
          this.criteria.push(`filter on column ${Number(attributes['colId'] ?? 0) + 1} of it`);
        return this.isInFilter;
      case 'filter':
      case 'customFilter':
      case 'top10':
      case 'dynamicFilter': {
        if (!this.isInFilter) return false;
        const words = [attributes['operator'], attributes['type'], attributes['val']];
        const last = this.criteria.length - 1;
        const text = `${this.criteria[last] ?? ''} ${words.filter(Boolean).join(' ')}`;
        if (last >= 0) this.criteria[last] = cutText(text, MAX_TEXT);
        return true;
      }
      default:
        return false;
    }
  }

  private openText(
    name: string,
    attributes: Record<string, string>,
  ): ((text: string) => void) | undefined {
    const { sparkline } = this;
    if (sparkline && name === 'f')
      return (text) => (sparkline.source = (sparkline.source + text).slice(0, MAX_TEXT));
    if (sparkline && name === 'sqref')
      return (text) => (sparkline.ref = (sparkline.ref + text).slice(0, MAX_TEXT));
    if (name === 'protectedRange') {
      this.view.push(`range ${attributes['sqref'] ?? ''} may be edited`);
      return undefined;
    }
    if (!/^(?:odd|even|first)(?:Header|Footer)$/u.test(name)) return undefined;
    return (text) => (this.running[name] = ((this.running[name] ?? '') + text).slice(0, MAX_TEXT));
  }

  /** Headers and footers of printed pages: `footer: in the middle Page [page] of [pages]`. */
  get runningTexts(): string[] {
    return Object.entries(this.running)
      .filter(([, text]) => text.trim() !== '')
      .map(([name, text]) => runningText(name, text));
  }
}

function pageSetup(
  {
    orientation,
    paperSize,
    fitToWidth = '1',
    fitToHeight = '1',
    scale = '100',
  }: Record<string, string>,
  isFitted: boolean,
): string[] {
  return [
    ...(orientation === 'landscape' ? ['prints landscape'] : []),
    ...(paperSize === undefined ? [] : [`paper size ${paperSize === '9' ? 'A4' : paperSize}`]),
    ...(isFitted ? [`fits ${fitToWidth} pages wide, ${fitToHeight} high`] : []),
    ...(scale === '100' ? [] : [`print scale ${scale} %`]),
  ];
}

/** Attributes are locks: `0` means that the action is allowed. */
function protectionOf(attributes: Record<string, string>): string | undefined {
  if (!isOn(attributes['sheet'])) return undefined;
  const hasPassword = ['password', 'hashValue'].some((name) => (attributes[name] ?? '') !== '');
  const allowed = Object.keys(attributes).filter(
    (name) =>
      /^(?:format|insert|delete|sort|autoFilter|pivot)/u.test(name) && isOff(attributes[name]),
  );
  return `sheet protection with${hasPassword ? '' : 'out'} a password${allowed.length > 0 ? `, allowed: ${allowed.join(', ')}` : ''}`;
}

export function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

function isOff(value: string | undefined): boolean {
  return value === '0' || value === 'false';
}

/** The first cell that scrolls, as office programs name a freeze: `A2` freezes row 1. */
function freezeCell(attributes: Record<string, string>): string {
  const row = Math.round(Number(attributes['ySplit'] ?? 0)) + 1;
  const column = Math.round(Number(attributes['xSplit'] ?? 0)) + 1;
  return row >= 1 && column >= 1 ? cellName(row, column) : 'A1';
}

export function columnsText({ from, to }: { readonly from: number; readonly to: number }): string {
  return from === to ? columnName(from) : `${columnName(from)}:${columnName(to)}`;
}
