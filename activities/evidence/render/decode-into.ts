import { decodeText } from './decode-text';
import { type Rendering } from './rendering';

/** The text of a file, with how it was decoded as facts of the record. */
export function decodeInto(bytes: Uint8Array, rendering: Rendering): string {
  const { text, encoding, replacements, decidedBy } = decodeText(bytes);
  rendering.facts['encoding'] = encoding;
  rendering.facts['encodingBy'] = decidedBy;
  if (replacements > 0) {
    rendering.counts['replacementCharacters'] = replacements;
    rendering.warn(`${replacements} bytes fit no character of ${encoding}`);
  }
  if (bytes.length === 0) rendering.warn('the file is empty');
  return text;
}
