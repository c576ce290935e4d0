import { type ReportItem, type ReportRun } from '../../core/report/report-run';
import { scoreOf } from '../../core/score';
import { NO_COST } from '../../core/run-cost';

export const reportItem = (id: string, weight: number, met: boolean | undefined): ReportItem => ({
  id,
  weight,
  level: weight === 5 ? 'core' : undefined,
  dimension: 'calculation-precision',
  met,
  decidedByCheck: id.startsWith('check'),
});

/** A scored run of one task; parts can be replaced. */
export function reportRun(parts: Partial<ReportRun> = {}): ReportRun {
  const items = parts.items ?? [reportItem('check-a', 5, true), reportItem('b', 5, false)];
  const scored = (parts.state ?? 'scored') === 'scored';
  const score = scoreOf(
    items.map(({ weight, met }) => ({ weight, outcome: met === true ? 'met' : 'unmet' })),
  );
  return {
    model: 'm',
    harness: 'h',
    provider: 'openai',
    task: 't',
    domain: 'stem',
    repetition: 1,
    state: 'scored',
    score: scored ? score.score : undefined,
    success: scored ? score.success : undefined,
    items,
    stopReason: 'completed',
    requiredFormats: ['pdf'],
    deliveredFormats: ['pdf'],
    cost: NO_COST,
    replacedScore: null,
    ...parts,
  };
}
