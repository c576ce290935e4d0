import { createPlanCache } from '../../activities/plan-cache';
import { mapConcurrently, readJson } from '../../activities/read-json';
import { type ObjectStore } from '../../activities/store/port';
import { StoredSweep } from '../support/stored-sweep';

let sweep: StoredSweep;
beforeEach(() => {
  sweep = new StoredSweep();
});
afterEach(() => sweep.remove());

describe('createPlanCache', () => {
  it('reads a plan and a rubric once, also when many ask at once', async () => {
    const { plan, planKey } = await sweep.build();
    const reads: string[] = [];
    const { store } = sweep;
    const counting: ObjectStore = Object.assign(Object.create(store) as ObjectStore, {
      getRecord: async (key: string) => {
        reads.push(key);
        return store.getRecord(key);
      },
      getBlob: async (scope: 'open' | 'sealed', sha256: string) => {
        reads.push(sha256);
        return store.getBlob(scope, sha256);
      },
    });
    const plans = createPlanCache(counting);
    const [first, second] = await Promise.all([plans.loadPlan(planKey), plans.loadPlan(planKey)]);
    expect(second).toBe(first);
    const task = plan.tasks[0]!;
    expect((await plans.loadRubric(task)).items).toHaveLength(3);
    await plans.loadRubric(task);
    expect(reads).toEqual([planKey, task.rubric.sha256]);
  });

  it('asks again after a failure', async () => {
    const plans = createPlanCache(sweep.store);
    await expect(plans.loadPlan('open/sweeps/sample/plan-1.json')).rejects.toMatchObject({
      type: 'InvalidInput',
    });
    await sweep.build();
    expect((await plans.loadPlan('open/sweeps/sample/plan-1.json')).sweep).toBe('sample');
  });
});

describe('readJson', () => {
  it.each([
    ['{"v":1,"a":', 'no record of ours'],
    ['', 'empty'],
    ['null', 'no record of ours'],
    ['[]', 'no record of ours'],
    ['{}', 'no record of ours'],
    ['7', 'no record of ours'],
  ])('names a record that holds %j', async (text, what) => {
    for (const key of ['open/x.json', 'sealed/scores/x.json'])
      await sweep.store.putRecord(key, text);
    const place = (key: string) => `record ${key} in ${sweep.store.description} is ${what}: `;
    await expect(readJson(sweep.store, 'open/x.json')).rejects.toThrow(
      `${place('open/x.json')}it was cut off or changed; restore it from a copy of the store`,
    );
    await expect(readJson(sweep.store, 'sealed/scores/x.json')).rejects.toThrow(
      /or delete it: its score is then made again from the verdicts, and nothing is asked$/u,
    );
    await expect(createPlanCache(sweep.store).loadPlan('open/x.json')).rejects.toMatchObject({
      type: 'InvalidInput',
    });
    expect(await readJson(sweep.store, 'open/y.json')).toBeUndefined();
  });
});

describe('mapConcurrently', () => {
  it('keeps the order and the limit', async () => {
    let running = 0;
    let most = 0;
    const results = await mapConcurrently([30, 10, 20, 5, 1], 2, async (delay) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, delay));
      running -= 1;
      return delay * 2;
    });
    expect(results).toEqual([60, 20, 40, 10, 2]);
    expect(most).toBe(2);
  });

  it('fails when one fails', async () => {
    await expect(
      mapConcurrently([1, 2], 2, async (n) => Promise.reject(new Error(String(n)))),
    ).rejects.toThrow('1');
  });
});
