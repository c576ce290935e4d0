import { type TextSegment } from '../../../core/evidence-view';
import { findFolded, foldedJoint, foldText } from '../../../core/fold-text';

/** A place where a text was found: from segment `first` to segment `last`, positions in the artifact's list. */
export interface Occurrence {
  readonly first: number;
  readonly last: number;
}

/** Folded text of an artifact in one piece, so that words which run over a line's end are found. */
export class TextIndex {
  readonly #text: string;
  /** Where each indexed segment starts in the text, with its position in the artifact's list. */
  readonly #starts: readonly { readonly at: number; readonly position: number }[];
  readonly #ignoreCase: boolean;

  constructor(
    segments: readonly TextSegment[],
    options: {
      readonly visibility: TextSegment['visibility'] | 'any';
      readonly ignoreCase: boolean;
    },
  ) {
    this.#ignoreCase = options.ignoreCase;
    const pieces: string[] = [];
    const starts: { at: number; position: number }[] = [];
    let length = 0;
    let previous = '';
    segments.forEach((segment, position) => {
      if (options.visibility !== 'any' && segment.visibility !== options.visibility) return;
      const folded = this.#fold(segment.text);
      if (folded === '') return;
      const joint = foldedJoint(previous, folded);
      starts.push({ at: length + joint.length, position });
      pieces.push(joint, folded);
      length += joint.length + folded.length;
      previous = folded;
    });
    this.#text = pieces.join('');
    this.#starts = starts;
  }

  /** Folded length in characters; 0 where there is nothing to search. */
  get length(): number {
    return this.#text.length;
  }

  find(needle: string, wholeWords: boolean): Occurrence[] {
    const folded = this.#fold(needle);
    return findFolded(this.#text, folded, wholeWords).map((at) => ({
      first: this.#positionOf(at),
      last: this.#positionOf(at + folded.length - 1),
    }));
  }

  #fold(text: string): string {
    const folded = foldText(text);
    return this.#ignoreCase ? folded.toLowerCase() : folded;
  }

  #positionOf(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle]?.at ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return this.#starts[low]?.position ?? 0;
  }
}
