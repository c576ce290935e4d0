import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { canonicalJson, storeKeys } from '../../core/ids';
import { type ModelTraffic } from '../../core/run';
import {
  createSweepActivities,
  type RerunRequest,
  SweepService,
} from '../../activities/sweep-activities';
import { readJson } from '../../activities/read-json';
import { StoredSweep } from '../support/stored-sweep';

let sweep: StoredSweep;
let service: SweepService;
beforeEach(() => {
  sweep = new StoredSweep();
  service = new SweepService({ store: sweep.store, now: () => new Date(0) });
});
afterEach(() => sweep.remove());

const traffic = (costMicroUsd: number | undefined): ModelTraffic => ({
  steps: 3,
  modelRequests: 3,
  auxiliaryRequests: 0,
  upstreamCalls: 3,
  toolCalls: 2,
  usage: { inputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1 },
  costMicroUsd,
  incomplete: false,
});
const lane = 'sim@simulated';

describe('loadSweep', () => {
  it('gives what a sweep workflow needs, and nothing of tasks or rubrics but ids', async () => {
    sweep.writeSweep({ budget: '{ maxCostUsd: 2 }', window: '3' });
    const { planKey, plan } = await sweep.build();
    expect(await service.loadSweep({ planKey })).toEqual({
      sweep: 'sample',
      cohort: 'sample',
      laneIds: [lane],
      taskIds: ['one', 'two'],
      repetitions: 2,
      plannedPerLane: 4,
      window: 3,
      budgetMicroUsd: 2_000_000,
      timings: plan.timings,
    });
  });

  it('says when the store has no such plan', async () => {
    await expect(service.loadSweep({ planKey: 'open/sweeps/x/plan-1.json' })).rejects.toMatchObject(
      {
        type: 'InvalidInput',
        message: expect.stringContaining('no plan open/sweeps/x/plan-1.json') as string,
      },
    );
  });
});

describe('loadLane', () => {
  it('lists what has no score yet, in start order, from the store alone', async () => {
    const { plan, planKey } = await sweep.build();
    await sweep.score(plan, sweep.run(plan, 'two', 1));
    await sweep.deliver(sweep.run(plan, 'one', 2));
    await sweep.attempt(sweep.run(plan, 'two', 2), {
      outcome: 'lost',
      failure: { type: 'SandboxLost', message: 'gone' },
    });
    const loaded = await service.loadLane({ planKey, laneId: lane });
    expect(loaded).toMatchObject({ planned: 4, scored: 1, spentMicroUsd: 0, reserveMicroUsd: 0 });
    expect(loaded.remaining).toEqual([
      { taskIndex: 0, repetition: 1 },
      { taskIndex: 0, repetition: 2 },
      { taskIndex: 1, repetition: 2 },
    ]);
  });

  it('adds up what was spent: scores, lost attempts, verdicts of unfinished runs, rounds without a verdict', async () => {
    const { plan, planKey } = await sweep.build();
    await sweep.score(plan, sweep.run(plan, 'one', 1), [], {
      agentCostMicroUsd: 100,
      judgeCostMicroUsd: 20,
      failedAttemptsCostMicroUsd: 3,
    });
    const open = sweep.run(plan, 'two', 1);
    await sweep.attempt(open, { attempt: 1, outcome: 'lost', traffic: traffic(1_000) });
    const result = await sweep.deliver(open, undefined, { attempt: 2, traffic: traffic(5_000) });
    const usage = { inputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1 };
    const items = await sweep.judge(plan, open, result, ['met', 'met', 'unjudged'], {
      usage,
      costMicroUsd: 7,
    });
    await sweep.store.putRecord(
      storeKeys.unjudgedRound(items[2]!.verdictKey, 1),
      canonicalJson({ v: 1, reason: 'garbage', costMicroUsd: 9 }),
    );
    const { spentMicroUsd } = await service.loadLane({ planKey, laneId: lane });
    expect(spentMicroUsd).toBe(123 + 6_000 + 2 * 7 + 9);
  });

  it('does not take an unknown cost for nothing', async () => {
    const { plan, planKey } = await sweep.build();
    await sweep.deliver(sweep.run(plan, 'one', 1), undefined, { traffic: traffic(undefined) });
    expect((await service.loadLane({ planKey, laneId: lane })).spentMicroUsd).toBeUndefined();
  });

  it('reserves the cap and the dearest judging, and nothing is known without a cap', async () => {
    sweep.writeSweep({ models: '[gpt-5.5]', harnesses: '[nanobot]', judge: '{ model: gpt-5.5 }' });
    const without = await sweep.build();
    const laneId = 'gpt-5.5@nanobot';
    expect(
      (await service.loadLane({ planKey: without.planKey, laneId })).reserveMicroUsd,
    ).toBeUndefined();
    sweep.writeSweep({
      models: '[gpt-5.5]',
      harnesses: '[nanobot]',
      judge: '{ model: gpt-5.5 }',
      limits: '{ maxCostUsd: 5 }',
    });
    const { planKey } = await sweep.build();
    const { reserveMicroUsd } = await service.loadLane({ planKey, laneId });
    // Two of the three items have no check: 2 x (30,000 x 5 + 50,000 x 0.5 + 3,000 x 30) / 1 M dollars.
    expect(reserveMicroUsd).toBe(5_000_000 + 2 * 265_000);
  });

  it('refuses a lane that the plan does not have', async () => {
    const { planKey } = await sweep.build();
    await expect(service.loadLane({ planKey, laneId: 'x@y' })).rejects.toThrow(
      'sweep sample has no lane x@y',
    );
  });
});

