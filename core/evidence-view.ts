import { type Locator } from './locator';
import { type CellFact } from './workbook-facts';

export * from './comparison';
export * from './workbook-facts';

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

/** A change that a document keeps track of, in the order of the text. */
export interface TrackedChange {
  readonly kind: 'insertion' | 'deletion' | 'formatting';
  /** Words put in or taken out; those whose look was changed. */
  readonly text: string;
  readonly author?: string;
  /** As the file states it, to the day. */
  readonly date?: string;
}

/** Words within a text that a reader sees in a way that carries meaning, such as struck out, or that a comment is on. */
export interface TextMark {
  /** In our words: `struck out`, `yellow highlight`, `letters red (C00000)`, `superscript`, `comment 2`. */
  readonly look: string;
  readonly text: string;
}

/** A piece of text in reading order. `label` marks comments, deletions, headers, notes, OCR. */
export interface TextSegment {
  readonly locator: Locator;
  readonly text: string;
  readonly visibility: Visibility;
  readonly label?: string;
  /** Of hidden text. */
  readonly cause?: HiddenCause;
  /** The text before tracked changes, where they changed it; `text` is that with all of them accepted. */
  readonly original?: string;
  readonly changes?: readonly TrackedChange[];
  /** In the order in which they begin; at most 60, the words of each cut to 200 letters. */
  readonly marks?: readonly TextMark[];
  /** True where opening the file anew may change the text: date, page and contents fields. */
  readonly isVolatile?: boolean;
  /** True where the words are ours, about the file: page setup, images, fonts. They can be cited. */
  readonly isDescription?: boolean;
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
  /** Of a file of code, by its name. */
  readonly language?: string;
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
  /** Text at a place with visible text that no reader sees there; `text` leaves it out. */
  readonly hiddenText?: string;
  readonly cells?: readonly CellFact[];
  readonly pageSha256?: string;
}
