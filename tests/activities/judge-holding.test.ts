import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunOrders } from '../../activities/agent/lane-link';
import { createJudgeActivities } from '../../activities/judge-activities';
import { createPlanCache } from '../../activities/plan-cache';
import { FileStore } from '../../activities/store/file-store';
import { type ObjectStore } from '../../activities/store/port';
import {
  type CheckItemsResult,
  type JudgeHold,
  type PendingItem,
} from '../../core/activity-contract';
import { Failure } from '../../core/failure';
import { storeKeys } from '../../core/ids';
import { type Verdict } from '../../core/verdict';
import { waitUntil } from '../support/wait-until';
import { fakeEvidence } from './judge/fake-evidence';
import { fakeInspector, type Script, scriptedClient, submit } from './judge/scripted-judge';
import { storedRun } from './judge/stored-run';

const REPORT = 'results/report.md';
const evidence = fakeEvidence([{ artifact: REPORT, lines: ['Report', 'The total is 12.'] }]);
const passing = submit({
  justification: 'There.',
  pass: true,
  citations: [{ locator: `${REPORT}#lines=2-2`, quote: 'The total is 12.' }],
  searched: [],
});
const look = { tools: [{ name: 'list_artifacts', arguments: {} }] };
/** Two looks, then the verdict. */
const turns: Script = (_call, turn) => (turn < 2 ? look : passing);
const HOUR_MS = 3_600_000;