describe('loadRun', () => {
  const position = (planKey: string, taskIndex = 0, repetition = 1) => ({
    planKey,
    laneId: lane,
    taskIndex,
    repetition,
  });

  it.each<[string, 'new' | 'delivered' | 'scored', number]>([
    ['nothing', 'new', 0],
    ['a lost attempt', 'new', 1],
    ['deliverables', 'delivered', 1],
    ['a score', 'scored', 0],
  ])('finds a run with %s in the store: %s', async (has, state, attemptsUsed) => {
    const { plan, planKey } = await sweep.build();
    const run = sweep.run(plan, 'one', 1);
    if (has === 'a lost attempt') await sweep.attempt(run, { outcome: 'lost' });
    if (has === 'deliverables') await sweep.deliver(run);
    if (has === 'a score') await sweep.score(plan, run);
    expect(await service.loadRun(position(planKey))).toMatchObject({
      state,
      attemptsUsed,
      needsSandbox: false,
      queues: 'split',
      reference: { runId: 'sim@simulated/one/r1', runKey: run.runKey, generation: 1 },
      searchAttributes: { sweep: 'sample', model: 'sim', harness: 'simulated', task: 'one' },
    });
  });

  it.each([
    ['an open claim', 'host-7', {}],
    ['none but a lost attempt', undefined, { 1: 'lost' }],
    ['an open claim behind a lost attempt', 'host-7', { 1: 'lost' }],
  ])('names the host of %s: %s', async (title, claimedBy, recorded) => {
    const { plan, planKey } = await sweep.build();
    const run = sweep.run(plan, 'one', 1);
    if ('1' in recorded) await sweep.attempt(run, { outcome: 'lost' });
    if (claimedBy !== undefined)
      await sweep.store.putRecord(
        storeKeys.attempt(run.runKey, 1, title === 'an open claim' ? 1 : 2, 'claim.json'),
        JSON.stringify({ v: 1, hostId: claimedBy }),
      );
    expect((await service.loadRun(position(planKey))).claimedBy).toBe(claimedBy);
  });

  it('counts a score only under this rubric and this judge', async () => {
    const { plan } = await sweep.build();
    await sweep.score(plan, sweep.run(plan, 'one', 1));
    sweep.writeSweep({ judge: '{ model: { id: judge, provider: simulated, seed: 2 } }' });
    const { planKey } = await sweep.build();
    expect(await service.loadRun(position(planKey))).toMatchObject({ state: 'delivered' });
  });

  it('refuses a position outside the plan', async () => {
    const { planKey } = await sweep.build();
    await expect(service.loadRun(position(planKey, 2))).rejects.toThrow('plans no task number 2');
    await expect(service.loadRun(position(planKey, 0, 3))).rejects.toThrow('repetition 3');
  });

  it('runs as an activity and keeps the type of a failure', async () => {
    const { planKey } = await sweep.build();
    const activities = createSweepActivities({ store: sweep.store, queues: 'shared' });
    const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
    expect(await environment.run(activities.loadRun, position(planKey))).toMatchObject({
      queues: 'shared',
    });
    await expect(environment.run(activities.loadRun, position(planKey, 9))).rejects.toMatchObject({
      type: 'InvalidInput',
      nonRetryable: true,
    });
  });
});

