import { type OfficePackage } from '../package';
import { type Relationship } from '../relationships';
import { type XmlElement, child, elements } from '../xml';
import { isOn } from './styles';

export type HeaderKind = 'header' | 'footer';

/** On which pages of a section a header stands. */
const PAGES = ['default', 'first', 'even'] as const;
type Pages = (typeof PAGES)[number];

/** A header or footer part and where it is shown. */
export interface HeaderPart {
  readonly path: string;
  /** `header`, `footer of section 2, first page`; where no page shows it, without the pages. */
  readonly label: string;
  readonly isShown: boolean;
}

interface Use {
  readonly section: number;
  readonly pages: Pages;
  readonly isShown: boolean;
}

/**
 * Header or footer parts in the order in which sections name them, each once. A section that names none of a kind
 * has that of the section before.
 */
export function headerParts(
  sections: readonly XmlElement[],
  kind: HeaderKind,
  evenPagesDiffer: boolean,
  relations: readonly Relationship[],
  parts: OfficePackage,
): HeaderPart[] {
  const uses = new Map<string, Use[]>();
  const current = new Map<Pages, string>();
  sections.forEach((section, index) => {
    for (const { attributes } of elements(section, `${kind}Reference`)) {
      const target = relations.find(({ id }) => id === attributes['r:id'])?.target;
      const pages = PAGES.find((each) => each === (attributes['type'] ?? 'default'));
      if (pages !== undefined && target !== undefined && parts.has(target))
        current.set(pages, target);
    }
    const titlePage = child(section, 'titlePg');
    const shown: Readonly<Record<Pages, boolean>> = {
      default: true,
      first: titlePage !== undefined && isOn(titlePage),
      even: evenPagesDiffer,
    };
    for (const [pages, target] of current)
      uses.set(target, [
        ...(uses.get(target) ?? []),
        { section: index + 1, pages, isShown: shown[pages] },
      ]);
  });
  return [...uses].map(([path, all]) => {
    const seen = all.filter(({ isShown }) => isShown);
    const isShown = seen.length > 0;
    return {
      path,
      label: isShown ? labelOf(kind, seen, sections.length, evenPagesDiffer) : kind,
      isShown,
    };
  });
}

function labelOf(
  kind: HeaderKind,
  uses: readonly Use[],
  sections: number,
  evenPagesDiffer: boolean,
): string {
  const words = PAGES.flatMap((pages) => {
    const numbers = uses.filter((use) => use.pages === pages).map(({ section }) => section);
    if (numbers.length === 0) return [];
    const pagesInWords =
      pages === 'default'
        ? evenPagesDiffer
          ? 'odd pages'
          : ''
        : `${pages} page${pages === 'even' ? 's' : ''}`;
    const where = numbers.length === sections ? '' : `of section ${ranges(numbers)}`;
    return [[where, pagesInWords].filter(Boolean).join(', ')];
  }).filter(Boolean);
  if (words.length === 0) return kind;
  const said = words.join('; ');
  return said.startsWith('of') ? `${kind} ${said}` : `${kind}, ${said}`;
}

/** Rising numbers, runs of them as `1-3`. */
function ranges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}
