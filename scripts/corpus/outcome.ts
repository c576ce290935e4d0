import { type ArtifactFormat, type ArtifactStatus } from '../../core/evidence-view';

/** How the reading of one file ended. */
export interface Outcome {
  readonly file: string;
  readonly format: ArtifactFormat;
  /** `crashed`: no record, an error of our own code, or an end at the limit of time or memory. */
  readonly status: ArtifactStatus | 'crashed';
  readonly reason: string;
  readonly durationMs: number;
  /** Peak of the container with its page cache, or of the reading process. */
  readonly peakBytes?: number;
  readonly counts: Readonly<Record<string, number>>;
  /** Where two readers count differently. */
  readonly disagreements: readonly string[];
  /** Markers and counts that are not as listed. */
  readonly faults: readonly string[];
}

export interface ExpectedFile {
  readonly path: string;
  /** Shown name. */
  readonly file: string;
  /** Absent: anything but `refused` and `crashed`. */
  readonly status?: ArtifactStatus;
}

/** The sentence that a wrong status is reported with. */
export function unexpected(outcome: Outcome, expected: ExpectedFile): string | undefined {
  const { status, reason, file } = outcome;
  const isExpected =
    expected.status === undefined
      ? status !== 'refused' && status !== 'crashed'
      : status === expected.status;
  if (isExpected) return undefined;
  const wanted = expected.status ?? 'anything else, since no list says so';
  return `${file}: ${status}${reason === '' ? '' : ` (${reason})`}; expected ${wanted}`;
}

/**
 * Ends that a file must not be able to cause: of the container, and errors of our own code that the renderer could
 * only pass on. A program that the renderer stopped, such as LibreOffice, is no such end: its view says what it lacks.
 */
const BAD_END =
  /^cannot be read: |the renderer failed|needed more memory than|rendering was stopped at its time limit|left no record/u;

/** Whether the reader stopped a program at its limit of time and went on without it. */
export function hasStoppedProgram({ status, reason }: Pick<Outcome, 'status' | 'reason'>): boolean {
  return status !== 'crashed' && reason.includes('was stopped at its time limit');
}

/** The status of a record, with bad ends told apart. */
export function statusOf(status: ArtifactStatus, reason: string): Outcome['status'] {
  return BAD_END.test(reason) ? 'crashed' : status;
}

const DISAGREEMENT =
  /another reader|poppler counts|the package has \d|readers? (?:disagree|differ)/u;

export function disagreementsIn(warnings: readonly string[]): string[] {
  return warnings.filter((warning) => DISAGREEMENT.test(warning));
}
