import { type OfficePackage } from '../package';
import { formatNumber } from './number-words';
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
    elements(root, 'num').map((each) => {
      const abstractId = child(each, 'abstractNumId')?.attributes['val'] ?? '';
      return [
        each.attributes['numId'] ?? '',
        { abstractId, levels: levelsOf(each, definitionOf(abstractId)) },
      ] as const;
    }),
  );
  const counters = new Map<string, (number | undefined)[]>();
  return ({ id, level }) => {
    const list = lists.get(id);
    const definition = list?.levels.get(level);
    if (!list || !definition || definition.format === 'none') return '';
    const counts = counters.get(list.abstractId) ?? [];
    counters.set(list.abstractId, counts);
    for (let index = 0; index < level; index++)
      counts[index] ??= list.levels.get(index)?.start ?? 1;
    const last = counts[level];
    counts[level] = last === undefined ? definition.start : last + 1;
    for (let deeper = level + 1; deeper < counts.length; deeper++)
      if (level < (list.levels.get(deeper)?.restartAfter ?? deeper)) counts[deeper] = undefined;
    if (definition.format === 'bullet') return '•';
    return definition.text.replace(/%(\d)/gu, (_, digit: string) => {
      const index = Number(digit) - 1;
      const format = definition.isLegal ? 'decimal' : list.levels.get(index)?.format;
      return formatNumber(counts[index] ?? 1, format ?? 'decimal');
    });
  };
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
