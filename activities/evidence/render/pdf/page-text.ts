import { type HiddenCause } from '../../../../core/evidence-view';
import { type Rendering } from '../rendering';
import { type PageWords } from './poppler';
import { type WordCauses } from './visibility';

const LABELS: Partial<Record<HiddenCause, string>> = {
  'no-mark': 'leaves no mark on the page',
  'tiny-text': 'tiny text',
  'off-page': 'outside of the page',
};

/** A page's text as poppler lays it out, its words, and why some of them are not seen. */
export interface PageText {
  readonly layout: string;
  readonly words: PageWords | undefined;
  readonly causes: WordCauses | undefined;
  /** Words outside of what the page shows; those that the layout has are taken out of the list. */
  readonly outside: string[];
}

/**
 * Adds the lines of a page. Words that are not seen are taken out of their line and kept as hidden text. Gives the
 * number of letters that are seen.
 */
export function addPageText(page: number, text: PageText, rendering: Rendering): number {
  const causeOf = causeFinder(text);
  const lines = text.layout.split('\n');
  while (lines.at(-1)?.trim() === '') lines.pop();
  let letters = 0;
  lines.forEach((line, at) => {
    const place = { kind: 'page' as const, page, from: at + 1, to: at + 1 };
    const unseen = new Map<HiddenCause, string[]>();
    const visible = line.replace(/\S+/gu, (word) => {
      const cause = causeOf(word);
      if (cause === undefined) return word;
      unseen.set(cause, [...(unseen.get(cause) ?? []), word]);
      return '';
    });
    letters += visible.replace(/\s/gu, '').length;
    if (visible.trim() !== '') rendering.addText(place, visible.trimEnd());
    for (const [cause, words] of unseen)
      rendering.addText(place, words.join(' '), { cause, label: LABELS[cause] ?? cause });
  });
  return letters;
}

/**
 * Answers, word by word as the layout has them, whether a reader sees that one: the layout goes from top to bottom
 * and from left to right, and so are equal words told apart. Words that the boxes do not have are taken as seen,
 * unless they lie outside of the page.
 */
function causeFinder({
  words: page,
  causes,
  outside,
}: PageText): (word: string) => HiddenCause | undefined {
  if (!page || !causes) return () => undefined;
  if (outside.length === 0 && causes.every((cause) => cause === undefined)) return () => undefined;
  const queues = new Map<string, { y: number; x: number; cause: HiddenCause | undefined }[]>();
  page.words.forEach(({ text, top, bottom, left }, at) => {
    const queue = queues.get(text) ?? [];
    queues.set(text, queue);
    queue.push({ y: (top + bottom) / 2, x: left, cause: causes[at] });
  });
  for (const queue of queues.values()) queue.sort(inReadingOrder);
  const last = new Map<string, HiddenCause | undefined>();
  return (word) => {
    const next = queues.get(word)?.shift();
    if (next) {
      last.set(word, next.cause);
      return next.cause;
    }
    const at = outside.indexOf(word);
    if (at < 0) return last.get(word);
    outside.splice(at, 1);
    return 'off-page';
  };
}

/** Points within which two words stand on one line. */
const LINE_POINTS = 3;

function inReadingOrder(left: { y: number; x: number }, right: { y: number; x: number }): number {
  return Math.abs(left.y - right.y) < LINE_POINTS ? left.x - right.x : left.y - right.y;
}

/** Lines that stand apart in the layout and yet are no line of the raw order, from which on a page has columns. */
const MIN_COLUMN_LINES = 5;

/**
 * Whether the page's words are drawn in another order than the layout has them: columns, whose sentences run down.
 * Then a line of the layout joins what is apart in the raw order; a table's row is a line in both.
 */
export function readsInColumns(layout: string, raw: string): boolean {
  const wide = layout.split('\n').filter((line) => /\S\s{3,}\S/u.test(line));
  if (wide.length < MIN_COLUMN_LINES) return false;
  const drawn = raw.replace(/\s+/gu, ' ');
  const torn = wide.filter((line) => !drawn.includes(line.trim().replace(/\s+/gu, ' '))).length;
  return torn >= MIN_COLUMN_LINES && torn * 2 > wide.length;
}

/** Whether a page may read in columns at all. */
export function mayHaveColumns(layout: string): boolean {
  return layout.split('\n').filter((line) => /\S\s{3,}\S/u.test(line)).length >= MIN_COLUMN_LINES;
}
