import { type OfficePackage } from '../package';
import { formatNumber } from './number-words';
import { signOf } from './symbols';
import { type XmlElement, child, elements, parseXml } from '../xml';

interface Level {
  readonly format: string;
  /** `%1.%2` */
  readonly text: string;
  readonly start: number;
  /** All levels of the number in Arabic digits. */
  readonly isLegal: boolean;
  /** Numbering begins anew after a paragraph of a level up to this one, from 1; 0: never. */
  readonly restartAfter: number;
  /** What stands between the number and the text. */
  readonly separator: string;
  /** Paragraph style whose paragraphs are of this level. */
  readonly style: string | undefined;
  readonly bullet: string;
}

/** A list as a file defines it: several may count together, each may begin anew once. */
interface List {
  readonly abstractId: string;
  readonly levels: ReadonlyMap<number, Level>;
  /** Levels that begin anew, from this number, where the list is first used. */
  readonly restarts: Map<number, number>;
}

export interface NumberingReference {
  readonly id: string;
  /** Absent: the level of the style, else the outermost. */
  readonly level?: number;
  /** The paragraph style that the membership comes from, where it is not the paragraph's own. */
  readonly style?: string;
}

/** The number or bullet in front of the next paragraph of a list, with what parts it from the text; counts as asked. */
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
  const byStyle = new Map(
    [...abstracts.values()].flatMap((each): [string, XmlElement][] => {
      const style = child(each, 'styleLink')?.attributes['val'];
      return style === undefined ? [] : [[style, each]];
    }),
  );
  /** A list that borrows the levels of a list style. */
  const definitionOf = (id: string): XmlElement | undefined => {
    const abstract = abstracts.get(id);
    const borrowed = child(abstract, 'numStyleLink')?.attributes['val'];
    return borrowed === undefined ? abstract : (byStyle.get(borrowed) ?? abstract);
  };
  const lists = new Map(
    elements(root, 'num').map((each): [string, List] => {
      const abstractId = child(each, 'abstractNumId')?.attributes['val'] ?? '';
      return [
        each.attributes['numId'] ?? '',
        {
          abstractId,
          levels: levelsOf(each, definitionOf(abstractId)),
          restarts: restartsOf(each),
        },
      ];
    }),
  );
  const counters = new Map<string, (number | undefined)[]>();
  return ({ id, level: stated, style }) => {
    const list = lists.get(id);
    if (!list) return '';
    const level = stated ?? levelOfStyle(list, style);
    const definition = list.levels.get(level);
    if (!definition || definition.format === 'none') return '';
    const counts = counters.get(list.abstractId) ?? [];
    counters.set(list.abstractId, counts);
    countOn(counts, level, list);
    if (definition.format === 'bullet') return withSeparator(definition.bullet, definition);
    const number = definition.text.replace(/%(\d)/gu, (_, digit: string) => {
      const index = Number(digit) - 1;
      const format = definition.isLegal ? 'decimal' : list.levels.get(index)?.format;
      return formatNumber(counts[index] ?? 1, format ?? 'decimal');
    });
    return withSeparator(number, definition);
  };
}

/** Counts a paragraph of that level. */
function countOn(counts: (number | undefined)[], level: number, list: List): void {
  const startOf = (index: number): number => {
    const start = list.restarts.get(index) ?? list.levels.get(index)?.start ?? 1;
    list.restarts.delete(index);
    return start;
  };
  for (let index = 0; index < level; index++)
    if (list.restarts.has(index) || counts[index] === undefined) counts[index] = startOf(index);
  const last = list.restarts.has(level) ? undefined : counts[level];
  counts[level] = last === undefined ? startOf(level) : last + 1;
  for (let deeper = level + 1; deeper < counts.length; deeper++)
    if (level < (list.levels.get(deeper)?.restartAfter ?? deeper)) counts[deeper] = undefined;
}

function levelOfStyle({ levels }: List, style: string | undefined): number {
  if (style === undefined) return 0;
  return [...levels].find(([, each]) => each.style === style)?.[0] ?? 0;
}

function withSeparator(number: string, { separator }: Level): string {
  return number === '' ? '' : `${number}${separator}`;
}

function restartsOf(list: XmlElement): Map<number, number> {
  return new Map(
    elements(list, 'lvlOverride').flatMap((override): [number, number][] => {
      const start = child(override, 'startOverride')?.attributes['val'];
      const level = Number(override.attributes['ilvl'] ?? 0);
      return start === undefined ? [] : [[level, Number(start)]];
    }),
  );
}

function levelsOf(list: XmlElement, abstract: XmlElement | undefined): Map<number, Level> {
  const levels = new Map<number, Level>();
  const add = (element: XmlElement): void => {
    const level = Number(element.attributes['ilvl'] ?? 0);
    levels.set(level, {
      format: child(element, 'numFmt')?.attributes['val'] ?? 'decimal',
      text: child(element, 'lvlText')?.attributes['val'] ?? '',
      start: Number(child(element, 'start')?.attributes['val'] ?? 1),
      isLegal: child(element, 'isLgl') !== undefined,
      restartAfter: Number(child(element, 'lvlRestart')?.attributes['val'] ?? level),
      separator: child(element, 'suff')?.attributes['val'] === 'nothing' ? '' : ' ',
      style: child(element, 'pStyle')?.attributes['val'],
      bullet: bulletOf(element),
    });
  };
  if (abstract) elements(abstract, 'lvl').forEach(add);
  for (const override of elements(list, 'lvlOverride')) {
    elements(override, 'lvl').forEach(add);
  }
  return levels;
}

/** The sign itself; a dot for a picture, and for a letter that its font draws as a ring. */
function bulletOf(level: XmlElement): string {
  if (child(level, 'lvlPicBulletId')) return '•';
  const text = child(level, 'lvlText')?.attributes['val'] ?? '';
  const fonts = child(level, 'rPr', 'rFonts')?.attributes;
  const font = fonts?.['ascii'] ?? fonts?.['hAnsi'] ?? '';
  if (text === 'o' && /courier/iu.test(font)) return '○';
  return Array.from(text, (sign) => signOf(sign.codePointAt(0) ?? 0, font)).join('');
}
