import { canonicalJson } from '../../core/ids';
import { explainRun } from '../../workers/explain-run';
import { StoredSweep, testIngredients } from '../support/stored-sweep';

let sweep: StoredSweep;
beforeEach(() => {
  sweep = new StoredSweep();
});
afterEach(() => sweep.remove());

describe('explainRun', () => {
  it('names the parts of the key that differ, a task by its files', async () => {
    const { plan: before } = await sweep.build();
    sweep.writeTask('one', { 'workspace/numbers.csv': 'n\n1\n', 'workspace/more.txt': 'x' });
    sweep.writeSweep({ limits: '{ maxSteps: 7 }' });
    const { plan, previous } = await sweep.build(
      {},
      testIngredients({ gatewayProtocolDigest: 'new' }),
    );
    expect(previous).toEqual(JSON.parse(canonicalJson(before)));
    const explained = explainRun(plan, previous, 'one/r2');
    expect(explained.runId).toBe('sim@simulated/one/r2');
    expect(explained.runKey).not.toBe(explained.previousRunKey);
    expect(explained.differences.map(({ part }) => part)).toEqual(
      [
        'gatewayProtocol',
        'limits.maxModelRequests',
        'limits.maxSteps',
        'task.files.more.txt',
        'task.files.numbers.csv',
      ].filter(
        (part) =>
          part !== 'limits.maxModelRequests' ||
          plan.limits.maxModelRequests !== before.limits.maxModelRequests,
      ),
    );
    expect(explained.differences.find(({ part }) => part === 'limits.maxSteps')).toMatchObject({
      before: '200',
      after: '7',
    });
  });

  it('says that nothing differs, and that a run is new', async () => {
    const { plan } = await sweep.build();
    expect(explainRun(plan, plan, 'sim@simulated/one/r1').differences).toEqual([]);
    expect(explainRun(plan, undefined, 'one/r1').comparedWith).toBeUndefined();
  });

  it.each([
    [
      'r1',
      /r1 fits 2 runs of sweep sample, among them sim@simulated\/one\/r1: give more of the id/u,
    ],
    ['three/r1', /sweep sample plans no run three\/r1/u],
    ['', /plans no run/u],
  ])('refuses the id %j', async (id, message) => {
    const { plan } = await sweep.build();
    expect(() => explainRun(plan, undefined, id)).toThrow(message);
  });
});
