/** Where imported deliverables come from, as `system.yaml` states it. */
export interface SubmissionSystem {
  /** What made them, with its version. */
  readonly product: string;
  /** Day on which they were made, `YYYY-MM-DD`. */
  readonly date: string;
  /** Who ran the product. */
  readonly operator: string;
}

/** One run's deliverables; `manifest` is a blob in `open/` that holds a `DeliverableManifest`. */
export interface SubmittedRun {
  readonly task: string;
  /** From 1. */
  readonly repetition: number;
  /** `DeliverableManifest.digest`. */
  readonly deliverables: string;
  readonly manifest: { readonly sha256: string; readonly bytes: number };
  readonly files: number;
}

/** Write-once record `open/submissions/<id>/submission.json`: deliverables made elsewhere. */
export interface Submission {
  readonly v: 1;
  readonly id: string;
  readonly system: SubmissionSystem;
  /** By task, then repetition. */
  readonly runs: readonly SubmittedRun[];
  readonly digest: string;
  readonly importedAt: string;
}

/** What a planned lane says of its submission; only the digest is part of run keys. */
export interface SubmissionIdentity extends SubmissionSystem {
  readonly id: string;
  readonly digest: string;
}
