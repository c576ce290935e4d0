import { type HiddenCause } from '../../../../core/evidence-view';
import { type Rendering } from '../rendering';
import { scriptText } from '../script-text';
import { type PageWords } from './poppler';
import { type WordCauses } from './visibility';
import { type WordPart, WordMatcher, withoutDirection } from './word-match';

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

/** What of a page a reader sees. */
export interface SeenText {
  readonly letters: number;
  /** Its lines; where words are taken out of them, there are spaces. */
  readonly layout: string;
}

/** Adds the lines of a page. Words that are not seen are taken out of their line and kept as hidden text. */
export function addPageText(page: number, text: PageText, rendering: Rendering): SeenText {
  const { partsOf, slantedWords } = partFinder(text);
  const lines = text.layout.split('\n');
  while (lines.at(-1)?.trim() === '') lines.pop();
  const seenLines: string[] = [];
  let letters = 0;
  lines.forEach((line, at) => {
    const place = { kind: 'page' as const, page, from: at + 1, to: at + 1 };
    const unseen = new Map<HiddenCause, string[]>();
    let seenLine = line;
    const visible = line.replace(/\S+/gu, (word, index: number) => {
      const shown: string[] = [];
      const hidden = new Map<HiddenCause, string>();
      for (const part of partsOf(word)) {
        const { text: letters, cause, isSlanted = false } = part;
        if (isSlanted) continue;
        if (cause === undefined) shown.push(scriptText(part, shown.join('')));
        else hidden.set(cause, (hidden.get(cause) ?? '') + letters);
      }
      for (const [cause, letters] of hidden)
        unseen.set(cause, [...(unseen.get(cause) ?? []), letters]);
      if (shown.length === 0)
        seenLine =
          seenLine.slice(0, index) + ' '.repeat(word.length) + seenLine.slice(index + word.length);
      return shown.join('');
    });
    seenLines.push(seenLine);
    letters += visible.replace(/\s/gu, '').length;
    if (withoutDirection(visible).trim() !== '') rendering.addText(place, visible.trimEnd());
    for (const [cause, words] of unseen)
      rendering.addText(place, words.join(' '), { cause, label: LABELS[cause] ?? cause });
  });
  letters += addSlanted(page, slantedWords, rendering);
  return { letters, layout: seenLines.join('\n') };
}

/** Such as watermarks and the labels of an axis. */
function addSlanted(page: number, words: readonly WordPart[], rendering: Rendering): number {
  const textsOf = (parts: readonly WordPart[]): string[] => parts.map(({ text }) => text);
  const seen = textsOf(words.filter(({ cause }) => cause === undefined));
  const unseen = textsOf(words.filter(({ cause }) => cause !== undefined));
  const place = { kind: 'page' as const, page };
  rendering.addText(place, seen.join(' '), { label: 'written aslant' });
  rendering.addText(place, unseen.join(' '), { cause: 'no-mark', label: 'written aslant' });
  return seen.join('').length;
}

interface PartFinder {
  /** Which parts of the layout's next word a reader sees. */
  partsOf(word: string): WordPart[];
  readonly slantedWords: readonly WordPart[];
}

/** Words that the boxes do not have are taken as seen, unless they lie outside of the page. */
function partFinder({ words, causes, outside, layout }: PageText): PartFinder {
  if (!words || !causes)
    return { partsOf: (text) => [{ text, cause: undefined }], slantedWords: [] };
  const matcher = new WordMatcher(words, causes);
  const found = [...layout.matchAll(/\S+/gu)].map(([word]) => matcher.take(word));
  let at = -1;
  return {
    partsOf: (text) => {
      const parts = found[++at];
      if (parts) return parts;
      const place = outside.indexOf(text);
      if (place >= 0) outside.splice(place, 1);
      const cause = place >= 0 ? 'off-page' : matcher.causeOfLeftover(text);
      return [{ text, cause }];
    },
    slantedWords: matcher.slantedWords,
  };
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
