import { type Citation } from '../../core/verdict';
import { type Check } from '../../core/rubric';
import { type EvidenceReader } from '../evidence/port';

/** `not-applicable`: the check cannot tell (e.g. another layout than it expects); then the judge decides. */
export interface CheckOutcome {
  readonly outcome: 'met' | 'unmet' | 'not-applicable';
  readonly explanation: string;
  readonly citations: readonly Citation[];
}

export type RunCheck = (check: Check, evidence: EvidenceReader) => Promise<CheckOutcome>;
