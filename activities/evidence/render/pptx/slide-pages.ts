import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { type HiddenCause, slideSource } from '../../../../core/evidence-view';
import { type PageSource } from '../office';
import { messageOf } from '../package';
import { sourcesOfPages } from '../pages';
import { type PageWords, readWords } from '../pdf/poppler';
import { dropText } from '../pdf/variants';
import { CHECKED_PAGES, type WordCauses, findUnseenWords, rangesOf } from '../pdf/visibility';
import { type Rendering } from '../rendering';
import { compareWithPages } from './second-reading';

/**
 * Compares our reading with LibreOffice's pages, and hides text of slides that leaves no mark on the slide's page:
 * white words on white, words under a picture. A paragraph counts as unseen where all of its words are, and none of
 * them stands seen elsewhere on the slide.
 *
 * @param pdfPath LibreOffice's pages of the presentation
 * @param sources the slides that may be a page each
 */
export async function checkSlidePages(
  pdfPath: string,
  sources: readonly PageSource[],
  rendering: Rendering,
  scratch: string,
): Promise<void> {
  try {
    const pages = await readWords(pdfPath, { first: 1, last: CHECKED_PAGES });
    const slides = sourcesOfPages(sources, pages.length);
    const unseen = await unseenByPage(pdfPath, pages, scratch);
    const bySlide = new Map(
      slides.flatMap(({ name }, index) => {
        const words = unseen.get(index + 1);
        return words === undefined ? [] : [[name, words] as const];
      }),
    );
    compareWithPages(pages, slides, rendering);
    rendering.hideText(({ locator, text }) => {
      if (locator.kind !== 'slide' || !isOnSlide(locator.part)) return undefined;
      return commonCause(text, bySlide.get(slideSource(locator.slide)));
    });
  } catch (error) {
    rendering.warn(`whether all words can be seen is not known: ${messageOf(error).slice(0, 200)}`);
  }
}

function isOnSlide(part: string | undefined): boolean {
  return part === undefined || part === 'layout';
}

/** Why none of the words is seen; `undefined` where one is, or is not found at all. */
function commonCause(
  text: string,
  unseen: ReadonlyMap<string, HiddenCause> | undefined,
): HiddenCause | undefined {
  const words = text.split(/\s+/u).filter(Boolean);
  const causes = words.map((word) => unseen?.get(word));
  return causes.every((cause) => cause !== undefined) ? causes[0] : undefined;
}

/** Words of each page that are nowhere seen on it. */
async function unseenByPage(
  pdfPath: string,
  pages: readonly PageWords[],
  scratch: string,
): Promise<ReadonlyMap<number, ReadonlyMap<string, HiddenCause>>> {
  const document = await PDFDocument.load(await readFile(pdfPath), { updateMetadata: false });
  dropText(document);
  const silent = join(scratch, 'silent-slides.pdf');
  await writeFile(silent, await document.save({ useObjectStreams: false }));
  const causes: WordCauses[] = [];
  for (const { first, last } of rangesOf(pages.length)) {
    const some = { first, pages: pages.slice(first - 1, last) };
    causes.push(...(await findUnseenWords(pdfPath, silent, some, scratch)));
  }
  return new Map(
    pages.map(({ words }, index) => {
      const unseen = new Map<string, HiddenCause>();
      words.forEach(({ text }, at) => {
        const cause = causes[index]?.[at];
        if (cause !== undefined) unseen.set(text, cause);
      });
      words.forEach(({ text }, at) => {
        if (causes[index]?.[at] === undefined) unseen.delete(text);
      });
      return [index + 1, unseen] as const;
    }),
  );
}