describe('requestRerun', () => {
  const ask = (planKey: string, force: boolean, who = 'ann') =>
    service.requestRerun({
      planKey,
      laneId: lane,
      taskIndex: 0,
      repetition: 1,
      who,
      reason: 'odd',
      force,
    });

  it('needs force for a run that has a score', async () => {
    const { plan, planKey } = await sweep.build();
    const run = sweep.run(plan, 'one', 1);
    await sweep.score(plan, run);
    expect(await ask(planKey, false)).toMatchObject({ accepted: false, generation: 1 });
    expect(await sweep.store.hasRecord(storeKeys.request(run.runKey, 2))).toBe(false);
    expect(await ask(planKey, true)).toMatchObject({ accepted: true, generation: 2 });
    expect(await readJson<RerunRequest>(sweep.store, storeKeys.request(run.runKey, 2))).toEqual({
      v: 1,
      runKey: run.runKey,
      runId: run.runId,
      generation: 2,
      replaces: 1,
      who: 'ann',
      reason: 'odd',
      requestedAt: '1970-01-01T00:00:00.000Z',
    });
  });

  it('asked twice, or by many at once, is asked once', async () => {
    const { plan, planKey } = await sweep.build();
    const run = sweep.run(plan, 'one', 1);
    await sweep.score(plan, run);
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((who) => ask(planKey, true, who)));
    answers.push(await ask(planKey, true));
    expect(answers.map(({ accepted, generation }) => [accepted, generation])).toEqual(
      answers.map(() => [true, 2]),
    );
    expect(await sweep.store.hasRecord(storeKeys.request(run.runKey, 3))).toBe(false);
  });

  it('runs the new generation, and the old score counts until the new one is there', async () => {
    const { plan, planKey } = await sweep.build();
    const run = sweep.run(plan, 'one', 1);
    await sweep.score(plan, run);
    await ask(planKey, true);
    const where = { planKey, laneId: lane, taskIndex: 0, repetition: 1 };
    expect(await service.loadRun(where)).toMatchObject({
      state: 'new',
      reference: { generation: 2 },
    });
    expect((await service.loadLane({ planKey, laneId: lane })).scored).toBe(0);
    await sweep.score(plan, run, ['unmet'], { generation: 2 });
    expect(await service.loadRun(where)).toMatchObject({
      state: 'scored',
      reference: { generation: 2 },
    });
  });

  it('of a run that delivered but has no score, starts anew; of one that delivered nothing, changes nothing', async () => {
    const { plan, planKey } = await sweep.build();
    const run = sweep.run(plan, 'one', 1);
    expect(await ask(planKey, false)).toMatchObject({ accepted: true, generation: 1 });
    expect(await sweep.store.hasRecord(storeKeys.request(run.runKey, 2))).toBe(false);
    await sweep.deliver(run);
    expect(await ask(planKey, false)).toMatchObject({ accepted: true, generation: 2 });
  });
});
