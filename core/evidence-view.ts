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
  'pptx',
  'pdf',
  'csv',
  'markdown',
  'html',
  'notebook',
  'json',
  'yaml',
  'xml',
  'code',
  'text',
  'email',
  'image',
  'archive',
  'other',
] as const;
export type ArtifactFormat = (typeof ARTIFACT_FORMATS)[number];

/** Where a piece of text is visible: `hidden` text is shown apart and grounds nothing. */
export type Visibility = 'visible' | 'hidden';

/** Why somebody who reads the finished file as it is meant to be read does not see a piece of text. */
export const HIDDEN_CAUSES = [
  /** Marked as hidden in a document: vanish runs, `display: none`. */
  'hidden-text',
  /** Letters in the colour of what is behind them, or nearly so. */
  'no-contrast',
  /** Letters under 3 points, or squeezed to nothing. */
  'tiny-text',
  /** Outside of the page, the slide or the crop box. */
  'off-page',
  /** Behind a picture or shape, clipped away, or drawn in a mode that leaves no mark. */
  'no-mark',
  /** On a layer (optional content group) that is switched off. */
  'layer-off',
  /** On a hidden or very hidden sheet. */
  'hidden-sheet',
  /** In a hidden row or column. */
  'hidden-cells',
  'hidden-slide',
  /** Speaker notes. */
  'notes',
  'alternative-text',
  /** Code behind a field, whose result is what a reader sees. */
  'field-code',
  /** Document properties, names of people and programs. */
  'metadata',
  /** Comments, scripts and attributes of markup; values of form fields that are not shown. */
  'markup',
  /** Zero-width, bidirectional and tag characters within text that is seen: `text` has them, unchanged. */
  'invisible-characters',
  /** Words, seen or not, that speak to whoever grades the work. */
  'addresses-grader',
] as const;
export type HiddenCause = (typeof HIDDEN_CAUSES)[number];

/** One line of the section "not visible to a reader" of any artifact. */
export interface HiddenFinding {
  readonly cause: HiddenCause;
  /** Pieces of text; characters for `invisible-characters`. */
  readonly count: number;
  /** The first places, with an empty artifact; the texts themselves are segments there. */
  readonly places: readonly Locator[];
}

/** A piece of text in reading order. `label` marks comments, insertions, deletions, headers, notes, OCR. */
export interface TextSegment {
  readonly locator: Locator;
  readonly text: string;
  readonly visibility: Visibility;
  readonly label?: string;
  /** Of hidden text. */
  readonly cause?: HiddenCause;
  /** The text before tracked changes, where they changed it; `text` is that with all of them accepted. */
  readonly original?: string;
  /** True where opening the file anew may change the text: date, page and contents fields. */
  readonly isVolatile?: boolean;
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
  /** Over values, formulas and number formats of all cells, those that are not listed too. */
  readonly cellsDigest?: string;
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
  /** What is in the file and not visible to a reader, by cause; absent where nothing is. */
  readonly hidden?: readonly HiddenFinding[];
  /** `TextSegment[]` as JSON with an empty artifact in every locator; sealed blob. */
  readonly text?: { readonly sha256: string; readonly bytes: number };
  /** `WorkbookFacts` as JSON; sealed blob. */
  readonly workbook?: { readonly sha256: string; readonly bytes: number };
  readonly pages: readonly PageImage[];
  /** Members of an archive or attachments of a mail that were unpacked, each a file in the out folder; sealed blobs. */
  readonly members?: readonly UnpackedMember[];
  /** Pictures that the text shows by a relative path, as written there; each once, at most 200. */
  readonly localImages?: readonly string[];
  readonly rendererRecipe: string;
}

export interface UnpackedMember {
  /** Path within the archive, `/` between folders, no `.` or `..`, no empty name. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** `PageImage.source` of a slide's page. */
export function slideSource(slide: number): string {
  return `slide ${slide}`;
}

/** A file of the view under its address. */
export interface ArtifactEntry {
  /** `results/...` or `inputs/...`. */
  readonly artifact: string;
  readonly origin: 'deliverable' | 'input';
  readonly rendered: RenderedArtifact;
  /** Pictures that the text shows, each with the artifact that it is; without one where no such file was delivered. */
  readonly images?: readonly { readonly target: string; readonly artifact?: string }[];
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
