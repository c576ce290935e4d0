import { factTable, laneDetails, markdownTable, sweepDetails } from '../../workflows/details';
import { type LaneProgress, type SweepProgress } from '../../workflows/messages';

const LANE: LaneProgress = {
  lane: 'model-a@harness',
  planned: 8,
  waiting: 2,
  running: 3,
  scored: 3,
  incomplete: 0,
  failed: 0,
  cancelled: 0,
  notSelected: 0,
  costMicroUsd: 1_500_000,
  window: 4,
  ends: 3,
};
const HELD: LaneProgress = {
  ...LANE,
  lane: 'model-b@harness',
  failed: 1,
  waiting: 1,
  reason: 'QuotaExceeded: no credit | <b>',
  holding: { type: 'QuotaExceeded', message: 'no credit', runs: 3, sinceMs: 0 },
};
const sweepOf = (lanes: readonly LaneProgress[], more: Partial<SweepProgress> = {}) =>
  sweepDetails({
    sweep: 's',
    planKey: 'k',
    state: 'running',
    lanes,
    costMicroUsd: 3_000_000,
    budgetMicroUsd: 500_000_000,
    ...more,
  }).replaceAll('\u00a0', '');

describe('current details in the Temporal UI', () => {
  it('sum a sweep up, with its budget, before the lanes', () => {
    expect(sweepOf([LANE, HELD])).toMatch(
      /^\*\*running\*\*: 6 of 16 scored; \$3\.00 of \$500\.00\n/u,
    );
  });

  it('give columns to counts that any lane has, and to no others', () => {
    expect(sweepOf([LANE])).toContain('| lane | planned | scored | running | waiting | cost |');
    const both = sweepOf([LANE, HELD]);
    expect(both).toContain('| lane | planned | scored | running | waiting | failed | cost |');
    expect(both).toContain('| model-b@harness | 8 | 3 | 3 | 1 | 1 | $1.50 |');
  });

  it('say what blocks a lane below the table, where nothing cuts it off, without markup of others', () => {
    const lines = sweepOf([LANE, HELD]).split('\n');
    expect(lines).toContain('- model-b@harness: holding 3: QuotaExceeded: no credit    b ');
    expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(1);
    expect(sweepOf([LANE], { state: 'paused', reason: '`x`' })).toContain(
      '**paused** ( x ): 3 of 8',
    );
  });

  it('say what last kept runs from a score', () => {
    const failed = { ...LANE, failed: 1, lastFailure: 'RenderUnavailable: no image' };
    expect(sweepOf([failed])).toContain('- model-a@harness: last failure: RenderUnavailable');
    expect(laneDetails(failed)).toContain('| Last failure');
  });

  it('give a lane one fact a row, what blocks it first', () => {
    const rows = laneDetails(HELD).replaceAll('\u00a0', '').split('\n').slice(2);
    expect(rows[0]).toContain('| Blocked by | holding 3: QuotaExceeded');
    expect(rows).toContain('| Window | 4 open runs |');
    expect(rows).toContain('| Failed | 1 |');
    expect(rows.join()).not.toContain('Cancelled');
  });

  it('keep a gap between columns, which the UI does not', () => {
    for (const line of [markdownTable(['a', 'b'], []), factTable({ a: 'b' })])
      expect(line).toMatch(/a\u00a0\u00a0 \| b\u00a0/u);
  });
});
