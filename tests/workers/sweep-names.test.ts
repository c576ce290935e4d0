import { findPlan, sweepStatus } from '../../workers/find-sweep';
import { findRun } from '../../workers/find-run';
import { requireSweep } from '../../workers/sweep-names';
import { StoredSweep } from '../support/stored-sweep';

let sweep: StoredSweep;
beforeEach(() => {
  sweep = new StoredSweep();
});
afterEach(() => sweep.remove());

describe('a sweep is named by its whole name', () => {
  it('so that no part of it steers another sweep, and the likely one is named', async () => {
    sweep.writeSweep({ sweep: 'prod-eval' });
    await sweep.build();
    for (const part of ['eval', 'prod', 'rod-eva']) {
      const message = `no sweep ${part} in the store ${sweep.store.description}: did you mean prod-eval?`;
      const refused = expect.objectContaining({ type: 'InvalidInput', message }) as Error;
      await expect(findPlan(sweep.store, part)).rejects.toEqual(refused);
      await expect(sweepStatus(sweep.store, part, undefined)).rejects.toEqual(refused);
    }
    expect((await findPlan(sweep.store, 'prod-eval')).plan.sweep).toBe('prod-eval');
  });

  it('and where no name is near, those that there are', async () => {
    await expect(requireSweep(sweep.store, 'x')).rejects.toThrow(': none was launched yet');
    await sweep.build();
    await expect(requireSweep(sweep.store, 'other')).rejects.toThrow(': there are sample');
    await expect(requireSweep(sweep.store, '')).rejects.toThrow('no sweep "" in the store');
  });
});

describe('a run is named by its id or whole last parts of it', () => {
  it('and by no part of a word', async () => {
    const { plan } = await sweep.build();
    expect(findRun(plan, 'one/r1').runId).toBe('sim@simulated/one/r1');
    for (const part of ['e/r1', 'ne/r2', '1', ''])
      expect(() => findRun(plan, part)).toThrow(/plans no run/u);
  });
});
