import { heldBy } from '../../workers/held-sweep';
import { type LaneProgress, type SweepProgress } from '../../workflows/messages';

const LANE: LaneProgress = {
  ...{ lane: 'a@x', planned: 4, waiting: 2, running: 2, scored: 0, incomplete: 0, failed: 0 },
  ...{ cancelled: 0, notSelected: 0, costMicroUsd: 0, window: 2, ends: 0 },
};
const sweep = (
  lanes: readonly Partial<LaneProgress>[],
  parts: Partial<SweepProgress> = {},
): SweepProgress => ({
  ...{ sweep: 'mine', planKey: 'k', state: 'running', costMicroUsd: 0, budgetMicroUsd: undefined },
  lanes: lanes.map((lane) => ({ ...LANE, ...lane })),
  ...parts,
});
const holding = (type: string) => ({ type, message: 'm', runs: 1, sinceMs: 0 });

describe('heldBy', () => {
  it('sees a pause of the sweep or of a lane, with its reason', () => {
    expect(heldBy(sweep([{}], { state: 'paused', reason: 'lunch' }))).toEqual({
      ...{ by: 'pause', reason: 'lunch' },
    });
    const one = sweep([{}, { lane: 'b@x', blockedBy: 'paused', reason: 'key' }]);
    expect(heldBy(one)).toEqual({ by: 'pause', reason: 'key' });
    expect(heldBy(one, 'a@x')).toBeUndefined();
    expect(heldBy(one, 'b@x')).toEqual({ by: 'pause', reason: 'key' });
  });

  it('tells a pause from trouble, and trouble from runs that have not noticed the end of a pause', () => {
    expect(heldBy(sweep([{ blockedBy: 'breaker', reason: 'r' }]))?.by).toBe('trouble');
    expect(heldBy(sweep([{ holding: holding('QuotaExhausted') }]))?.by).toBe('trouble');
    expect(heldBy(sweep([{}], { state: 'blocked' }))?.by).toBe('trouble');
    expect(heldBy(sweep([{ holding: holding('Paused') }]))).toBeUndefined();
  });

  it('sees nothing where runs go on or only the budget is used up', () => {
    expect(heldBy(sweep([{}]))).toBeUndefined();
    expect(heldBy(sweep([{ blockedBy: 'budget' }], { state: 'over-budget' }))).toBeUndefined();
  });
});
