import { runCheck } from '../activities/checks/run-check';
import { type EvidenceReader } from '../activities/evidence/port';
import { type RubricItem } from '../core/rubric';
import { type Verdict } from '../core/verdict';

/**
 * Why an item's check left the decision to the judge; `undefined` where it has none or has decided. Checks are
 * deterministic, so asking again on the same evidence gives the reason that held.
 */
export async function undecidedCheck(
  item: RubricItem,
  verdict: Pick<Verdict, 'source'> | undefined,
  checks: boolean,
  evidence: EvidenceReader | undefined,
): Promise<string | undefined> {
  if (item.check === undefined) return undefined;
  if (verdict?.source === 'check' || verdict?.source === 'no-deliverable') return undefined;
  if (!checks) return 'checks are off in this sweep';
  if (evidence === undefined) return undefined;
  const { outcome, explanation } = await runCheck(item.check, evidence);
  return outcome === 'not-applicable' ? explanation : undefined;
}
