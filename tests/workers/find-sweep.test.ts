import { type Client } from '@temporalio/client';
import { closedCode, printStatus } from '../../cli/commands/sweep-status';
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
      { planned: 4, scored: 3, failed: 1, incomplete: 0, state: 'unknown' },
    ]);
    await sweep.score(plan, sweep.run(plan, 'one', 1));
    expect(await state('completed')).toBe('done');
  });

  it('is not called closed where nobody can be asked', async () => {
    const asked = await sweepStatus(sweep.store, plan.sweep, undefined);
    expect(asked).toMatchObject({ state: 'unknown', lanes: [{ waiting: 4 }] });
    expect(asked.reason).toMatch(/^no Temporal server answers: .* up starts it; the numbers are/u);
    await scoreAllBut(0);
    const done = await sweepStatus(sweep.store, plan.sweep, undefined);
    expect([done.state, done.reason]).toEqual(['done', undefined]);
  });

  it('takes no other sweep out of the list when its plan is damaged or of another version', async () => {
    const put = (name: string, text: string) =>
      sweep.store.putRecord(`open/sweeps/${name}/plan-1.json`, text);
    await put('cut-off', '{"v":1,"swe');
    await put('newer', '{"v":2}');
    const listed = await listSweeps(sweep.store, undefined);
    expect(listed.map(({ sweep: id, state }) => [id, state])).toEqual([
      ['cut-off', 'unreadable'],
      ['newer', 'unreadable'],
      [plan.sweep, 'unknown'],
    ]);
    expect(listed[0]?.problem).toContain('open/sweeps/cut-off/plan-1.json');
    expect(listed[1]?.problem).toContain('has version 2, and this program reads 1');
  });

  it('is told by the store where the server takes connections but does not answer', async () => {
    const silent = Object.assign(new Error('4 DEADLINE_EXCEEDED'), {
      ...{ code: 4, details: 'context deadline exceeded', metadata: {} },
    });
    const handle = { describe: () => Promise.reject(new Error('describe', { cause: silent })) };
    const client = { workflow: { getHandle: () => handle } } as unknown as Client;
    const status = await sweepStatus(sweep.store, plan.sweep, client);
    expect([status.state, status.reason]).toEqual([
      'unknown',
      expect.stringContaining('the Temporal server does not answer') as string,
    ]);
    expect(await listSweeps(sweep.store, client)).toMatchObject([{ planned: 4, state: 'unknown' }]);
  });

  it('is told by the store where it is open and its worker is away', async () => {
    const noPoller = Object.assign(new Error('9 FAILED_PRECONDITION'), {
      ...{ code: 9, details: 'no poller seen for task queue recently', metadata: {} },
    });
    const handle = {
      describe: () =>
        Promise.resolve({
          status: { name: 'RUNNING' },
          startTime: new Date(),
          runId: 'r',
          raw: {},
        }),
      query: () => Promise.reject(new Error('query', { cause: noPoller })),
    };
    const client = { workflow: { getHandle: () => handle, list: () => [] } };
    const status = await sweepStatus(sweep.store, plan.sweep, client as unknown as Client);
    expect(status.state).toBe('unknown');
    expect(status.reason).toContain('the sweep is open, but no worker answers');
  });

  it('has the state in the list that its status has, and its open runs are no incomplete ones', async () => {
    await sweep.deliver(sweep.run(plan, 'one', 1));
    const lane = {
      ...{ lane: 'sim@simulated', planned: 4, waiting: 2, running: 2, scored: 0, incomplete: 0 },
      ...{ failed: 0, cancelled: 0, notSelected: 0, costMicroUsd: 0, window: 8, ends: 0 },
      endedLane: 'drained',
    };
    const progress = { sweep: 'sample', planKey, state: 'over-budget', lanes: [lane] };
    const handle = {
      describe: () =>
        Promise.resolve({
          status: { name: 'RUNNING' },
          startTime: new Date(),
          runId: 'r',
          raw: {},
        }),
      query: () => Promise.resolve(progress),
    };
    const client = {
      workflow: { getHandle: () => handle, list: () => [] },
      options: { namespace: 'default' },
    } as unknown as Client;
    const listed = await listSweeps(sweep.store, client);
    expect(listed).toMatchObject([{ state: 'over-budget', planned: 4, running: 2, incomplete: 0 }]);
    expect((await sweepStatus(sweep.store, plan.sweep, client)).state).toBe(listed[0]?.state);
  });

  it('names the cohort in its status where that is not its own', async () => {
    expect(printStatus(await sweepStatus(sweep.store, plan.sweep, undefined))).toMatch(
      /^sample \(simulated\): unknown/u,
    );
    await sweep.build({ cohort: 'again' });
    const status = await sweepStatus(sweep.store, plan.sweep, undefined);
    expect(status.cohort).toBe('again');
    expect(printStatus(status)).toMatch(/^sample \(simulated\), cohort again: unknown/u);
  });

  it('says "at least" of what was spent while runs are open, which count when they end', async () => {
    const closed = await sweepStatus(sweep.store, plan.sweep, undefined);
    const [lane] = closed.lanes;
    const money = { ...closed, costMicroUsd: 20_000, budgetMicroUsd: 4_000_000 };
    expect(printStatus(money)).toContain('scored, $0.0200 of $4.00');
    const lanes = [{ ...lane!, running: 1, costMicroUsd: 20_000 }];
    const text = printStatus({ ...money, lanes });
    expect(text).toContain('scored, at least $0.0200 of $4.00');
    expect(text.match(/at least/gu)).toHaveLength(2);
    expect(printStatus({ ...money, lanes, costMicroUsd: undefined })).not.toContain(
      'at least unknown',
    );
  });

  it.each([
    ['done', 0],
    ['incomplete', 3],
    ['not open', 3],
    ['cancelled', 130],
    ['terminated', 130],
    ['failed', 1],
  ])('%s: watching it ends with code %i at once', (state, code) => {
    expect(closedCode(state)).toBe(code);
  });

  it('carries the mark of lanes that no model answered', async () => {
    const status = await sweepStatus(sweep.store, plan.sweep, undefined);
    expect(status.lanes[0]).toMatchObject({ lane: 'sim@simulated', provider: 'simulated' });
    const text = printStatus(status);
    expect(text).toContain('sample (simulated): unknown');
    expect(text).toContain('sim@simulated (simulated)');
    expect(lanesMark(['openai'])).toBe('');
    expect(lanesMark(['replay', 'openai'])).toBe(' (1 of 2 lanes replayed)');
  });
});
