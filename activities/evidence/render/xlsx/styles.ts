import { type OfficePackage } from '../package';
import { streamXml } from '../stream-xml';
import { cutText } from './bounded-list';
import { type Colors, isLike } from './colors';
import {
  type Fill,
  type Font,
  alignmentWords,
  borderWords,
  colorBehind,
  fillWords,
  fontWords,
  openFillPart,
  openFontPart,
} from './look';
import { builtInFormat } from './number-format';

/** What a cell's style means for its text. */
export interface CellStyle {
  readonly format: string;
  /** Why a reader cannot see the text: letters like what is behind them, or smaller than 3 points. */
  readonly unseen?: UnseenStyle;
  /** May be edited where the sheet is protected. */
  readonly unlocked?: true;
  /** What is not plain about it, in words. */
  readonly look?: string;
  /** Of the look, what an empty cell shows. */
  readonly fill?: string;
}
export type UnseenStyle = 'white text' | 'text like its fill' | 'tiny text';

const DEFAULT_STYLE: CellStyle = { format: 'General' };
const MIN_POINTS = 3;
/** Styles, fonts, fills and formats kept of each kind; the most that a program writes is 65,490. */
const MAX_ENTRIES = 100_000;
const MAX_LOOK = 200;

export interface WorkbookStyles {
  of(index: number | undefined): CellStyle;
  /** The look that a conditional format gives, in words: `fill FF0000, font 9C0006, bold`. */
  differential(index: number): string;
}

/** Reads the style tables in one pass. What exceeds their limit counts as plain and is said. */
export async function readStyles(
  parts: OfficePackage,
  part: string | undefined,
  colors: Colors,
  truncate: (reason: string) => void,
): Promise<WorkbookStyles> {
  const tables = new StyleTables(colors);
  if (part !== undefined && parts.has(part))
    await streamXml(parts, part, {
      open: (name, attributes) => tables.open(name, attributes),
      close: (name) => tables.close(name),
      text: () => undefined,
    });
  if (tables.beyond > 0)
    truncate(`${tables.beyond} entries of the style tables beyond ${MAX_ENTRIES} count as plain`);
  return {
    of: (index) => tables.styles[index ?? 0] ?? DEFAULT_STYLE,
    differential: (index) => tables.differentials[index]?.join(', ') ?? '',
  };
}

/** Lists that entries belong to; an element outside of them means nothing. */
const LISTS = new Set(['numFmts', 'fonts', 'fills', 'borders', 'cellStyleXfs', 'cellXfs', 'dxfs']);

class StyleTables {
  readonly styles: CellStyle[] = [];
  readonly differentials: string[][] = [];
  beyond = 0;
  private readonly codes = new Map<number, string>();
  private readonly fonts: Font[] = [];
  private readonly fills: Fill[] = [];
  private readonly known = new Map<string, CellStyle>();
  private list = '';
  private font: Font | undefined;
  private fill: Fill | undefined;
  private readonly borders: string[][] = [];
  private sides: [side: string, line: string][] = [];
  private style: { words: string[]; style: CellStyle } | undefined;

  constructor(private readonly colors: Colors) {}

  open(name: string, attributes: () => Record<string, string>): void {
    if (LISTS.has(name)) this.list = name;
    else if (this.list === 'cellXfs') this.openStyle(name, attributes());
    else if (this.list === 'borders') this.openBorder(name, attributes());
    else if (this.list !== 'cellStyleXfs') this.openPart(name, attributes());
  }

  close(name: string): void {
    if (name === this.list) this.list = '';
    if (name === 'font') this.closeFont();
    if (name === 'fill') this.closeFill();
    if (name === 'xf') this.closeStyle();
    if (name === 'border' && this.list === 'borders' && this.hasRoom(this.borders))
      this.borders.push(borderWords(this.sides));
  }

