import { formatColor } from 'numfmt';
import { type Colors, type Rgb } from './colors';

export interface Font {
  points: number;
  name: string;
  color: Rgb | undefined;
  words: string[];
}

export interface Fill {
  front: Rgb | undefined;
  back: Rgb | undefined;
  pattern: string;
}

const isOff = (value: string | undefined): boolean =>
  value === '0' || value === 'false' || value === 'off' || value === 'none';

/** Takes a child element of a font, be it of a style or of a part of a text. */
export function openFontPart(
  font: Font,
  name: string,
  attributes: Record<string, string>,
  colors: Pick<Colors, 'of'>,
): void {
  const value = attributes['val'];
  switch (name) {
    case 'sz':
      font.points = Number(value ?? 11);
      return;
    case 'name':
    case 'rFont':
      font.name = value ?? '';
      return;
    case 'color':
      font.color = colors.of(attributes);
      return;
    case 'vertAlign':
      if (value === 'superscript' || value === 'subscript') font.words.push(value);
      return;
    default: {
      const word = FONT_WORDS.get(name);
      if (word === undefined || isOff(value)) return;
      font.words.push(value === 'double' ? `double ${word}` : word);
    }
  }
}

const FONT_WORDS: ReadonlyMap<string, string> = new Map([
  ['b', 'bold'],
  ['i', 'italic'],
  ['u', 'underlined'],
  ['strike', 'struck out'],
]);

export function openFillPart(
  fill: Fill,
  name: string,
  attributes: Record<string, string>,
  colors: Pick<Colors, 'of'>,
): void {
  if (name === 'patternFill') fill.pattern = attributes['patternType'] ?? '';
  else if (name === 'gradientFill') fill.pattern = 'gradient';
  else if (name === 'fgColor') fill.front = colors.of(attributes);
  else if (name === 'bgColor') fill.back = colors.of(attributes);
}

/** The colour behind a cell's letters; `undefined` for a pattern. A solid fill without a colour is black. */
export function colorBehind(fill: Fill | undefined): Rgb | undefined {
  const pattern = fill?.pattern ?? 'none';
  if (pattern === 'none' || pattern === '') return 'FFFFFF';
  return pattern === 'solid' ? (fill?.front ?? '000000') : undefined;
}

export function fillWords(fill: Fill | undefined): string[] {
  const pattern = fill?.pattern ?? 'none';
  if (!fill || pattern === 'none' || pattern === '') return [];
  if (pattern === 'solid') return fill.front === 'FFFFFF' ? [] : [`fill ${fill.front ?? '000000'}`];
  return [`${pattern} fill${fill.front === undefined ? '' : ` ${fill.front}`}`];
}

/** What of a font differs from the workbook's own, or from `none`. */
export function fontWords(font: Font | undefined, own: Font | undefined): string[] {
  if (!font) return [];
  const { points, name, color } = font;
  return [
    ...font.words,
    ...(own && points !== own.points ? [`${points} pt`] : []),
    ...(own && name !== own.name && name !== '' ? [`in ${name}`] : []),
    ...(color === undefined || color === '000000' || color === own?.color ? [] : [`font ${color}`]),
  ];
}

/** Sides and line of a border that is being read; sides without a line do not count. */
export function borderWords(sides: readonly (readonly [side: string, line: string])[]): string[] {
  const named = sides.filter(([side]) => SIDES.has(side));
  const lines = new Set(named.map(([, line]) => line));
  const [line = ''] = lines;
  const kind = line === 'thin' || line === 'hair' ? '' : `${line} `;
  if (named.length >= 4 && lines.size === 1) return [`${kind}borders`];
  return named.map(([side, each]) => `${each === 'thin' ? '' : `${each} `}${side} border`);
}

const SIDES: ReadonlySet<string> = new Set(['left', 'right', 'top', 'bottom']);

export function alignmentWords(attributes: Record<string, string>): string[] {
  const { horizontal = '', wrapText, textRotation = '0', indent = '0', shrinkToFit } = attributes;
  const across = ALIGNMENTS.get(horizontal);
  return [
    ...(across === undefined ? [] : [across]),
    ...(indent === '0' ? [] : [`indented by ${indent}`]),
    ...(wrapText === '1' || wrapText === 'true' ? ['wrapped'] : []),
    ...(shrinkToFit === '1' || shrinkToFit === 'true' ? ['shrunk to fit'] : []),
    ...(textRotation === '0' ? [] : ['turned']),
  ];
}

const ALIGNMENTS: ReadonlyMap<string, string> = new Map([
  ['center', 'centred'],
  ['centerContinuous', 'centred across cells'],
  ['right', 'aligned right'],
  ['left', 'aligned left'],
  ['fill', 'repeated to fill'],
  ['justify', 'justified'],
]);

/** `red by its format`: many formats give negative numbers a colour. */
export function formatColorWords(format: string, value: unknown): string[] {
  if (typeof value !== 'number' || !COLORED.test(format)) return [];
  try {
    const color = formatColor(format, value, { throws: true });
    return color === null || color === 'black' ? [] : [`${color} by its format`];
  } catch {
    return [];
  }
}

const COLORED = /\[(?:black|blue|cyan|green|magenta|red|white|yellow|color)/iu;
