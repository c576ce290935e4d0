import {
  type ArtifactFormat,
  type ArtifactStatus,
  type TextSegment,
  type Visibility,
  type WorkbookFacts,
} from '../../../core/evidence-view';
import { type Locator } from '../../../core/locator';
import { RENDER_LIMITS } from './limits';

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
}

type LocatorBody = Locator extends infer Each
  ? Each extends Locator
    ? Omit<Each, 'artifact'>
    : never
  : never;

/** What the readers of one artifact find, collected in reading order. */
export class Rendering {
  readonly counts: Record<string, number> = {};
  readonly facts: Record<string, string | number | boolean> = {};
  readonly warnings: string[] = [];
  readonly segments: TextSegment[] = [];
  readonly truncations: string[] = [];
  workbook: WorkbookFacts | undefined;
  pages: RenderedPage[] = [];
  private textBytes = 0;
  private textFull = false;

  constructor(readonly format: ArtifactFormat) {}

  /** Keeps a piece of text; what exceeds the text limit is left out and said once. Empty text is not kept. */
  addText(
    locator: LocatorBody,
    text: string,
    options: { readonly visibility?: Visibility; readonly label?: string } = {},
  ): void {
    if (text === '' || this.textFull) return;
    this.textBytes += Buffer.byteLength(text);
    if (this.textBytes > RENDER_LIMITS.textBytes) {
      this.textFull = true;
      this.facts['textTruncated'] = true;
      this.truncate(`text beyond ${RENDER_LIMITS.textBytes} bytes is left out`);
      return;
    }
    this.segments.push({
      locator: { ...locator, artifact: '' },
      text,
      visibility: options.visibility ?? 'visible',
      ...(options.label === undefined ? {} : { label: options.label }),
    });
  }

  count(name: string, by = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }

  /** Each warning is kept once. */
  warn(warning: string): void {
    if (!this.warnings.includes(warning)) this.warnings.push(warning);
  }

  truncate(reason: string): void {
    if (!this.truncations.includes(reason)) this.truncations.push(reason);
  }
}
