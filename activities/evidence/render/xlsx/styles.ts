import { type OfficePackage } from '../package';
import { streamXml } from '../stream-xml';
import { type Colors, type Rgb, isLike } from './colors';
import { builtInFormat } from './number-format';

/** What a cell's style means for its text. */
export interface CellStyle {
  readonly format: string;
  /** Why a reader cannot see the text: letters like what is behind them, or smaller than 3 points. */
  readonly unseen?: UnseenStyle;
  /** May be edited where the sheet is protected. */
  readonly unlocked?: true;
}
export type UnseenStyle = 'white text' | 'text like its fill' | 'tiny text';

const DEFAULT_STYLE: CellStyle = { format: 'General' };
const MIN_POINTS = 3;
/** Styles, fonts, fills and formats kept of each kind; the most that a program writes is 65,490. */
const MAX_ENTRIES = 100_000;

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

interface Font {
  points: number;
  color: Rgb | undefined;
  words: string[];
}

interface Fill {
  front: Rgb | undefined;
  back: Rgb | undefined;
  pattern: string;
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
  private style: { format: string; unseen?: UnseenStyle; unlocked?: true } | undefined;

  constructor(private readonly colors: Colors) {}

  open(name: string, attributes: () => Record<string, string>): void {
    if (LISTS.has(name)) this.list = name;
    else if (this.list === 'cellXfs') this.openStyle(name, attributes());
    else if (this.list !== 'borders' && this.list !== 'cellStyleXfs')
      this.openPart(name, attributes());
  }

  close(name: string): void {
    if (name === this.list) this.list = '';
    if (name === 'font') this.closeFont();
    if (name === 'fill') this.closeFill();
    if (name === 'xf') this.closeStyle();
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
        this.font = { points: 11, color: undefined, words: [] };
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

  private openStyle(name: string, attributes: Record<string, string>): void {
    if (name === 'xf') {
      const id = Number(attributes['numFmtId'] ?? 0);
      const font = this.fonts[Number(attributes['fontId'] ?? 0)];
      const unseen = font && unseenBy(font, this.fills[Number(attributes['fillId'] ?? 0)]);
      this.style = { format: this.codes.get(id) ?? builtInFormat(id), ...(unseen && { unseen }) };
    } else if (name === 'protection' && this.style && isOff(attributes['locked']))
      this.style.unlocked = true;
  }

  /** A million styles are mostly the same few: each look is kept once. */
  private closeStyle(): void {
    const { style } = this;
    this.style = undefined;
    if (!style || !this.hasRoom(this.styles)) return;
    const key = `${style.unseen ?? ''} ${String(style.unlocked)} ${style.format}`;
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

function openFontPart(
  font: Font,
  name: string,
  attributes: Record<string, string>,
  colors: Colors,
): void {
  if (name === 'sz') font.points = Number(attributes['val'] ?? 11);
  else if (name === 'color') font.color = colors.of(attributes);
  else if (name === 'b' && !isOff(attributes['val'])) font.words.push('bold');
  else if (name === 'i' && !isOff(attributes['val'])) font.words.push('italic');
  else if (name === 'strike' && !isOff(attributes['val'])) font.words.push('struck out');
}

function openFillPart(
  fill: Fill,
  name: string,
  attributes: Record<string, string>,
  colors: Colors,
): void {
  if (name === 'patternFill') fill.pattern = attributes['patternType'] ?? '';
  else if (name === 'gradientFill') fill.pattern = 'gradient';
  else if (name === 'fgColor') fill.front = colors.of(attributes);
  else if (name === 'bgColor') fill.back = colors.of(attributes);
}

function unseenBy(font: Font, fill: Fill | undefined): UnseenStyle | undefined {
  if (font.points < MIN_POINTS) return 'tiny text';
  const pattern = fill?.pattern ?? 'none';
  if (pattern !== 'solid' && pattern !== 'none' && pattern !== '') return undefined;
  const behind = (pattern === 'solid' ? fill?.front : undefined) ?? 'FFFFFF';
  if (!isLike(font.color ?? '000000', behind)) return undefined;
  return isLike(behind, 'FFFFFF') ? 'white text' : 'text like its fill';
}

function isOff(value: string | undefined): boolean {
  return value === '0' || value === 'false' || value === 'off';
}
