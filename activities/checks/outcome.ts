import { type Citation } from '../../core/verdict';
import { type CheckOutcome } from './port';

export function met(explanation: string, ...citations: Citation[]): CheckOutcome {
  return { outcome: 'met', explanation, citations };
}

export function unmet(explanation: string, ...citations: Citation[]): CheckOutcome {
  return { outcome: 'unmet', explanation, citations };
}

/** The check cannot tell; a judge decides. */
export function notApplicable(explanation: string): CheckOutcome {
  return { outcome: 'not-applicable', explanation, citations: [] };
}

/** Ends a check early from within a helper. */
export class Decided extends Error {
  constructor(readonly outcome: CheckOutcome) {
    super(outcome.explanation);
    this.name = 'Decided';
  }
}