let folder: string;
let store: ObjectStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'judge-holding-'));
  store = new FileStore(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A judge worker; `trouble` is what every call meets while it is set. */
async function judgeWorker() {
  const world = {
    trouble: undefined as Error | undefined,
    troubleAtTurn: undefined as number | undefined,
    answersSmallQuestion: false,
    orders: (async () => ({ resumes: 0 })) as () => Promise<RunOrders>,
    nowMs: 1_800_000_000_000,
    answered: [] as number[],
  };
  const client = scriptedClient((call, turn) => {
    const { trouble, troubleAtTurn, answersSmallQuestion } = world;
    if (call.body['tools'] === undefined)
      return answersSmallQuestion ? { text: 'ok' } : { error: new Error('away') };
    if (trouble !== undefined && (troubleAtTurn ?? turn) === turn) return { error: trouble };
    world.answered.push(turn);
    return turns(call, turn);
  });
  const activities = createJudgeActivities({
    store,
    plans: createPlanCache(store),
    models: client,
    inspector: fakeInspector(),
    openEvidence: async () => evidence,
    runCheck: async () => ({ outcome: 'met', explanation: 'There.', citations: [] }),
    lane: { orders: () => world.orders(), report: async () => undefined },
    firstAskMs: 700,
    now: () => world.nowMs,
  });
  const input = await storedRun(store);
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  const checked: unknown = await environment.run(activities.checkItems, input);
  const [item, other] = (checked as CheckItemsResult).pending as [PendingItem, PendingItem];
  const judge = (held?: JudgeHold, which = item) =>
    environment.run(activities.judgeItem, {
      ...input,
      item: which,
      ...(held !== undefined && { held }),
    });
  return { world, client, judge, item, other };
}

const HELD = [{ held: true }];

describe('a judge whose account is in trouble', () => {
  it.each(['ProviderQuota', 'ProviderAuth', 'ModelUnknown', 'ProviderUnavailable'] as const)(
    'tells its run of %s, then is tried until it works: no turn is asked for twice',
    async (type) => {
      const { world, judge, item } = await judgeWorker();
      world.trouble = new Failure(type, 'not now');
      world.troubleAtTurn = 2;
      // The run is told at once and Temporal does not try it again by itself.
      await expect(judge()).rejects.toMatchObject({ type, nonRetryable: true, details: HELD });
      expect(world.answered).toEqual([0, 1]);
      const held = { type, sinceMs: world.nowMs };
      for (let minute = 0; minute < 40; minute++) {
        world.nowMs += 60_000;
        await expect(judge(held)).rejects.toMatchObject({
          ...{ type, nonRetryable: false, details: HELD, message: 'not now' },
        });
      }
      world.trouble = undefined;
      world.nowMs += 60_000;
      expect(await judge(held)).toMatchObject({ outcome: 'met' });
      expect(world.answered).toEqual([0, 1, 2]);
      const verdict = JSON.parse(
        Buffer.from((await store.getRecord(storeKeys.verdict(item.verdictKey))) ?? '').toString(),
      ) as Verdict;
      expect(verdict).toMatchObject({ met: true, session: 1, turns: 3 });
    },
  );

  it('asks for nothing while another judge has found the trouble', async () => {
    const { world, client, judge, other } = await judgeWorker();
    world.trouble = new Failure('ProviderAuth', 'bad key');
    await expect(judge()).rejects.toMatchObject({ type: 'ProviderAuth' });
    await expect(judge(undefined, other)).rejects.toMatchObject({
      ...{ type: 'ProviderAuth', message: 'bad key', details: HELD },
    });
    expect(client.calls).toHaveLength(1);
  });

  it('tells its run of trouble of another type, and gives up after twelve hours', async () => {
    const { world, judge } = await judgeWorker();
    world.trouble = new Failure('ProviderAuth', 'bad key');
    const { nowMs: sinceMs } = world;
    await expect(judge({ type: 'ProviderUnavailable', sinceMs })).rejects.toMatchObject({
      ...{ type: 'ProviderAuth', nonRetryable: true, details: HELD },
    });
    world.nowMs += 11 * HOUR_MS;
    const held = { type: 'ProviderAuth', sinceMs } as const;
    await expect(judge(held)).rejects.toMatchObject({ nonRetryable: false });
    world.nowMs += HOUR_MS;
    const end = await judge(held).catch((error: unknown) => error);
    expect(end).toMatchObject({ type: 'ProviderAuth', nonRetryable: true });
    expect((end as { details?: unknown[] }).details).not.toEqual(HELD);
  });

  it('has a count of tries for failures of other kinds, which no holding may lift', async () => {
    const { world, judge } = await judgeWorker();
    world.trouble = new Failure('InvalidInput', 'too long');
    // The provider does not take the request: no verdict, and no failure.
    expect(await judge({ sinceMs: 0 })).toMatchObject({ outcome: 'unjudged' });
    const broken = { type: 'Error', nonRetryable: true };
    store.getRecord = () => Promise.reject(new Error('the store is away'));
    await expect(judge({ sinceMs: 0 })).rejects.toMatchObject(broken);
    await expect(judge()).rejects.toMatchObject({ type: 'Error', nonRetryable: false });
  });

  it('pays for the question whether its account answers at all, with its next turn', async () => {
    const { world, client, judge, item } = await judgeWorker();
    world.trouble = new Failure('ProviderUnavailable', 'broken pipe');
    world.troubleAtTurn = 1;
    world.answersSmallQuestion = true;
    await expect(judge()).rejects.toMatchObject({ details: HELD });
    world.nowMs += 60_000;
    await expect(judge({ sinceMs: 0 })).rejects.toMatchObject({ nonRetryable: true });
    // The account answers the small question, so that this request is suspected.
    const small = client.calls.filter(({ body }) => body['tools'] === undefined);
    expect(small).toHaveLength(1);
    world.trouble = undefined;
    const sinceMs = world.nowMs;
    expect(await judge({ sinceMs })).toMatchObject({ outcome: 'met', costMicroUsd: 4 * 7 });
    const record = await store.getRecord(storeKeys.verdict(item.verdictKey));
    expect(JSON.parse(Buffer.from(record ?? '').toString())).toMatchObject({
      costMicroUsd: 4 * 7,
      usage: { inputTokens: 400 },
    });
  });
});

describe('a judge of a lane that is paused', () => {
  it('asks for nothing until the pause ends', async () => {
    const { world, client, judge } = await judgeWorker();
    world.orders = async () => ({ resumes: 0, hold: 'the office closes' });
    await expect(judge()).rejects.toMatchObject({
      ...{ type: 'Paused', message: 'the office closes', details: HELD, nonRetryable: true },
    });
    const held = { type: 'Paused', sinceMs: world.nowMs } as const;
    world.nowMs += 100 * HOUR_MS;
    await expect(judge(held)).rejects.toMatchObject({ type: 'Paused', nonRetryable: false });
    expect(client.calls).toHaveLength(0);
    world.orders = async () => ({ resumes: 1 });
    world.nowMs += 5_000;
    expect(await judge(held)).toMatchObject({ outcome: 'met' });
  });

  it('stays paused while Temporal does not answer, and asks it once for many', async () => {
    const { world, judge, other } = await judgeWorker();
    let asked = 0;
    world.orders = async () => {
      asked++;
      return { resumes: 0, hold: 'lunch' };
    };
    await Promise.allSettled([judge(), judge(undefined, other)]);
    expect(asked).toBe(1);
    world.orders = () => Promise.reject(new Error('no server answers'));
    world.nowMs += 5_000;
    await expect(judge()).rejects.toMatchObject({ type: 'Paused', message: 'lunch' });
  });

  it('waits for the first word of its lane: Temporal may ask a killed worker first', async () => {
    const { world, client, judge } = await judgeWorker();
    let asked = 0;
    world.orders = async () => {
      if (asked++ === 0) throw new Error('the query timed out');
      return { resumes: 0, hold: 'lunch' };
    };
    await expect(judge()).rejects.toMatchObject({ type: 'Paused', message: 'lunch' });
    expect(asked).toBe(2);
    expect(client.calls).toHaveLength(0);
  });

  it('goes on where no lane has ever answered', async () => {
    const { world, judge } = await judgeWorker();
    world.orders = () => new Promise<RunOrders>(() => undefined);
    expect(await judge()).toMatchObject({ outcome: 'met' });
  });

  it('whose worker was frozen trusts no answer from before that', async () => {
    const { world, client, judge, other } = await judgeWorker();
    expect(await judge()).toMatchObject({ outcome: 'met' });
    const before = client.calls.length;
    const questions: ((orders: RunOrders) => void)[] = [];
    world.orders = () => new Promise((resolve) => questions.push(resolve));
    world.nowMs += 5_000;
    const older = judge(undefined, other);
    await waitUntil(() => questions.length === 1);
    // Frozen here, while a person pauses.
    world.nowMs += 120_000;
    const newer = judge(undefined, other);
    questions[0]?.({ resumes: 0 });
    await waitUntil(() => questions.length === 2);
    questions[1]?.({ resumes: 0, hold: 'lunch' });
    await expect(newer).rejects.toMatchObject({ type: 'Paused', message: 'lunch' });
    await expect(older).rejects.toMatchObject({ type: 'Paused' });
    expect(client.calls).toHaveLength(before);
  });

  it('takes a word of long ago for none', async () => {
    const { world, client, judge, other } = await judgeWorker();
    expect(await judge()).toMatchObject({ outcome: 'met' });
    const before = client.calls.length;
    world.nowMs += 120_000;
    let asked = 0;
    world.orders = async () => {
      if (asked++ === 0) throw new Error('the connection is gone');
      return { resumes: 0, hold: 'lunch' };
    };
    await expect(judge(undefined, other)).rejects.toMatchObject({ type: 'Paused' });
    expect(client.calls).toHaveLength(before);
  });
});
