import { type HiddenCause } from '../../../../core/evidence-view';
import { type PageWords, type Word } from './poppler';
import { bucketsOf, findSlanted } from './slanted-words';
import { type WordCauses } from './visibility';

/** A part of a word of the layout: poppler boxes a word's letters of another size or font apart. */
export interface WordPart {
  readonly text: string;
  readonly cause: HiddenCause | undefined;
  /** Smaller, and above or below the part before it. */
  readonly script?: 'above' | 'below';
  /** Part of a word that is written aslant: `slantedWords` has it whole. */
  readonly isSlanted?: boolean;
}

interface Box extends Word {
  readonly cause: HiddenCause | undefined;
  next: Box | undefined;
  isUsed: boolean;
  isSlanted: boolean;
}

/** Points within which two words stand on one line. */
const LINE_POINTS = 3;
/** Gap between two parts of a word, as a share of their height. */
const TOUCHING = 0.12;
/** Boxes with the same text that are tried as a word's first part. */
const MAX_TRIES = 200;
const MAX_PARTS = 400;
/** Marks of the writing direction, which the layout has and the boxes do not. */
const DIRECTION = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

export const withoutDirection = (text: string): string => text.replace(DIRECTION, '');

/**
 * Finds the boxes of the layout's words. The layout goes from top to bottom and from left to right, and so are equal
 * words told apart.
 */
export class WordMatcher {
  readonly #boxes: readonly Box[];
  readonly #byText = new Map<string, Box[]>();
  /** Words written aslant, which the layout tears into their letters. */
  readonly slantedWords: readonly WordPart[];

  constructor({ words }: PageWords, causes: WordCauses) {
    this.#boxes = words.map((word, at) => ({
      ...word,
      cause: causes[at],
      next: undefined,
      isUsed: false,
      isSlanted: false,
    }));
    this.slantedWords = findSlanted(this.#boxes).map((chain) => {
      const slanted = chain.map((box) => Object.assign(box, { isSlanted: true }));
      const unseen = slanted.flatMap(({ cause }) => cause ?? []);
      return {
        text: slanted.map(({ text }) => text).join(''),
        cause: unseen.length * 2 >= slanted.length ? unseen[0] : undefined,
        isSlanted: true,
      };
    });
    linkTouching(this.#boxes);
    for (const box of [...this.#boxes].sort(inReadingOrder)) {
      const known = this.#byText.get(box.text);
      if (known) known.push(box);
      else this.#byText.set(box.text, [box]);
    }
  }

  /** The parts that make up the word; `undefined` where no boxes do. */
  take(word: string): WordPart[] | undefined {
    const text = withoutDirection(word);
    for (let length = text.length; length > 0; length--) {
      const starts = this.#byText.get(text.slice(0, length));
      if (!starts) continue;
      while (starts[0]?.isUsed === true) starts.shift();
      let tries = 0;
      for (const start of starts) {
        if (start.isUsed) continue;
        if (++tries > MAX_TRIES) break;
        const chain = chainOf(start, text);
        if (!chain) continue;
        for (const box of chain) box.isUsed = true;
        return partsOf(chain);
      }
    }
    return undefined;
  }

  /**
   * Why a word is not seen that no chain of boxes makes up, such as one that is written from right to left: that of
   * the boxes left over of which it is made, where all of them have one.
   */
  causeOfLeftover(word: string): HiddenCause | undefined {
    let rest = withoutDirection(word);
    const found: Box[] = [];
    for (const box of this.#leftover()) {
      const at = box.isUsed ? -1 : rest.indexOf(box.text);
      if (at < 0) continue;
      rest = rest.slice(0, at) + rest.slice(at + box.text.length);
      found.push(box);
      if (rest === '') break;
    }
    if (rest !== '') return undefined;
    for (const box of found) box.isUsed = true;
    return found.every(({ cause }) => cause !== undefined) ? found[0]?.cause : undefined;
  }

  #left: Box[] | undefined;

  /** Longer ones first, so that none is taken for a part of another. */
  #leftover(): Box[] {
    this.#left ??= this.#boxes
      .filter(({ isUsed }) => !isUsed)
      .sort((left, right) => right.text.length - left.text.length)
      .slice(0, 5_000);
    return this.#left;
  }
}

function inReadingOrder(left: Word, right: Word): number {
  const [above, below] = [(left.top + left.bottom) / 2, (right.top + right.bottom) / 2];
  return Math.abs(above - below) < LINE_POINTS ? left.left - right.left : above - below;
}

/** Names the box that begins where another one ends. */
function linkTouching(boxes: readonly Box[]): void {
  const byLeft = bucketsOf(boxes, ({ left }) => left);
  for (const box of boxes) {
    const from = Math.floor(box.right - 1);
    const most = Math.ceil(box.right + heightOf(box) * TOUCHING);
    for (let at = from; at <= Math.min(most, from + 20) && !box.next; at++)
      box.next = byLeft.get(at)?.find((other) => other !== box && touches(box, other));
  }
}

function heightOf({ top, bottom }: Word): number {
  return bottom - top;
}

function touches(left: Word, right: Word): boolean {
  const gap = right.left - left.right;
  const height = Math.min(heightOf(left), heightOf(right));
  const overlap = Math.min(left.bottom, right.bottom) - Math.max(left.top, right.top);
  return gap >= -0.5 && gap <= height * TOUCHING && overlap > height * 0.3;
}

function chainOf(start: Box, text: string): Box[] | undefined {
  const chain: Box[] = [];
  let length = 0;
  for (let box: Box | undefined = start; box && chain.length < MAX_PARTS; box = box.next) {
    if (box.isUsed || !text.startsWith(box.text, length)) return undefined;
    chain.push(box);
    length += box.text.length;
    if (length === text.length) return chain;
  }
  return undefined;
}

function partsOf(chain: readonly Box[]): WordPart[] {
  let base: Box | undefined;
  return chain.map((box) => {
    const { text, cause, isSlanted } = box;
    const script = base && scriptOf(box, base);
    if (script === undefined) base = box;
    return { text, cause, isSlanted, ...(script === undefined ? {} : { script }) };
  });
}

function scriptOf(box: Word, base: Word): WordPart['script'] {
  const height = heightOf(base);
  if (heightOf(box) > height * 0.85) return undefined;
  if (base.bottom - box.bottom > height * 0.15) return 'above';
  return box.bottom - base.bottom > height * 0.05 && box.top - base.top > height * 0.2
    ? 'below'
    : undefined;
}
