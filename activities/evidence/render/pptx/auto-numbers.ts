import { formatNumber } from '../docx/number-words';
import { type XmlElement, child } from '../xml';

const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^arabic/u, 'decimal'],
  [/^alphaLc/u, 'lowerLetter'],
  [/^alphaUc/u, 'upperLetter'],
  [/^romanLc/u, 'lowerRoman'],
  [/^romanUc/u, 'upperRoman'],
  [/^circleNum/u, 'decimalEnclosedCircle'],
  [/^ea1/u, 'chineseCounting'],
];

interface Sequence {
  readonly kind: string;
  next: number;
}

/** Numbers the paragraphs of one text body as they are shown. */
export class AutoNumbers {
  private readonly sequences: (Sequence | undefined)[] = [];

  /** @param list the body's own list styles */
  constructor(private readonly list: XmlElement | undefined) {}

  /** The number in front of the next paragraph, with a space; empty where it has none. Empty ones are not asked for. */
  next(properties: XmlElement | undefined, level: number): string {
    this.sequences.length = Math.min(this.sequences.length, level + 1);
    const scheme = this.schemeOf(properties, level);
    if (!scheme) {
      this.sequences[level] = undefined;
      return '';
    }
    const { type = 'arabicPeriod', startAt = '1' } = scheme.attributes;
    const kind = `${type} ${startAt}`;
    const known = this.sequences[level];
    const sequence =
      known?.kind === kind ? known : { kind, next: Number.parseInt(startAt, 10) || 1 };
    this.sequences[level] = sequence;
    return `${inWords(type, sequence.next++)} `;
  }

  private schemeOf(properties: XmlElement | undefined, level: number): XmlElement | undefined {
    if (child(properties, 'buAutoNum')) return child(properties, 'buAutoNum');
    if (child(properties, 'buNone') || child(properties, 'buChar') || child(properties, 'buBlip'))
      return undefined;
    return child(this.list, `lvl${level + 1}pPr`, 'buAutoNum');
  }
}

function inWords(type: string, number: number): string {
  const format = FORMATS.find(([pattern]) => pattern.test(type))?.[1] ?? 'decimal';
  const text = formatNumber(number, format);
  if (type.endsWith('ParenBoth')) return `(${text})`;
  if (type.endsWith('ParenR')) return `${text})`;
  return type.endsWith('Period') ? `${text}.` : text;
}
