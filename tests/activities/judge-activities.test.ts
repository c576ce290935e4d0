import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createJudgeActivities } from '../../activities/judge-activities';
import { type CheckOutcome } from '../../activities/checks/port';
import { type EvidenceReader } from '../../activities/evidence/port';
import { createPlanCache } from '../../activities/plan-cache';
import { FileStore } from '../../activities/store/file-store';
import { type ObjectStore } from '../../activities/store/port';
import { type PendingItem } from '../../core/activity-contract';
import { Failure } from '../../core/failure';
import { storeKeys } from '../../core/ids';
import { type ScoreRecord } from '../../core/run';
import { type Verdict } from '../../core/verdict';
import { fakeEvidence } from './judge/fake-evidence';
import { fakeInspector, type Script, scriptedClient, submit } from './judge/scripted-judge';
import { storedRun } from './judge/stored-run';

const REPORT = 'results/report.md';
const delivered = fakeEvidence([{ artifact: REPORT, lines: ['Report', 'The total is 12.'] }]);
const nothing = fakeEvidence([{ artifact: 'inputs/data.csv', lines: ['a,b'] }]);

const passing = submit({
  justification: 'There.',
  pass: true,
  citations: [{ locator: `${REPORT}#lines=2-2`, quote: 'The total is 12.' }],
  searched: [],
});

let folder: string;
let store: ObjectStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'judge-activities-'));
  store = new FileStore(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function judging(options: {
  script?: Script;
  evidence?: EvidenceReader;
  check?: (file: string) => CheckOutcome;
}) {
  const client = scriptedClient(options.script ?? (() => passing));
  let checksRun = 0;
  const activities = createJudgeActivities({
    store,
    plans: createPlanCache(store),
    models: client,
    inspector: fakeInspector(),
    openEvidence: async () => options.evidence ?? delivered,
    runCheck: async (check) => {
      checksRun++;
      const outcome: CheckOutcome = { outcome: 'met', explanation: 'It is there.', citations: [] };
      return options.check?.('file' in check ? check.file : '') ?? outcome;
    },
    now: () => 1_800_000_000_000,
  });
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  type Activities = typeof activities;
  const call = <Name extends keyof Activities>(
    name: Name,
    input: Parameters<Activities[Name]>[0],
  ) => environment.run(activities[name] as never, input as never) as ReturnType<Activities[Name]>;
  return { call, calls: client.calls, checksRun: () => checksRun };
}

async function scoreKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list('sealed/scores/')) keys.push(key);
  return keys;
}

const verdictOf = async ({ verdictKey }: PendingItem) =>
  JSON.parse(
    Buffer.from((await store.getRecord(storeKeys.verdict(verdictKey))) ?? 'null').toString(),
  ) as Verdict | null;

