/**
 * The address of a piece of evidence. `artifact` is a path: `results/<path>` for a deliverable,
 * `inputs/<path>` for a pristine file of the task. All numbers start at 1; ranges include both ends.
 */
export type Locator =
  | { readonly artifact: string; readonly kind: 'file' }
  | {
      readonly artifact: string;
      readonly kind: 'cells';
      readonly sheet: string;
      readonly range: string;
    }
  | {
      readonly artifact: string;
      readonly kind: 'lines';
      readonly from: number;
      readonly to: number;
    }
  | {
      readonly artifact: string;
      readonly kind: 'page';
      readonly page: number;
      readonly from?: number;
      readonly to?: number;
    }
  | {
      readonly artifact: string;
      readonly kind: 'paragraph';
      /** `body`, `header1`, `footer1`, `footnotes`, `endnotes`, `comments`. */
      readonly part: string;
      readonly from: number;
      readonly to: number;
    }
  | {
      readonly artifact: string;
      readonly kind: 'table';
      readonly table: number;
      readonly row?: number;
      readonly column?: number;
    }
  | SlidePlace
  | {
      readonly artifact: string;
      /** A cell of a notebook, in order; its outputs are numbered from 1. Lines of its source, or of that output. */
      readonly kind: 'notebook';
      readonly cell: number;
      readonly output?: number;
      readonly from?: number;
      readonly to?: number;
    }
  | {
      readonly artifact: string;
      /** A line of an archive's (or a mail's) list. An unpacked member is an artifact of its own, `memberArtifact`. */
      readonly kind: 'member';
      readonly member: string;
      /** From 2: which of the entries of exactly this name; absent for the first. */
      readonly entry?: number;
    }
  | {
      readonly artifact: string;
      /** A chart, pivot table, comment, picture, defined name, rule, ...: what is no run of text or cells. */
      readonly kind: 'object';
      /** What it is, in small letters: `chart`, `pivot`, `comment`, `image`, `name`, `validation`, `link`, ... */
      readonly object: string;
      /** Its number among those of its kind in the part, in the file's order. */
      readonly number: number;
      /** Sheet or document part; empty for what belongs to the whole file. */
      readonly part: string;
    }
  | {
      readonly artifact: string;
      /** What differs between the artifact and an input, as we computed it: never words of the files. */
      readonly kind: 'comparison';
      readonly input: string;
      /** Sheet or document part; absent: the file as a whole. */
      readonly part?: string;
    };

/** Text that belongs to a slide: its `notes` and `comments`, `alt` text and `links` of a shape, text of its `layout`. */
export const SLIDE_PARTS = ['notes', 'comments', 'alt', 'links', 'layout'] as const;
export type SlidePart = (typeof SLIDE_PARTS)[number];

/** A place on a slide; each field that is given narrows it. */
export interface SlidePlace {
  readonly artifact: string;
  readonly kind: 'slide';
  /** Position in the presentation's order, hidden slides counted. */
  readonly slide: number;
  /** Position among all shapes of the slide, depth first, a group before what it holds. */
  readonly shape?: number;
  readonly part?: SlidePart;
  /** Of a table shape. */
  readonly row?: number;
  readonly column?: number;
  /** Paragraphs of the text, lines of a chart's data, nodes of a diagram. */
  readonly from?: number;
  readonly to?: number;
}

/** Address of an unpacked member: `results/a.zip//dir/b.csv`. No delivered path has an empty folder name. */
export function memberArtifact(artifact: string, member: string): string {
  return `${artifact}//${member}`;
}

/** The archive that an artifact was unpacked from, and its name there; `undefined` for a delivered file. */
export function parentArtifact(
  artifact: string,
): { readonly artifact: string; readonly member: string } | undefined {
  const at = artifact.lastIndexOf('//');
  return at < 0 ? undefined : { artifact: artifact.slice(0, at), member: artifact.slice(at + 2) };
}
