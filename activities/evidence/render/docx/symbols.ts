import { type XmlElement } from '../xml';

/** Codes of symbol fonts lie in a private area, with a meaning of the font's own. */
const PRIVATE_FIRST = 0xf000;
const PRIVATE_LAST = 0xf0ff;
/** A sign that no table here knows. */
const UNKNOWN_SIGN = '\u25a1';

const WINGDINGS: Readonly<Record<number, string>> = {
  0x6c: '●',
  0x6e: '■',
  0x6f: '□',
  0x71: '❑',
  0x74: '⧫',
  0x76: '❖',
  0x9f: '•',
  0xa7: '▪',
  0xa8: '◻',
  0xd8: '➢',
  0xe0: '→',
  0xfb: '✗',
  0xfc: '✓',
  0xfd: '☒',
  0xfe: '☑',
};

const WINGDINGS_2: Readonly<Record<number, string>> = {
  0x4f: '✗',
  0x50: '✓',
  0x51: '☒',
  0x52: '☑',
  0xa3: '□',
};

const SYMBOL_UPPER = 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ';
const SYMBOL_LOWER = 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ';
const SYMBOL: Readonly<Record<number, string>> = {
  0xa3: '≤',
  0xa5: '∞',
  0xae: '→',
  0xb0: '°',
  0xb1: '±',
  0xb3: '≥',
  0xb4: '×',
  0xb6: '∂',
  0xb7: '•',
  0xb8: '÷',
  0xb9: '≠',
  0xba: '≡',
  0xbb: '≈',
  0xd6: '√',
  0xe5: '∑',
  0xf2: '∫',
};

/** The sign of a `sym` element as Unicode text. */
export function symbolText({ attributes }: XmlElement): string {
  const code = Number.parseInt(attributes['char'] ?? '', 16);
  return Number.isNaN(code) || code > 0x10ffff ? '' : signOf(code, attributes['font'] ?? '');
}

/** What a font shows for a code, as Unicode text: fonts of symbols have signs of their own in the private area. */
export function signOf(code: number, font: string): string {
  if (code < PRIVATE_FIRST || code > PRIVATE_LAST) return String.fromCodePoint(code);
  const place = code - PRIVATE_FIRST;
  if (/^wingdings 2$/iu.test(font)) return WINGDINGS_2[place] ?? UNKNOWN_SIGN;
  if (/^wingdings/iu.test(font)) return WINGDINGS[place] ?? UNKNOWN_SIGN;
  if (/^symbol/iu.test(font)) return greek(place) ?? SYMBOL[place] ?? UNKNOWN_SIGN;
  return UNKNOWN_SIGN;
}

function greek(place: number): string | undefined {
  if (place >= 0x41 && place <= 0x5a) return SYMBOL_UPPER[place - 0x41];
  if (place >= 0x61 && place <= 0x7a) return SYMBOL_LOWER[place - 0x61];
  return undefined;
}
