/** Words of a task: the triple (request, workspace, rubric). */

export const DOMAINS = ['medical', 'finance', 'legal', 'business', 'stem', 'education'] as const;
export type Domain = (typeof DOMAINS)[number];

export const OUTPUT_FORMATS = [
  'docx',
  'xlsx',
  'pptx',
  'pdf',
  'markdown',
  'csv',
  'image',
  'text',
  'code',
] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Path (POSIX, relative, NFC) with the digest and size of its content. The content is a blob in the object store. */
export interface FileReference {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** A file the request asks for, relative to `results/`. */
export interface RequiredOutput {
  readonly path: string;
  readonly format: OutputFormat;
}

/** What a plan keeps of a task: references only, never content. */
export interface PlannedTask {
  readonly id: string;
  readonly title: string;
  readonly domain: Domain;
  readonly language: string;
  readonly outputs: readonly RequiredOutput[];
  readonly grants: { readonly web: readonly string[] };
  /** sha256 over request, workspace files and required outputs: the part of the run key. */
  readonly digest: string;
  /** Workspace files including `query/task.md`; blobs in `open/`. */
  readonly files: readonly FileReference[];
  /** The rubric as canonical JSON (`Rubric`); a blob in `sealed/`. */
  readonly rubric: FileReference;
  readonly itemCount: number;
  /** Reference deliverables, relative to `results/`; blobs in `sealed/`, and in `open/` where the plan has an oracle lane. */
  readonly reference: readonly FileReference[];
}
