import { type Rendering } from './rendering';

/** Zero-width, bidirectional and tag characters: they can carry words that no reader sees. */
const INVISIBLE =
  /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Counts invisible characters in visible text and says so; the text itself stays as it is. */
export function noteInvisibleCharacters(rendering: Rendering): void {
  let count = 0;
  for (const { text, visibility } of rendering.segments)
    if (visibility === 'visible') count += text.match(INVISIBLE)?.length ?? 0;
  if (count === 0) return;
  rendering.counts['invisibleCharacters'] = count;
  rendering.warn(`${count} invisible characters in the text`);
}
