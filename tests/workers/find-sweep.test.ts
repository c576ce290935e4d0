import { printStatus } from '../../cli/commands/sweep-status';
import { lanesMark } from '../../cli/render/marks';
import { type SweepPlan } from '../../core/sweep';
import { listSweeps, sweepStatus } from '../../workers/find-sweep';
import { closedStatus } from '../../workers/sweep-progress';
import { StoredSweep } from '../support/stored-sweep';

let sweep: StoredSweep;
let plan: SweepPlan;
let planKey: string;
beforeEach(async () => {
  sweep = new StoredSweep();
  ({ plan, planKey } = await sweep.build());
});
afterEach(() => sweep.remove());

async function scoreAllBut(left: number): Promise<void> {
  const runs = ['one', 'two'].flatMap((task) => [1, 2].map((k) => sweep.run(plan, task, k)));
  for (const run of runs.slice(left)) await sweep.score(plan, run);
}

describe('a sweep that ended', () => {
  it('is done only when every planned run is scored, whatever Temporal calls it', async () => {
    await scoreAllBut(1);
    await sweep.attempt(sweep.run(plan, 'one', 1), { outcome: 'lost' });
    const state = async (word: string) =>
      (await closedStatus(sweep.store, plan, planKey, word)).state;
    expect(await state('completed')).toBe('incomplete');
    expect(await state('cancelled')).toBe('cancelled');
    expect(await listSweeps(sweep.store, undefined)).toMatchObject([
      { planned: 4, scored: 3, failed: 1, incomplete: 0, state: 'not open' },
    ]);
    await sweep.score(plan, sweep.run(plan, 'one', 1));
    expect(await state('completed')).toBe('done');
  });

  it('carries the mark of lanes that no model answered', async () => {
    const status = await sweepStatus(sweep.store, plan.sweep, undefined);
    expect(status.lanes[0]).toMatchObject({ lane: 'sim@simulated', provider: 'simulated' });
    const text = printStatus(status);
    expect(text).toContain('sample (simulated): not open');
    expect(text).toContain('sim@simulated (simulated)');
    expect(lanesMark(['openai'])).toBe('');
    expect(lanesMark(['replay', 'openai'])).toBe(' (1 of 2 lanes replayed)');
  });
});
