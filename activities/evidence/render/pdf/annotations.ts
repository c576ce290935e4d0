import { PDFArray, type PDFDict, type PDFDocument, PDFNumber } from 'pdf-lib';
import { type Rendering } from '../rendering';
import { type Entries } from './entries';
import { type Area, type SeenPages } from './seen-words';
import { isHiddenAnnotation, lookupDict, lookupDicts, name, textOf } from './structure';

/** Remarks that mark words of the page. */
const MARKUP: readonly string[] = ['Highlight', 'Underline', 'StrikeOut', 'Squiggly', 'Redact'];
/** Lines of one remark that are looked at. */
const MAX_AREAS = 200;

/** Remarks and links of all pages; of those that are written on a page, only that they are there. */
export function addAnnotations(
  document: PDFDocument,
  { pages, seenWords }: SeenPages,
  entries: Entries,
  rendering: Rendering,
): void {
  document.getPages().forEach(({ node }, index) => {
    for (const annotation of lookupDicts(node, 'Annots')) {
      const kind = textOf(annotation.lookup(name('Subtype')));
      const options = isHiddenAnnotation(annotation) ? ({ cause: 'markup' } as const) : {};
      const wordsAt = (areas: readonly Area[]): string =>
        seenWords?.wordsAt(index + 1, areas) ?? '';
      if (kind === 'Link') {
        rendering.count('links');
        entries.addLate('links', () => {
          const words = wordsAt(boxOf(annotation));
          const written = words === '' ? '' : `, written on "${words}"`;
          return [
            `page ${index + 1}: ${targetOf(annotation)}${written}`,
            { ...options, isDescription: true },
          ];
        });
      } else if (kind !== 'Widget' && kind !== 'Popup') {
        rendering.count('annotations');
        const author = textOf(annotation.lookup(name('T')));
        const words = textOf(annotation.lookup(name('Contents')));
        const isOnPage = kind === 'FreeText' && standsIn(pages[index] ?? '', words);
        entries.addLate('annotations', () => {
          const marked = MARKUP.includes(kind) ? wordsAt(linesOf(annotation)) : '';
          const what = `${kind}${author === '' ? '' : ` by ${author}`}${marked === '' ? '' : ` over "${marked}"`}`;
          return [
            `page ${index + 1}, ${what}: ${isOnPage ? 'its words are among those of the page' : words}`,
            { ...options, ...(isOnPage ? { isDescription: true } : {}) },
          ];
        });
      }
    }
  });
}

/** Whether the page has all of the words, however they are broken into lines. */
function standsIn(page: string, words: string): boolean {
  const onPage = page.replace(/\s+/gu, '');
  const each = words.split(/\s+/u).filter(Boolean);
  return each.length > 0 && each.every((word) => onPage.includes(word));
}

function targetOf(link: PDFDict): string {
  const action = lookupDict(link, 'A');
  const address = textOf(action?.lookup(name('URI')));
  if (address !== '') return address;
  const kind = textOf(action?.lookup(name('S')));
  const destination = textOf(link.lookup(name('Dest')) ?? action?.lookup(name('D')));
  if (kind !== '' && kind !== 'GoTo') return `${kind} action`;
  return destination === '' ? 'a place in the file' : `the place ${destination}`;
}

function numbersOf(dict: PDFDict, key: string): number[] {
  const value = dict.lookup(name(key));
  if (!(value instanceof PDFArray)) return [];
  return Array.from({ length: Math.min(value.size(), MAX_AREAS * 8) }, (_, at) => {
    const number = value.lookup(at);
    return number instanceof PDFNumber ? number.asNumber() : 0;
  });
}

/** The box of an annotation, or none. */
export function boxOf(annotation: PDFDict): Area[] {
  return areaAround(numbersOf(annotation, 'Rect'));
}

/** The lines that a remark marks, each a box of four corners. */
function linesOf(annotation: PDFDict): Area[] {
  const corners = numbersOf(annotation, 'QuadPoints');
  if (corners.length < 8) return boxOf(annotation);
  return Array.from({ length: Math.floor(corners.length / 8) }, (_, at) =>
    areaAround(corners.slice(at * 8, at * 8 + 8)),
  ).flat();
}

/** @param corners numbers that are by turns across and up */
function areaAround(corners: readonly number[]): Area[] {
  const across = corners.filter((_, at) => at % 2 === 0);
  const up = corners.filter((_, at) => at % 2 === 1);
  if (across.length < 2 || up.length < 2) return [];
  return [
    {
      ...{ left: Math.min(...across), right: Math.max(...across) },
      ...{ bottom: Math.min(...up), top: Math.max(...up) },
    },
  ];
}