  private openPart(name: string, attributes: Record<string, string>): void {
    switch (name) {
      case 'numFmt':
        if (this.list === 'dxfs') this.differential(`format ${attributes['formatCode'] ?? ''}`);
        else if (this.codes.size < MAX_ENTRIES)
          this.codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? 'General');
        return;
      case 'dxf':
        if (this.hasRoom(this.differentials)) this.differentials.push([]);
        return;
      case 'font':
        this.font = { points: 11, name: '', color: undefined, words: [] };
        return;
      case 'fill':
        this.fill = { front: undefined, back: undefined, pattern: '' };
        return;
      default:
        if (this.font) openFontPart(this.font, name, attributes, this.colors);
        else if (this.fill) openFillPart(this.fill, name, attributes, this.colors);
    }
  }

  private closeFont(): void {
    const { font } = this;
    this.font = undefined;
    if (!font) return;
    if (this.list !== 'dxfs') {
      if (this.hasRoom(this.fonts)) this.fonts.push(font);
      return;
    }
    const color = font.color === undefined ? [] : [`font ${font.color}`];
    this.differential(...color, ...font.words);
  }

  private closeFill(): void {
    const { fill } = this;
    this.fill = undefined;
    if (!fill) return;
    if (this.list === 'dxfs') {
      // Differential fills state their colour as the background.
      const color = fill.back ?? fill.front;
      if (color !== undefined) this.differential(`fill ${color}`);
    } else if (this.hasRoom(this.fills)) this.fills.push(fill);
  }

  private differential(...words: string[]): void {
    this.differentials.at(-1)?.push(...words);
  }

  private openBorder(name: string, { style = 'none' }: Record<string, string>): void {
    if (name === 'border') this.sides = [];
    else if (style !== 'none' && this.sides.length < 8) this.sides.push([name, style]);
  }

  private openStyle(name: string, attributes: Record<string, string>): void {
    if (name === 'xf') {
      const id = Number(attributes['numFmtId'] ?? 0);
      const font = this.fonts[Number(attributes['fontId'] ?? 0)];
      const fill = this.fills[Number(attributes['fillId'] ?? 0)];
      const unseen = font && unseenBy(font, fill);
      const filled = fillWords(fill);
      const border = this.borders[Number(attributes['borderId'] ?? 0)] ?? [];
      this.style = {
        words: [...fontWords(font, this.fonts[0]), ...filled, ...border],
        style: {
          format: this.codes.get(id) ?? builtInFormat(id),
          ...(unseen && { unseen }),
          ...(filled.length > 0 ? { fill: filled.join(', ') } : {}),
        },
      };
    } else if (this.style) this.openStylePart(this.style, name, attributes);
  }

  private openStylePart(
    open: NonNullable<StyleTables['style']>,
    name: string,
    attributes: Record<string, string>,
  ): void {
    if (name === 'protection' && isOff(attributes['locked']))
      open.style = { ...open.style, unlocked: true };
    else if (name === 'alignment') open.words.push(...alignmentWords(attributes));
    // The newest programs draw a box in such cells, ticked where the value is TRUE.
    else if (name === 'xfComplement') open.words.push('check box');
  }

  /** A million styles are mostly the same few: each look is kept once. */
  private closeStyle(): void {
    const { style: open } = this;
    this.style = undefined;
    if (!open || !this.hasRoom(this.styles)) return;
    const look = cutText(open.words.join(', '), MAX_LOOK);
    const style: CellStyle = { ...open.style, ...(look === '' ? {} : { look }) };
    const key = JSON.stringify(style);
    const known = this.known.get(key) ?? style;
    this.known.set(key, known);
    this.styles.push(known);
  }

  private hasRoom(list: readonly unknown[]): boolean {
    if (list.length < MAX_ENTRIES) return true;
    this.beyond++;
    return false;
  }
}

function unseenBy(font: Font, fill: Fill | undefined): UnseenStyle | undefined {
  if (font.points < MIN_POINTS) return 'tiny text';
  const behind = colorBehind(fill);
  if (behind === undefined) return undefined;
  if (!isLike(font.color ?? '000000', behind)) return undefined;
  return isLike(behind, 'FFFFFF') ? 'white text' : 'text like its fill';
}

function isOff(value: string | undefined): boolean {
  return value === '0' || value === 'false' || value === 'off';
}
