import { type Locator } from './locator';

/** What became of an input's part (sheet, document part) in a deliverable. `unknown`: not all of it could be compared. */
export const PART_CHANGES = [
  'unchanged',
  'changed',
  'added',
  'removed',
  'renamed',
  'unknown',
] as const;
export type PartChange = (typeof PART_CHANGES)[number];

/** A difference at its place: `text` has words of the files and proves nothing by itself. */
export interface ComparedPlace {
  /** In the deliverable, or in the input where only that has the place. */
  readonly locator: Locator;
  readonly kind: 'value' | 'formula' | 'result' | 'format' | 'text' | 'structure';
  readonly text: string;
}

export interface ComparedPart {
  /** The deliverable's name of the part, or the input's where the deliverable has none. */
  readonly part: string;
  /** The input's name of a renamed part. */
  readonly formerPart?: string;
  readonly change: PartChange;
  /**
   * The fact in our own words, first word the change: `unchanged: all 120 cells of A1:F20`. Never has words of
   * the files, so that no file can make it say something.
   */
  readonly statement: string;
  /** The first ones, in the part's order. */
  readonly differences: readonly ComparedPlace[];
  readonly differenceCount: number;
}

/** A deliverable held against an input of the task. */
export interface Comparison {
  readonly artifact: string;
  readonly input: string;
  /** Over all parts; same rules as a part's statement. */
  readonly change: PartChange;
  readonly statement: string;
  /** Parts of the input in its order, then those that only the deliverable has. Empty for identical files. */
  readonly parts: readonly ComparedPart[];
}
