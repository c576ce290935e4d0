import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { storeKeys } from '../../core/ids';
import { type SweepPlan } from '../../core/sweep';
import { makeReport } from '../../workers/make-report';
import { askOpenRuns, openRuns, type OpenRuns } from '../../workers/open-runs';
import { runDetails } from '../../workers/run-details';
import { listRuns } from '../../workers/run-list';
import { searchAttributeKeys } from '../../workflows/messages';
import { StoredSweep } from '../support/stored-sweep';

let sweep: StoredSweep;
let plan: SweepPlan;
beforeEach(async () => {
  sweep = new StoredSweep();
  ({ plan } = await sweep.build());
});
afterEach(() => sweep.remove());

/** A server that knows the sweep in this status, with these running runs. */
function serverWith(
  status: string | undefined,
  planKey: string,
  stages: Readonly<Record<string, string>> = {},
): Client {
  const describe = async () => {
    if (status === undefined) throw new WorkflowNotFoundError('none', 'sweep/sample', undefined);
    return { status: { name: status }, memo: { planKey }, startTime: new Date(0), raw: {} };
  };
  const list = async function* ({ query }: { query: string }) {
    expect(query).toContain("EvalSweep = 'sample'");
    for (const [run, stage] of Object.entries(stages))
      yield {
        workflowId: `sweep/sample/${run}`,
        typedSearchAttributes: {
          get: (key: unknown) => (key === searchAttributeKeys.stage ? stage : undefined),
        },
      };
  };
  return { workflow: { getHandle: () => ({ describe }), list } } as unknown as Client;
}

describe('openRuns', () => {
  const key = () => storeKeys.plan(plan.sweep, plan.revision);

  it('has the stage of every running run of the open sweep', async () => {
    const client = serverWith('RUNNING', key(), {
      'sim@simulated/one/r1': 'agent',
      'sim@simulated/two/r1': 'a stage of later code',
    });
    expect(await openRuns(client, plan)).toEqual({
      sweep: 'open',
      stages: new Map([
        ['sim@simulated/one/r1', 'agent'],
        ['sim@simulated/two/r1', 'waiting'],
      ]),
    });
  });

  it.each<[string, () => Client]>([
    ['has ended', () => serverWith('COMPLETED', key())],
    ['was never launched on this server', () => serverWith(undefined, key())],
    ['is open with another plan', () => serverWith('RUNNING', storeKeys.plan('sample', 9))],
  ])('says that it is not open where the sweep %s', async (_title, client) => {
    expect(await openRuns(client(), plan)).toEqual({ sweep: 'closed' });
  });

  it('says that nobody knows where no server was started', async () => {
    const settings = { dataDir: sweep.folder.path, temporalAddress: undefined };
    expect(await askOpenRuns({ ...settings, temporalNamespace: undefined }, plan)).toEqual({
      sweep: 'unknown',
    });
  });
});

describe('an open sweep', () => {
  /** one/r1 scored, one/r2 is judged, two/r1 at its agent, two/r2 not begun. */
  async function atWork(): Promise<OpenRuns> {
    await sweep.score(plan, sweep.run(plan, 'one', 1), ['met', 'met', 'met']);
    const judged = sweep.run(plan, 'one', 2);
    const result = await sweep.deliver(judged);
    await sweep.judge(plan, judged, result, ['met', 'unjudged', 'unjudged']);
    const begun = sweep.run(plan, 'two', 1);
    await sweep.store.putRecord(storeKeys.attempt(begun.runKey, 1, 1, 'claim.json'), '{}');
    return {
      sweep: 'open',
      stages: new Map([
        ['sim@simulated/one/r2', 'judging'],
        ['sim@simulated/two/r1', 'agent'],
      ]),
    };
  }
  const states = async (open: OpenRuns | undefined, outcomes?: string[]) =>
    (
      await listRuns(
        { ...sweep.source(plan), ...(open && { open }) },
        outcomes === undefined ? {} : { outcomes },
      )
    ).map(({ task, repetition, state, why }) => `${task}/r${repetition} ${state}: ${why}`);

  it('tells what runs from what is missing or given up', async () => {
    const open = await atWork();
    expect(await states(open)).toEqual([
      'one/r1 scored: every item is met',
      'two/r1 running: the agent works',
      'one/r2 running: 1 of 3 items judged so far',
      'two/r2 missing: not begun',
    ]);
    expect(await states(open, ['running'])).toHaveLength(2);
    expect(await states(open, ['missing', 'incomplete'])).toEqual(['two/r2 missing: not begun']);
  });

  it('leaves the rest to the store once it is closed, or where nobody could be asked', async () => {
    await atWork();
    const begun = 'two/r1 missing: attempt 1 has begun and has no end yet';
    expect(await states({ sweep: 'closed' })).toContain(`${begun} (the sweep is not open)`);
    for (const open of [{ sweep: 'unknown' } as const, undefined])
      expect(await states(open)).toEqual([
        'one/r1 scored: every item is met',
        begun,
        'one/r2 incomplete: 2 of 3 items unjudged: reason, short (not asked yet, or not answered)',
        'two/r2 missing: not begun',
      ]);
  });

  it('is the same in a single run and in a report, whose counts stay those of the store', async () => {
    const source = { ...sweep.source(plan), open: await atWork() };
    const shown = async (task: string, repetition: number) =>
      runDetails(source, sweep.run(plan, task, repetition));
    expect(await shown('two', 1)).toMatchObject({
      ...{ state: 'running', why: 'the agent works' },
      stages: { agent: 'open', judging: 'waiting' },
    });
    expect(await shown('one', 2)).toMatchObject({
      ...{ state: 'running', why: '1 of 3 items judged so far' },
      stages: { agent: 'done', judging: 'open' },
    });
    expect(await shown('one', 1)).toMatchObject({ state: 'scored' });
    expect(await shown('two', 2)).toMatchObject({ state: 'missing' });
    const folder = `${sweep.folder.path}/report`;
    const { report } = await makeReport(source, { folder });
    expect(report).toMatchObject({
      coverage: { scored: 1, incomplete: 1, failed: 0, missing: 2 },
      running: 2,
    });
    expect(report.notes.at(-1)).toBe(
      'Not complete: 1 of 4 runs are scored (1 incomplete, 0 failed, 2 missing). The sweep is open: 2 of them running.',
    );
    const closed = await makeReport({ ...source, open: { sweep: 'closed' } }, { folder });
    expect(closed.report).not.toHaveProperty('running');
  });
});
