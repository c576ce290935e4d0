import { keepRaisedBudget } from '../../activities/sweep-budget';
import { whyUnbounded } from '../../cli/before-launch';
import { withUnits } from '../../cli/commands/sweep-plan';
import { printPlan } from '../../cli/render/plan';
import { type BuiltPlan } from '../../workers/build-plan';
import { StoredSweep } from '../support/stored-sweep';

describe('a plan', () => {
  it('says where a budget comes from that is not the one of the file', async () => {
    const sweep = new StoredSweep();
    try {
      sweep.writeSweep({ budget: '{ maxCostUsd: 0.4 }', limits: '{ maxCostUsd: 0.1 }' });
      const { plan, store } = { ...(await sweep.build()), store: sweep.store };
      expect(printPlan(await sweep.plan()).split('\n')).toContain('budget $0.4000');
      const raise = { maxCostMicroUsd: 3_000_000, who: 'test' };
      await keepRaisedBudget(store, plan, raise, new Date(0));
      expect(printPlan(await sweep.plan()).split('\n')).toContain(
        'budget $3.00, raised with sweep budget (the file says $0.4000)',
      );
    } finally {
      sweep.remove();
    }
  });

  it('has units in its JSON, and null where a price is unknown', () => {
    const estimate = {
      ...{ agent: { low: 800_000, high: 2_000_000 }, judge: { low: undefined, high: undefined } },
      fromDefaults: 4,
    } as unknown as BuiltPlan['estimate'];
    expect(withUnits(estimate)).toEqual({
      agent: { lowMicroUsd: 800_000, highMicroUsd: 2_000_000 },
      judge: { lowMicroUsd: null, highMicroUsd: null },
      fromDefaults: 4,
    });
  });
});

describe('what a launch would be refused for', () => {
  const built = (paidModels: string[], budget: object | undefined, prices: object) =>
    ({ plan: { budget, prices }, paidModels }) as unknown as BuiltPlan;
  const none = { budget: true };

  it('is a paid model without a budget, unless none is wanted', () => {
    const paid = built(['gpt-5.5'], undefined, { 'gpt-5.5': {} });
    expect(whyUnbounded(paid, none)).toMatch(/^gpt-5\.5 costs money and the sweep has no budget/u);
    expect(whyUnbounded(paid, { budget: false })).toBeUndefined();
    expect(whyUnbounded(built([], undefined, {}), none)).toBeUndefined();
  });

  it('is a budget that cannot be kept', () => {
    const budget = { maxCostMicroUsd: 1 };
    expect(whyUnbounded(built(['mine'], budget, {}), none)).toContain('price of mine is unknown');
    expect(whyUnbounded(built(['mine'], budget, { mine: {} }), none)).toBeUndefined();
  });
});
