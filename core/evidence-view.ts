import { type Locator } from './locator';

/** One record for every file; nothing disappears silently. */
export const ARTIFACT_STATUSES = [
  'rendered',
  'truncated',
  'unsupported',
  'encrypted',
  'corrupt',
  'refused',
] as const;
export type ArtifactStatus = (typeof ARTIFACT_STATUSES)[number];

export const ARTIFACT_FORMATS = [
  'xlsx',
  'docx',
  'pdf',
  'csv',
  'markdown',
  'text',
  'image',
  'other',
] as const;
export type ArtifactFormat = (typeof ARTIFACT_FORMATS)[number];

/** Where a piece of text is visible: `hidden` text is shown apart and grounds nothing. */
export type Visibility = 'visible' | 'hidden';

/** A piece of text in reading order. `label` marks comments, insertions, deletions, headers, notes, OCR. */
export interface TextSegment {
  readonly locator: Locator;
  readonly text: string;
  readonly visibility: Visibility;
  readonly label?: string;
}

/** One cell. `value` is the raw stored value; `shown` the text under its number format. */
export interface CellFact {
  readonly ref: string;
  readonly value: string | number | boolean | null;
  readonly shown: string;
  readonly format?: string;
  readonly formula?: string;
  /** Value in the file for a formula cell; absent where the writer left none. */
  readonly cached?: string | number | boolean;
  readonly recalculated?: string | number | boolean;
  readonly error?: string;
  /** `unseen`: white on no fill, or smaller than 3 points. */
  readonly flags?: readonly ('stale' | 'volatile' | 'number-as-text' | 'unseen')[];
}

export interface SheetFact {
  readonly name: string;
  readonly state: 'visible' | 'hidden' | 'veryHidden';
  /** `A1:F20`, from the cells that exist; empty for an empty sheet. */
  readonly usedRange: string;
  readonly cellCount: number;
  readonly formulaCount: number;
  readonly errorCount: number;
  readonly merged: readonly string[];
  readonly freezePane?: string;
  readonly autoFilter?: string;
  readonly hiddenRows: readonly number[];
  readonly hiddenColumns: readonly string[];
  readonly tables: readonly { readonly name: string; readonly range: string }[];
  readonly pivots?: readonly {
    readonly name: string;
    readonly range: string;
    readonly source: string;
    readonly fields: readonly string[];
  }[];
  readonly charts: readonly {
    readonly type: string;
    readonly title: string;
    readonly series: readonly string[];
  }[];
  readonly comments: readonly {
    readonly ref: string;
    readonly author: string;
    readonly text: string;
  }[];
  readonly validations: readonly { readonly range: string; readonly rule: string }[];
  readonly conditionalFormats: readonly { readonly range: string; readonly rule: string }[];
  readonly images: number;
  /** Row by row; at most the dump limit of cells over the whole workbook. */
  readonly cells: readonly CellFact[];
}

export interface WorkbookFacts {
  readonly sheets: readonly SheetFact[];
  readonly definedNames: readonly { readonly name: string; readonly refersTo: string }[];
  /** Counts of the package's own parts, to hold ours against. */
  readonly partCounts: Readonly<Record<string, number>>;
  readonly recalculatedBy?: string;
  readonly warnings: readonly string[];
}

/** A rendered page: JPEG blob in `sealed/blobs`. */
export interface PageImage {
  readonly page: number;
  readonly sha256: string;
  readonly bytes: number;
  readonly widthPixels: number;
  readonly heightPixels: number;
  /** Sheet name or other source of the page, where known. */
  readonly source?: string;
}

/** Everything the renderer says of one file, stored once per content digest and renderer recipe. */
export interface RenderedArtifact {
  readonly v: 1;
  readonly sha256: string;
  readonly bytes: number;
  readonly format: ArtifactFormat;
  readonly status: ArtifactStatus;
  readonly reason?: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly facts: Readonly<Record<string, string | number | boolean>>;
  readonly warnings: readonly string[];
  /** `TextSegment[]` as JSON with an empty artifact in every locator; sealed blob. */
  readonly text?: { readonly sha256: string; readonly bytes: number };
  /** `WorkbookFacts` as JSON; sealed blob. */
  readonly workbook?: { readonly sha256: string; readonly bytes: number };
  readonly pages: readonly PageImage[];
  readonly rendererRecipe: string;
}

/** A file of the view under its address. */
export interface ArtifactEntry {
  /** `results/...` or `inputs/...`. */
  readonly artifact: string;
  readonly origin: 'deliverable' | 'input';
  readonly rendered: RenderedArtifact;
}

/** The evidence view of one run: references only. */
export interface EvidenceView {
  readonly v: 1;
  readonly taskDigest: string;
  readonly deliverablesDigest: string;
  readonly rendererRecipe: string;
  readonly entries: readonly ArtifactEntry[];
  /** Deliverables that could not be taken, with the reason. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
}

/** What a locator points at. `text` is every line or cell of it; `pageSha256` is set for pages and images. */
export interface ResolvedEvidence {
  readonly locator: Locator;
  readonly text: string;
  readonly visibility: Visibility;
  readonly cells?: readonly CellFact[];
  readonly pageSha256?: string;
}
