import { type TextSegment } from '../../../core/evidence-view';
import { foldText } from '../../../core/fold-text';
import { graderSpansOfFolded } from '../../../core/grader-text';
import { type Locator } from '../../../core/locator';
import { type Rendering } from './rendering';

/** Zero-width, bidirectional and tag characters: they can carry words that no reader sees. */
const INVISIBLE =
  /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * Looks through the text of any format, last of all: invisible characters in text that is seen, and words, seen
 * or not, that speak to a grader. The text stays as it is.
 */
export function noteHiddenContent(rendering: Rendering): void {
  let characters = 0;
  for (const { locator, text, visibility } of rendering.segments) {
    const count = visibility === 'visible' ? (text.match(INVISIBLE)?.length ?? 0) : 0;
    if (count > 0) rendering.noteHidden('invisible-characters', locator, count);
    characters += count;
  }
  for (const [locator, count] of graderTexts(rendering.segments))
    rendering.noteHidden('addresses-grader', locator, count);
  if (characters === 0) return;
  rendering.counts['invisibleCharacters'] = characters;
  rendering.warn(`${characters} invisible characters in the text`);
}

/** Places where a grader is addressed: the segments in which the words begin. Words may run over segments. */
function graderTexts(segments: readonly TextSegment[]): [Locator, number][] {
  const ends: number[] = [];
  let length = 0;
  const pieces = segments.map(({ text }) => {
    const piece = foldText(text);
    length += piece.length + 1;
    ends.push(length);
    return piece;
  });
  const counts = new Map<number, number>();
  for (const [start] of graderSpansOfFolded(pieces.join(' '))) {
    const at = firstAbove(ends, start);
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  return [...counts].flatMap(([at, count]): [Locator, number][] => {
    const locator = segments[at]?.locator;
    return locator ? [[locator, count]] : [];
  });
}

/** Position of the first number above the given one in a rising list. */
function firstAbove(rising: readonly number[], value: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? Infinity) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
