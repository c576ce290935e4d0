import {
  HIDDEN_CAUSES,
  type ArtifactFormat,
  type ArtifactStatus,
  type HiddenCause,
  type HiddenFinding,
  type TextMark,
  type TextSegment,
  type TrackedChange,
  type Visibility,
  type WorkbookFacts,
} from '../../../core/evidence-view';
import { type Locator } from '../../../core/locator';
import { RENDER_LIMITS } from './limits';
import { MAX_MARKS } from './mark-list';

/** Ends the reading of a file with a status; the reason is shown to judges and people. */
export class Unreadable extends Error {
  constructor(
    readonly status: Exclude<ArtifactStatus, 'rendered' | 'truncated'>,
    readonly reason: string,
  ) {
    super(reason);
    this.name = 'Unreadable';
  }
}

export interface RenderedPage {
  readonly page: number;
  readonly jpeg: Uint8Array;
  readonly widthPixels: number;
  readonly heightPixels: number;
  readonly source?: string;
  /** All of it has one colour. */
  readonly isBlank?: boolean;
}

export type LocatorBody = Locator extends infer Each
  ? Each extends Locator
    ? Omit<Each, 'artifact'>
    : never
  : never;

export interface TextOptions {
  readonly visibility?: Visibility;
  readonly label?: string;
  /** Makes the text hidden, and counts it under that cause. */
  readonly cause?: HiddenCause;
  readonly original?: string;
  readonly changes?: readonly TrackedChange[];
  readonly marks?: readonly TextMark[];
  readonly isVolatile?: boolean;
  readonly isDescription?: boolean;
}

/** Warnings and reasons of one record, and letters of each. */
const MAX_NOTES = 100;
const MAX_NOTE_LETTERS = 600;
/** Letters of a file that are searched for links. */
const MAX_SEARCHED_LETTERS = 500_000;
/** Places listed of each cause of hidden text. */
const MAX_PLACES = 5;

/** What the readers of one artifact find, collected in reading order. */
export class Rendering {
  readonly counts: Record<string, number> = {};
  readonly facts: Record<string, string | number | boolean> = {};
  readonly warnings: string[] = [];
  readonly segments: TextSegment[] = [];
  readonly truncations: string[] = [];
  private readonly hiddenByCause = new Map<HiddenCause, { count: number; places: Locator[] }>();
  workbook: WorkbookFacts | undefined;
  pages: RenderedPage[] = [];
  /** Unpacked members of an archive, attachments of a mail. */
  readonly members: { readonly path: string; readonly content: Uint8Array }[] = [];
  /** What was said of embedded parts, by their paths in the package. */
  readonly embeddedParts = new Map<string, string>();
  /** Pictures that the text shows by a relative path, as written there. */
  readonly localImages: string[] = [];
  private textBytes = 0;
  private textFull = false;
  private searchedLetters = 0;

  constructor(readonly format: ArtifactFormat) {}

  /**
   * Keeps a piece of text; what exceeds the text limit is left out and said once. Empty text is not kept.
   * Text with a cause is hidden, whatever `visibility` says.
   */
  addText(locator: LocatorBody, text: string, options: TextOptions = {}): void {
    const marks = (options.marks ?? []).slice(0, MAX_MARKS);
    if (text === '' || !this.hasRoom(text + marks.map((mark) => mark.text).join(''))) return;
    const { label, cause, visibility = 'visible' } = options;
    const place = { ...locator, artifact: '' };
    if (cause !== undefined) this.noteHidden(cause, place);
    this.segments.push({
      locator: place,
      text,
      visibility: cause === undefined ? visibility : 'hidden',
      ...(label === undefined ? {} : { label }),
      ...(cause === undefined ? {} : { cause }),
      ...(marks.length > 0 ? { marks } : {}),
      ...detailsOf(text, options),
    });
  }

  /** False from the first text on that is beyond a limit, which is said once. */
  private hasRoom(text: string): boolean {
    if (this.textFull) return false;
    this.textBytes += Buffer.byteLength(text);
    const limit =
      this.textBytes > RENDER_LIMITS.textBytes
        ? `${RENDER_LIMITS.textBytes} bytes`
        : this.segments.length >= RENDER_LIMITS.segments && `${RENDER_LIMITS.segments} pieces`;
    if (limit === false) return true;
    this.textFull = true;
    this.facts['textTruncated'] = true;
    this.truncate(`text beyond ${limit} is left out`);
    return false;
  }

  /** Hides text that was taken for visible, where the given function names the cause. */
  hideText(causeOf: (segment: TextSegment) => HiddenCause | undefined): void {
    this.segments.forEach((segment, index) => {
      const cause = segment.visibility === 'visible' ? causeOf(segment) : undefined;
      if (cause === undefined) return;
      this.segments[index] = { ...segment, visibility: 'hidden', cause };
      this.noteHidden(cause, segment.locator);
    });
  }

  /** Counts something that no reader sees; its text, if it has one, comes through `addText` with the cause. */
  noteHidden(cause: HiddenCause, locator: LocatorBody, by = 1): void {
    const known = this.hiddenByCause.get(cause) ?? { count: 0, places: [] };
    this.hiddenByCause.set(cause, known);
    known.count += by;
    if (known.places.length < MAX_PLACES) known.places.push({ ...locator, artifact: '' });
  }

  /** The section "not visible to a reader", by cause. */
  hidden(): HiddenFinding[] {
    return HIDDEN_CAUSES.flatMap((cause) => {
      const found = this.hiddenByCause.get(cause);
      return found ? [{ cause, ...found }] : [];
    });
  }

  count(name: string, by = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }

  /** Each warning is kept once; a file cannot make more of them than the record holds. */
  warn(warning: string): void {
    addOnce(this.warnings, warning);
  }

  /** What of a text may still be searched for links and pictures: a second or two of work for the worst file. */
  searchable(text: string): string {
    const part = text.slice(0, MAX_SEARCHED_LETTERS - this.searchedLetters);
    this.searchedLetters += part.length;
    if (part.length < text.length)
      this.warn(`links are counted in the first ${MAX_SEARCHED_LETTERS} letters only`);
    return part;
  }

  /** Notes a picture beside the file; each once, at most 200. */
  addLocalImage(target: string): void {
    if (this.localImages.length < 200 && !this.localImages.includes(target))
      this.localImages.push(target);
  }

  truncate(reason: string): void {
    addOnce(this.truncations, reason);
  }
}

function detailsOf(
  text: string,
  { original, changes = [], isVolatile, isDescription }: TextOptions,
): Partial<TextSegment> {
  return {
    ...(original === undefined || original === text ? {} : { original }),
    ...(changes.length > 0 ? { changes } : {}),
    ...(isVolatile === true ? { isVolatile } : {}),
    ...(isDescription === true ? { isDescription } : {}),
  };
}

/** Adds a line that may have words of the file: cut to a length, once, and no more than the list may have. */
function addOnce(list: string[], line: string): void {
  const cut = line.length > MAX_NOTE_LETTERS ? `${line.slice(0, MAX_NOTE_LETTERS)}...` : line;
  if (list.includes(cut)) return;
  if (list.length < MAX_NOTES) list.push(cut);
  else if (list.length === MAX_NOTES) list.push('and more of the kind');
}
