import { budgetOf, keepRaisedBudget } from '../../activities/sweep-budget';
import { SweepService } from '../../activities/sweep-activities';
import { closedStatus } from '../../workers/sweep-progress';
import { StoredSweep } from '../support/stored-sweep';

let sweep: StoredSweep;
beforeEach(() => {
  sweep = new StoredSweep();
});
afterEach(() => sweep.remove());

const raise = (plan: Parameters<typeof budgetOf>[1], dollars: number) =>
  keepRaisedBudget(
    sweep.store,
    plan,
    { maxCostMicroUsd: dollars * 1_000_000, who: 'me' },
    new Date(0),
  );

describe('a raised budget', () => {
  it('holds for later launches and is shown when the sweep is closed', async () => {
    sweep.writeSweep({ budget: '{ maxCostUsd: 5 }', limits: '{ maxCostUsd: 1 }' });
    const { plan, planKey } = await sweep.build();
    expect(await budgetOf(sweep.store, plan)).toBe(5_000_000);
    await raise(plan, 7);
    await raise(plan, 6);
    await raise(plan, 9);
    expect(await budgetOf(sweep.store, plan)).toBe(9_000_000);
    const loaded = await new SweepService({ store: sweep.store }).loadSweep({ planKey });
    expect(loaded.budgetMicroUsd).toBe(9_000_000);
    const status = await closedStatus(sweep.store, plan, planKey, 'cancelled');
    expect(status.budgetMicroUsd).toBe(9_000_000);
  });

  it('ends with the highest when many raise it at once', async () => {
    sweep.writeSweep({ budget: '{ maxCostUsd: 5 }', limits: '{ maxCostUsd: 1 }' });
    const { plan } = await sweep.build();
    await Promise.all([6, 9, 7, 8, 10].map((dollars) => raise(plan, dollars)));
    expect(await budgetOf(sweep.store, plan)).toBe(10_000_000);
  });

  it('is of one plan: an edited sweep file says anew what may be spent', async () => {
    sweep.writeSweep({ budget: '{ maxCostUsd: 5 }', limits: '{ maxCostUsd: 1 }' });
    await raise((await sweep.build()).plan, 9);
    sweep.writeSweep({ budget: '{ maxCostUsd: 6 }', limits: '{ maxCostUsd: 1 }' });
    expect(await budgetOf(sweep.store, (await sweep.build()).plan)).toBe(6_000_000);
  });

  it('is nothing where there is no budget', async () => {
    const { plan } = await sweep.build();
    await raise(plan, 9);
    expect(await budgetOf(sweep.store, plan)).toBeUndefined();
  });
});
