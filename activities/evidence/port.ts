import {
  type ArtifactFormat,
  type Comparison,
  type EvidenceView,
  type RenderedArtifact,
  type ResolvedEvidence,
  type TextSegment,
  type WorkbookFacts,
} from '../../core/evidence-view';
import { type Locator } from '../../core/locator';

/** What a renderer leaves in its out folder: `artifact.json` plus files named in it. Digests are over those files. */
export interface RenderJob {
  readonly sourcePath: string;
  /** What the file's name says; the renderer looks at the content. */
  readonly format: ArtifactFormat;
  readonly outDir: string;
  /** Aborting ends the rendering and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Renders one file to `outDir`; a file that cannot be rendered is a status, never an error. */
export interface Renderer {
  readonly recipe: string;
  /** Takes milliseconds: two workers that do the same cost less than agreeing on one of them. */
  readonly isQuick?: boolean;
  /** Throws `Failure('RenderUnavailable')` when the container cannot run (not for bad files). */
  render(job: RenderJob): Promise<RenderedArtifact>;
}

/** Read access to one run's evidence, for checks, judge tools, grounding and viewers. Loaded lazily and cached. */
export interface EvidenceReader {
  readonly view: EvidenceView;
  /** Text of an artifact in reading order, locators complete. Empty where there is none. */
  segments(artifact: string): Promise<readonly TextSegment[]>;
  workbook(artifact: string): Promise<WorkbookFacts | undefined>;
  /** JPEG bytes of a page (an image artifact has page 1); `undefined` when there is none. */
  pageImage(artifact: string, page: number): Promise<Uint8Array | undefined>;
  /** `undefined` when the locator points at nothing. */
  resolve(locator: Locator): Promise<ResolvedEvidence | undefined>;
  /** The input that a deliverable's name says it was made from: the same name, else a similar one. */
  inputOf(artifact: string): string | undefined;
  /** What differs; `undefined` when either is not in the view. Serves `comparison` locators as well. */
  compare(artifact: string, input: string): Promise<Comparison | undefined>;
  /** Original bytes. */
  original(artifact: string): Promise<Uint8Array>;
}
