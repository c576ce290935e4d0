import { type ArtifactFormat } from '../../../core/evidence-view';
import { type OfficeTools } from './office';
import { type Rendering, Unreadable } from './rendering';

/** What an artifact can be rendered with; without tools there are no pages, no PDFs and no recalculation. */
export interface RenderTools {
  readonly office: OfficeTools;
  /** Writable folder for intermediate files. */
  readonly scratch: string;
}

/** What every reader of one artifact shares. */
export interface RenderContext {
  /** What the file's name says. */
  readonly named: ArtifactFormat;
  readonly tools: RenderTools | undefined;
  /** Begins the record anew, as one of that format. */
  readonly started: (format: ArtifactFormat) => Rendering;
  /** Writes down what is known so far, before slow work begins. */
  readonly pending: () => Promise<void>;
}

/** Throws `Unreadable` where the file needs programs that this process does not have. */
export function needed(tools: RenderTools | undefined): RenderTools {
  if (!tools) throw new Unreadable('unsupported', 'this format needs the renderer container');
  return tools;
}
