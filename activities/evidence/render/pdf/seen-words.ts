import { type PDFDocument, PDFArray, PDFDict, type PDFObject } from 'pdf-lib';
import { type PageWords, type Word } from './poppler';
import { type PageBox, visibleBox } from './variants';
import { type WordCauses } from './visibility';

/** Letters of what is quoted from a page. */
const MAX_QUOTE_LETTERS = 300;
/** Points that a word's middle may lie outside of a box. */
const MARGIN_POINTS = 1;

/** A place on a page, in points of the file: from the left and the bottom. */
export interface Area {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Texts of pages as they are laid out, and what a reader sees at places of them, once that is known. */
export interface SeenPages {
  readonly pages: readonly string[];
  readonly seenWords: SeenWords | undefined;
}

/** Which words a reader sees at a place of a page: what a highlight marks, a link is written on, a field shows. */
export class SeenWords {
  readonly #geometry: readonly { readonly box: PageBox; readonly turned: number }[];
  readonly #pageOf = new Map<PDFObject, number>();
  readonly #wanted: ReadonlySet<number>;
  readonly #words = new Map<number, readonly Word[]>();

  constructor(document: PDFDocument) {
    this.#geometry = document.getPages().map((page, index) => {
      const annotations = page.node.Annots();
      if (annotations instanceof PDFArray)
        for (let at = 0; at < annotations.size(); at++) {
          const each = annotations.lookup(at);
          if (each instanceof PDFDict) this.#pageOf.set(each, index + 1);
        }
      return { box: visibleBox(page.node), turned: ((page.getRotation().angle % 360) + 360) % 360 };
    });
    this.#wanted = new Set(this.#pageOf.values());
  }

  /** Only pages with something to look for are kept. */
  keep(page: number, { words }: PageWords, causes: WordCauses): void {
    if (this.#wanted.has(page))
      this.#words.set(
        page,
        words.filter((_, at) => causes[at] === undefined),
      );
  }

  /** Of an annotation or the part of a form that stands on a page. */
  pageOf(annotation: PDFObject): number | undefined {
    return this.#pageOf.get(annotation);
  }

  /** `undefined` where the page's words are not known. */
  wordsAt(page: number, areas: readonly Area[]): string | undefined {
    const [words, geometry] = [this.#words.get(page), this.#geometry[page - 1]];
    if (!words || !geometry) return undefined;
    const shown = areas.map((area) => shownArea(area, geometry));
    const found = words.filter((word) => {
      const [x, y] = [(word.left + word.right) / 2, (word.top + word.bottom) / 2];
      return shown.some(
        ({ left, right, top, bottom }) =>
          x >= left - MARGIN_POINTS &&
          x <= right + MARGIN_POINTS &&
          y >= top - MARGIN_POINTS &&
          y <= bottom + MARGIN_POINTS,
      );
    });
    return found
      .map(({ text }) => text)
      .join(' ')
      .slice(0, MAX_QUOTE_LETTERS);
  }
}

/** In points from the left and the top of the page as it is shown, which may be turned. */
function shownArea(
  area: Area,
  { box, turned }: { readonly box: PageBox; readonly turned: number },
): Omit<Word, 'text'> {
  const [left, right] = [area.left - box.left, area.right - box.left];
  const [bottom, top] = [area.bottom - box.bottom, area.top - box.bottom];
  switch (turned) {
    case 90:
      return { left: bottom, right: top, top: left, bottom: right };
    case 180:
      return { left: box.width - right, right: box.width - left, top: bottom, bottom: top };
    case 270:
      return {
        ...{ left: box.height - top, right: box.height - bottom },
        ...{ top: box.width - right, bottom: box.width - left },
      };
    default:
      return { left, right, top: box.height - top, bottom: box.height - bottom };
  }
}
