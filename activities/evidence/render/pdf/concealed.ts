import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PDFDocument } from 'pdf-lib';
import { type PageRange, type PageWords, type Word, readWords } from './poppler';
import { isCut, isOutside, revealAll } from './variants';

/** What of a page's words no page shows. */
export interface ConcealedWords {
  readonly outside: string[];
  readonly onLayers: readonly string[];
}

/** Finds the words of some pages that none of them shows, beside those that poppler has of the file as it is. */
export type FindConcealed = (
  range: PageRange,
  pages: readonly PageWords[],
) => Promise<ConcealedWords[]>;

/**
 * For words that no page shows: outside of the page, or on a layer that is switched off. They are those that a copy
 * with all layers on and with wide margins has beyond the file's own. Changes the document: call it last.
 */
export async function concealedWords(
  document: PDFDocument,
  scratch: string,
): Promise<FindConcealed> {
  const path = join(scratch, 'revealed.pdf');
  const { boxes, hasLayers } = revealAll(document);
  await writeFile(path, await document.save({ useObjectStreams: false }));
  return async (range, pages) => {
    const revealed = await readWords(path, range);
    return revealed.map(({ words }, index) => {
      const box = boxes[range.first - 1 + index];
      if (!box) return { outside: [], onLayers: [] };
      const own = pages[index]?.words ?? [];
      const missing = beyond(
        words.filter((word) => !isOutside(word, box)),
        own,
      );
      return {
        outside: textsOf(words.filter((word) => isOutside(word, box))),
        // The edge of the page parts a word that lies across it: what is seen of it is another word.
        onLayers: hasLayers
          ? textsOf(missing.filter((word) => !isCut(word, box) || !hasPart(own, word)))
          : [],
      };
    });
  };
}

const textsOf = (words: readonly Word[]): string[] => words.map(({ text }) => text);

function hasPart(words: readonly Word[], { text }: Word): boolean {
  return words.some((word) => text.startsWith(word.text) || text.endsWith(word.text));
}

/** Words that the other list does not have as often. */
function beyond(words: readonly Word[], others: readonly Word[]): Word[] {
  const counts = new Map<string, number>();
  for (const { text } of others) counts.set(text, (counts.get(text) ?? 0) + 1);
  return words.filter(({ text }) => {
    const left = counts.get(text) ?? 0;
    counts.set(text, left - 1);
    return left <= 0;
  });
}
