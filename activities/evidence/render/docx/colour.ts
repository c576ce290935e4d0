import { type XmlElement, child } from '../xml';

/** What lies behind letters: a colour as `RRGGBB`, or something whose colour is not known. */
export type Background = string;

export const UNKNOWN_BACKGROUND = 'unknown';
export const PAPER = 'FFFFFF';

/** Letters whose channels all lie closer to those behind them than this are not seen. */
const MIN_DIFFERENCE = 24;

const HIGHLIGHTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    black: '000000',
    blue: '0000FF',
    cyan: '00FFFF',
    darkBlue: '000080',
    darkCyan: '008080',
    darkGray: '808080',
    darkGreen: '008000',
    darkMagenta: '800080',
    darkRed: '800000',
    darkYellow: '808000',
    green: '00FF00',
    lightGray: 'C0C0C0',
    magenta: 'FF00FF',
    red: 'FF0000',
    white: 'FFFFFF',
    yellow: 'FFFF00',
  }),
);

/** The letters' own colour as `RRGGBB`; `undefined` for the automatic one, which is always seen. */
export function letterColour(properties: XmlElement | undefined): string | undefined {
  const colour = child(properties, 'color')?.attributes;
  const value = colour?.['val'];
  if (value !== undefined && /^[0-9a-f]{6}$/iu.test(value)) return value.toUpperCase();
  const theme = colour?.['themeColor'];
  const isWhite = theme === 'background1' && colour?.['themeShade'] === undefined;
  return isWhite ? PAPER : undefined;
}

/** Colour of a highlight or shading among the properties; `undefined` where there is neither. */
export function backgroundOf(properties: XmlElement | undefined): Background | undefined {
  const highlight = child(properties, 'highlight')?.attributes['val'];
  if (highlight !== undefined && highlight !== 'none')
    return HIGHLIGHTS.get(highlight) ?? UNKNOWN_BACKGROUND;
  const shading = child(properties, 'shd')?.attributes;
  return shading && shadingColour(shading);
}

function shadingColour(shading: XmlElement['attributes']): Background | undefined {
  const pattern = shading['val'] ?? 'clear';
  if (!['clear', 'solid', 'nil'].includes(pattern)) return UNKNOWN_BACKGROUND;
  const colour = pattern === 'solid' ? shading['color'] : shading['fill'];
  if (colour === undefined)
    return shading['themeFill'] === undefined ? undefined : UNKNOWN_BACKGROUND;
  if (colour === 'auto') return pattern === 'solid' ? '000000' : undefined;
  return /^[0-9a-f]{6}$/iu.test(colour) ? colour.toUpperCase() : UNKNOWN_BACKGROUND;
}

/** Whether letters of that colour can be told from what is behind them. */
export function standsOut(letters: string, background: Background): boolean {
  if (background === UNKNOWN_BACKGROUND) return true;
  return [0, 2, 4].some(
    (at) =>
      Math.abs(
        Number.parseInt(letters.slice(at, at + 2), 16) -
          Number.parseInt(background.slice(at, at + 2), 16),
      ) >= MIN_DIFFERENCE,
  );
}
