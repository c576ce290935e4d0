/** The checklist of a task. Source of levels, their weights and the dimensions: StartupBench, arXiv 2608.17800. */

export const IMPORTANCE_LEVELS = ['core', 'important', 'auxiliary'] as const;
export type ImportanceLevel = (typeof IMPORTANCE_LEVELS)[number];

/** Weight of each named level. */
export const LEVEL_WEIGHTS: Readonly<Record<ImportanceLevel, number>> = {
  core: 5,
  important: 3,
  auxiliary: 1,
};

export const DIMENSIONS = [
  'structure-completeness',
  'calculation-precision',
  'information-integration',
  'domain-compliance',
  'engineering-format',
  'output-presentation',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** One thing to verify. `weight` is any positive number; `level` is set when the rubric named a level. */
export interface RubricItem {
  readonly id: string;
  readonly text: string;
  readonly weight: number;
  readonly level?: ImportanceLevel;
  readonly dimension: Dimension;
  readonly check?: Check;
}

export interface Rubric {
  readonly items: readonly RubricItem[];
}

/** A point in a deliverable that holds one value: a cell, or the first capture group of a pattern in its text. */
export type ValueSource =
  | { readonly file: string; readonly sheet: string; readonly cell: string }
  | {
      readonly file: string;
      readonly sheet: string;
      /** Sums the numbers of this column (named by its header) over all rows below the header. */
      readonly sumColumn: string;
    }
  | { readonly file: string; readonly pattern: string };

/**
 * A deterministic test of an item, from a closed set, run by our code on the evidence view.
 * `file` is a path below `results/`. `tolerance` is absolute, default 1e-6. Sheet names match exactly;
 * `"*"` (also: no name in the rubric) means the first sheet. Headers are found in the first row that holds all named
 * headers.
 * A CSV file counts as a workbook with one sheet, `"*"`; its cells that read as numbers are numbers.
 */
export type Check =
  | { readonly kind: 'file-exists'; readonly file: string; readonly format?: string }
  | { readonly kind: 'sheet-exists'; readonly file: string; readonly sheet: string }
  | {
      readonly kind: 'sheet-order';
      readonly file: string;
      readonly sheets: readonly string[];
    }
  | {
      readonly kind: 'cell-equals';
      readonly file: string;
      readonly sheet: string;
      readonly cell: string;
      readonly value: string | number | boolean;
      readonly tolerance?: number;
    }
  | {
      /** Looks a row up by the value of its key column, then compares another column of that row. */
      readonly kind: 'row-value-equals';
      readonly file: string;
      readonly sheet: string;
      readonly keyColumn: string;
      readonly key: string | number;
      readonly column: string;
      readonly value: string | number | boolean;
      readonly tolerance?: number;
    }
  | {
      /** The column's values below its header, in order (or as a set when `ordered` is false), equal `values`. */
      readonly kind: 'column-matches';
      readonly file: string;
      readonly sheet: string;
      readonly column: string;
      readonly values: readonly (string | number | boolean)[];
      readonly ordered?: boolean;
      readonly tolerance?: number;
    }
  | {
      readonly kind: 'row-count';
      readonly file: string;
      readonly sheet: string;
      /** Header that identifies the table. */
      readonly column: string;
      readonly count: number;
    }
  | {
      readonly kind: 'formula-present';
      readonly file: string;
      readonly sheet: string;
      readonly range: string;
      /** Share of non-empty cells in the range that must be formulas, 0 to 1; default 1. */
      readonly share?: number;
    }
  | {
      readonly kind: 'number-format';
      readonly file: string;
      readonly sheet: string;
      readonly range: string;
      /** Regular expression over the number format code. */
      readonly pattern: string;
    }
  | {
      readonly kind: 'no-error-cells';
      readonly file: string;
    }
  | {
      readonly kind: 'values-agree';
      readonly left: ValueSource;
      readonly right: ValueSource;
      readonly tolerance?: number;
    }
  | {
      /** Every string of `all`, and at least one of `any`, occurs in the text (NFKC, white space folded). */
      readonly kind: 'text-contains';
      readonly file: string;
      readonly all?: readonly string[];
      readonly any?: readonly string[];
      readonly ignoreCase?: boolean;
    }
  | {
      readonly kind: 'text-absent';
      readonly file: string;
      readonly none: readonly string[];
      readonly ignoreCase?: boolean;
    }
  | {
      readonly kind: 'page-count';
      readonly file: string;
      readonly min?: number;
      readonly max?: number;
    }
  | {
      /** A docx or markdown table whose first row holds these headers has at least `minRows` rows below it. */
      readonly kind: 'table-exists';
      readonly file: string;
      readonly headers: readonly string[];
      readonly minRows?: number;
    }
  | {
      /**
       * In the docx or markdown table whose first row holds both headers, a row whose `keyColumn` cell equals
       * `key` has a `column` cell that contains one of `any` (NFKC, white space folded).
       */
      readonly kind: 'table-row-contains';
      readonly file: string;
      readonly keyColumn: string;
      readonly key: string;
      readonly column: string;
      readonly any: readonly string[];
      readonly ignoreCase?: boolean;
    };
export type CheckKind = Check['kind'];

/** Raised with every change of what a check decides: items with a check are then decided again, no others. */
export const CHECKS_VERSION = 1;
