import { type Locator } from './locator';
import { type MicroUsd, type TokenUsage } from './money';

/** `unjudged` is never stored as a verdict: its sessions are kept and a resume asks again. */
export type VerdictOutcome = 'met' | 'unmet' | 'unjudged';

/** What a judge points at. `quote` is words, a cell's value, shown text or formula; a page citation may have none. */
export interface Citation {
  readonly locator: Locator;
  readonly quote?: string;
}

/** A search the judge says it made; checked against the session's tool log. */
export interface DeclaredSearch {
  readonly artifact: string;
  readonly query: string;
}

/** Who decided: a deterministic check, a judge session, or the rule "no deliverable at all". */
export type VerdictSource = 'check' | 'judge' | 'no-deliverable';

/** Write-once record at `sealed/verdicts/<verdictKey>/verdict.json`. Evidence-checked, not proved. */
export interface Verdict {
  readonly v: 1;
  readonly verdictKey: string;
  readonly itemId: string;
  readonly met: boolean;
  readonly source: VerdictSource;
  readonly justification: string;
  readonly citations: readonly Citation[];
  readonly searched: readonly DeclaredSearch[];
  /** What the first submission said, before any repair. */
  readonly firstSubmission?: { readonly met: boolean; readonly refusedBecause: readonly string[] };
  readonly session?: number;
  readonly turns?: number;
  readonly usage?: TokenUsage;
  readonly costMicroUsd?: MicroUsd;
  readonly decidedAt: string;
}

/** Outcome of one item within a run, as a score record holds it inline. */
export interface ItemOutcome {
  readonly itemId: string;
  readonly weight: number;
  readonly level?: string;
  readonly dimension: string;
  readonly outcome: VerdictOutcome;
  readonly source?: VerdictSource;
  readonly verdictKey: string;
  /** Why it is unjudged. */
  readonly reason?: string;
}