describe('the judge activities', () => {
  it('decide by check, leave the rest to judges, and score once all is decided', async () => {
    const input = await storedRun(store);
    const { call, calls } = judging({});
    const { decided, pending } = await call('checkItems', input);
    expect(decided).toBe(2);
    expect(pending.map(({ itemId, level, vote }) => [itemId, level, vote])).toEqual([
      ['c', 'weight 1', 1],
      ['d', 'weight 1', 1],
    ]);
    expect(await call('aggregateRun', input)).toMatchObject({
      state: 'incomplete',
      scoreInterval: [80, 100],
      unjudged: 2,
    });
    for (const entry of pending)
      expect(await call('judgeItem', { ...input, item: entry })).toEqual({
        outcome: 'met',
        costMicroUsd: 7,
      });
    expect(calls.map(({ context }) => [context.subject, context.itemId])).toEqual([
      ['strong', 'c'],
      ['strong', 'd'],
    ]);
    expect(await call('aggregateRun', input)).toEqual({
      state: 'scored',
      score: 100,
      success: true,
      scoreInterval: [100, 100],
      unjudged: 0,
      costMicroUsd: 1_014,
    });
    const keys = await scoreKeys();
    expect(keys).toHaveLength(1);
    const record = JSON.parse(
      Buffer.from((await store.getRecord(keys[0] ?? '')) ?? '').toString(),
    ) as ScoreRecord;
    expect(record).toMatchObject({
      score: 100,
      agentCostMicroUsd: 1_000,
      judgeCostMicroUsd: 14,
      failedAttemptsCostMicroUsd: 0,
      judgeUsage: { inputTokens: 200 },
      deliveredPaths: ['report.md'],
    });
    expect(record.items.map(({ itemId, source }) => [itemId, source])).toEqual([
      ['a', 'check'],
      ['b', 'check'],
      ['c', 'judge'],
      ['d', 'judge'],
    ]);
  });

  it('leave what a check cannot tell to a judge, and run no check when checks are off', async () => {
    const input = await storedRun(store);
    const unsure = judging({
      check: () => ({ outcome: 'not-applicable', explanation: '-', citations: [] }),
    });
    expect((await unsure.call('checkItems', input)).pending).toHaveLength(4);
    await rm(folder, { recursive: true });
    const off = judging({});
    const withoutChecks = await storedRun(store, { checks: false });
    expect((await off.call('checkItems', withoutChecks)).pending).toHaveLength(4);
    expect(off.checksRun()).toBe(0);
  });

  it('find every item unmet where nothing was delivered, without a judge', async () => {
    const input = await storedRun(store);
    const { call, calls, checksRun } = judging({ evidence: nothing });
    expect(await call('checkItems', input)).toEqual({ decided: 4, pending: [] });
    expect(await call('aggregateRun', input)).toMatchObject({
      state: 'scored',
      score: 0,
      success: false,
    });
    expect(calls).toHaveLength(0);
    expect(checksRun()).toBe(0);
  });

  it('adopt a stored verdict and never store unjudged as one', async () => {
    const input = await storedRun(store);
    const garbage = judging({ script: () => ({ text: 'no' }) });
    const { pending } = await garbage.call('checkItems', input);
    const [first, second] = pending as [PendingItem, PendingItem];
    expect(await garbage.call('judgeItem', { ...input, item: first })).toMatchObject({
      outcome: 'unjudged',
      costMicroUsd: 63,
    });
    expect(await verdictOf(first)).toBeNull();
    const aggregate = await garbage.call('aggregateRun', input);
    expect(aggregate).toMatchObject({ state: 'incomplete', unjudged: 2, costMicroUsd: 1_063 });
    expect(await scoreKeys()).toEqual([]);

    const judge = judging({});
    await judge.call('judgeItem', { ...input, item: second });
    expect(judge.calls).toHaveLength(1);
    const again = judging({ script: () => ({ error: new Error('asked again') }) });
    expect(await again.call('judgeItem', { ...input, item: second })).toEqual({
      outcome: 'met',
      costMicroUsd: 7,
    });
    expect((await again.call('checkItems', input)).pending.map(({ itemId }) => itemId)).toEqual([
      'c',
    ]);
    expect(again.checksRun()).toBe(0);
  });

  it('count votes by majority', async () => {
    const input = await storedRun(store, { votes: 3 });
    let verdicts = 0;
    const failing = submit({
      justification: 'Not there.',
      pass: false,
      citations: [{ locator: `${REPORT}#lines=1-1`, quote: 'Report' }],
      searched: [],
    });
    const { call } = judging({ script: () => (verdicts++ % 3 === 0 ? passing : failing) });
    const { pending, decided } = await call('checkItems', input);
    expect([decided, pending.length]).toEqual([6, 6]);
    for (const entry of pending) await call('judgeItem', { ...input, item: entry });
    expect(await call('aggregateRun', input)).toMatchObject({ state: 'scored', score: 80 });
  });

  it('pass provider trouble on by its type, with nothing stored', async () => {
    const input = await storedRun(store);
    const { call } = judging({
      script: () => ({ error: new Failure('ProviderQuota', 'no credit') }),
    });
    const { pending } = await call('checkItems', input);
    await expect(
      call('judgeItem', { ...input, item: pending[0] as PendingItem }),
    ).rejects.toMatchObject({ type: 'ProviderQuota', nonRetryable: true });
    expect(await verdictOf(pending[0] as PendingItem)).toBeNull();
  });

  it('name a plan, a rubric item or a result that is not there', async () => {
    const input = await storedRun(store);
    const { call } = judging({});
    await expect(
      call('checkItems', { ...input, run: { ...input.run, planKey: 'open/sweeps/x/plan-1.json' } }),
    ).rejects.toThrow('no plan open/sweeps/x/plan-1.json');
    const item = { itemId: 'z', level: 'core', verdictKey: 'k', vote: 1 };
    await expect(call('judgeItem', { ...input, item })).rejects.toThrow('has no item z');
  });
});
