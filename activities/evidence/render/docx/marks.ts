import { colourWords } from '../colour-words';
import { type XmlElement, child } from '../xml';
import { letterColour } from './colour';

const HIGHLIGHT_WORDS: Readonly<Record<string, string>> = {
  lightGray: 'light grey',
  darkGray: 'dark grey',
  darkBlue: 'dark blue',
  darkCyan: 'dark cyan',
  darkGreen: 'dark green',
  darkMagenta: 'dark magenta',
  darkRed: 'dark red',
  darkYellow: 'dark yellow',
};

/** Elements with a value: their kind of mark, and what a value looks like in words; empty for none. */
const VALUES: readonly (readonly [string, string, (value: string) => string])[] = [
  ['highlight', 'highlight', highlightInWords],
  ['u', 'underline', (value) => (value === 'none' ? '' : 'underlined')],
  ['vertAlign', 'raised', (value) => (value === 'baseline' ? '' : value)],
  ['em', 'dots', (value) => (value === 'none' ? '' : 'emphasis dots')],
];

/**
 * Looks of a run that carry meaning, by kind: struck out, highlighted, coloured, underlined, raised, in capitals. A
 * kind that the properties take back is empty. Bold and italic letters are left to the page images.
 */
export function marksOf(properties: XmlElement | undefined): Record<string, string> {
  const marks: Record<string, string> = {};
  if (!properties) return marks;
  for (const [name, kind, words] of SWITCHES) {
    const element = child(properties, name);
    if (element) marks[kind] = isOff(element) ? '' : words;
  }
  for (const [name, kind, inWords] of VALUES) {
    const value = child(properties, name)?.attributes['val'];
    if (value !== undefined) marks[kind] = inWords(value);
  }
  const shading = colourWords(child(properties, 'shd')?.attributes['fill'] ?? '');
  if (shading !== undefined) marks['shading'] = `${shading} behind`;
  if (child(properties, 'color')) marks['colour'] = lettersInWords(properties);
  return marks;
}

function highlightInWords(value: string): string {
  if (value === 'none' || value === 'white') return '';
  return `${HIGHLIGHT_WORDS[value] ?? value} highlight`;
}

/** Elements that are on without a value. */
const SWITCHES = [
  ['strike', 'strike', 'struck out'],
  ['dstrike', 'strike', 'struck out'],
  ['caps', 'capitals', 'shown in capitals'],
] as const;

function isOff(element: XmlElement): boolean {
  return ['0', 'false', 'off'].includes(element.attributes['val'] ?? 'true');
}

function lettersInWords(properties: XmlElement): string {
  const colour = letterColour(properties);
  const words = colour === undefined ? undefined : colourWords(colour);
  return words === undefined ? '' : `letters ${words}`;
}
