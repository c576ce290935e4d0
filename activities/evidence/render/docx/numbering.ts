import { type OfficePackage } from '../package';
import { type XmlElement, child, elements, parseXml } from '../xml';

interface Level {
  readonly format: string;
  /** `%1.%2` */
  readonly text: string;
  readonly start: number;
}

export interface NumberingReference {
  readonly id: string;
  readonly level: number;
}

/** The number or bullet in front of the next paragraph of a list; counts as it is asked. */
export type ListNumbers = (reference: NumberingReference) => string;

/** Lists of a document. Lenient: a list or level that is not defined numbers nothing. */
export async function readNumbering(
  parts: OfficePackage,
  part: string | undefined,
): Promise<ListNumbers> {
  if (part === undefined || !parts.has(part)) return () => '';
  const root = parseXml(part, await parts.read(part));
  const abstracts = new Map(
    elements(root, 'abstractNum').map((each) => [each.attributes['abstractNumId'] ?? '', each]),
  );
  const lists = new Map(
    elements(root, 'num').map((each) => {
      const abstractId = child(each, 'abstractNumId')?.attributes['val'] ?? '';
      return [
        each.attributes['numId'] ?? '',
        { abstractId, levels: levelsOf(each, abstracts.get(abstractId)) },
      ] as const;
    }),
  );
  const counters = new Map<string, number[]>();
  return ({ id, level }) => {
    const list = lists.get(id);
    const definition = list?.levels.get(level);
    if (!list || !definition || definition.format === 'none') return '';
    const counts = counters.get(list.abstractId) ?? [];
    counters.set(list.abstractId, counts);
    for (let index = 0; index < level; index++)
      counts[index] ??= list.levels.get(index)?.start ?? 1;
    counts[level] = counts[level] === undefined ? definition.start : counts[level] + 1;
    counts.length = level + 1;
    if (definition.format === 'bullet') return '•';
    return definition.text.replace(/%(\d)/gu, (_, digit: string) => {
      const index = Number(digit) - 1;
      return formatNumber(counts[index] ?? 1, list.levels.get(index)?.format ?? 'decimal');
    });
  };
}

function levelsOf(list: XmlElement, abstract: XmlElement | undefined): Map<number, Level> {
  const levels = new Map<number, Level>();
  const add = (element: XmlElement): void => {
    levels.set(Number(element.attributes['ilvl'] ?? 0), {
      format: child(element, 'numFmt')?.attributes['val'] ?? 'decimal',
      text: child(element, 'lvlText')?.attributes['val'] ?? '',
      start: Number(child(element, 'start')?.attributes['val'] ?? 1),
    });
  };
  if (abstract) elements(abstract, 'lvl').forEach(add);
  for (const override of elements(list, 'lvlOverride')) {
    elements(override, 'lvl').forEach(add);
    const start = child(override, 'startOverride')?.attributes['val'];
    const index = Number(override.attributes['ilvl'] ?? 0);
    const level = levels.get(index);
    if (level && start !== undefined) levels.set(index, { ...level, start: Number(start) });
  }
  return levels;
}

const CHINESE_DIGITS = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];

function formatNumber(number: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
      return letters(number).toLowerCase();
    case 'upperLetter':
      return letters(number);
    case 'lowerRoman':
      return roman(number).toLowerCase();
    case 'upperRoman':
      return roman(number);
    case 'decimalZero':
      return String(number).padStart(2, '0');
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'ideographDigital':
    case 'japaneseCounting':
    case 'taiwaneseCountingThousand':
      return chinese(number);
    default:
      return String(number);
  }
}

/** 1 -> A, 27 -> AA, as word processors count. */
function letters(number: number): string {
  const letter = String.fromCharCode(65 + ((number - 1) % 26));
  return letter.repeat(Math.min(10, Math.floor((number - 1) / 26) + 1));
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

function roman(number: number): string {
  let [rest, text] = [Math.min(number, 3999), ''];
  for (const [value, digits] of ROMAN)
    while (rest >= value) {
      text += digits;
      rest -= value;
    }
  return text;
}

/** 1 to 99 in Chinese numerals; larger ones in Arabic digits. */
function chinese(number: number): string {
  if (number > 99) return String(number);
  const [tens, ones] = [Math.floor(number / 10), number % 10];
  const head = tens === 0 ? '' : `${tens === 1 ? '' : (CHINESE_DIGITS[tens] ?? '')}十`;
  return head + (ones === 0 && tens > 0 ? '' : (CHINESE_DIGITS[ones] ?? ''));
}
