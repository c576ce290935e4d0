import { type RubricItem } from '../../core/rubric';
import { type Verdict } from '../../core/verdict';
import { type RunCheck } from '../checks/port';
import { type EvidenceReader } from '../evidence/port';

export interface MechanicalDependencies {
  readonly runCheck: RunCheck;
  /** `judge.checks` of the sweep; off is the paper's protocol. */
  readonly checks: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * The verdict that needs no judge: every item is unmet where nothing at all was delivered, and an item's check may
 * decide. `undefined`: a judge has to. Throws what the check throws, which is never the deliverable's fault.
 */
export async function mechanicalVerdict(
  deps: MechanicalDependencies,
  item: RubricItem,
  verdictKey: string,
  evidence: EvidenceReader,
): Promise<Verdict | undefined> {
  const base = {
    v: 1,
    verdictKey,
    itemId: item.id,
    searched: [],
    decidedAt: new Date(deps.now()).toISOString(),
  } as const;
  if (!evidence.view.entries.some((entry) => entry.origin === 'deliverable'))
    return {
      ...base,
      met: false,
      source: 'no-deliverable',
      justification: 'Nothing was delivered in results/.',
      citations: [],
    };
  if (!deps.checks || item.check === undefined) return undefined;
  const { outcome, explanation, citations } = await deps.runCheck(item.check, evidence);
  if (outcome === 'not-applicable') return undefined;
  return {
    ...base,
    met: outcome === 'met',
    source: 'check',
    justification: explanation,
    citations,
  };
}
