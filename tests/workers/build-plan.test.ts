import { ConfigurationError } from '../../config/configuration-error';
import { unpricedModels } from '../../cli/render/plan';
import { canonicalJson, storeKeys } from '../../core/ids';
import { ownEntry } from '../../core/own-entry';
import { type SweepPlan } from '../../core/sweep';
import { buildPlan } from '../../workers/build-plan';
import { type PlanLock } from '../../workers/plan-revisions';
import { readJson } from '../../activities/read-json';
import { StoredSweep, testIngredients } from '../support/stored-sweep';

let sweep: StoredSweep;
beforeEach(() => {
  sweep = new StoredSweep();
});
afterEach(() => sweep.remove());

async function listAll(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of sweep.store.list(prefix)) keys.push(key);
  return keys;
}
async function faultsOf(build: Promise<unknown>): Promise<string> {
  const error: unknown = await build.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigurationError);
  return (error as Error).message;
}

describe('buildPlan', () => {
  it('writes plan, lock and blobs: inputs in the open, rubric and reference sealed', async () => {
    const { plan, planKey, isNewRevision, counts, paidModels } = await sweep.build();
    expect({ planKey, isNewRevision, paidModels }).toEqual({
      planKey: 'open/sweeps/sample/plan-1.json',
      isNewRevision: true,
      paidModels: [],
    });
    expect(counts).toEqual({
      planned: 4,
      reused: 0,
      toJudge: 0,
      toRun: 4,
      orphaned: 0,
      dropped: 0,
    });
    expect(await readJson<SweepPlan>(sweep.store, planKey)).toEqual(
      JSON.parse(canonicalJson(plan)),
    );
    const [task] = plan.tasks;
    for (const file of task!.files)
      expect(await sweep.store.hasBlob('open', file.sha256)).toBe(true);
    for (const secret of [task!.rubric, ...task!.reference]) {
      expect(await sweep.store.hasBlob('sealed', secret.sha256)).toBe(true);
      expect(await sweep.store.hasBlob('open', secret.sha256)).toBe(false);
    }
    // What agent hosts may read says nothing of the rubric's words.
    for (const key of await listAll('open/'))
      expect(Buffer.from((await sweep.store.getRecord(key))!).toString()).not.toContain(
        'names the largest',
      );
    const lock = await readJson<PlanLock>(sweep.store, storeKeys.lock('sample', 1));
    expect(lock).toMatchObject({ revision: 1, judgeProtocolDigest: plan.judge.protocolDigest });
  });

  it('puts references into the open only for a lane that delivers them, and rubrics never', async () => {
    sweep.writeSweep({ harnesses: '[simulated, oracle]' });
    const { plan } = await sweep.build();
    for (const task of plan.tasks) {
      for (const file of task.reference)
        expect(await sweep.store.hasBlob('open', file.sha256)).toBe(true);
      expect(await sweep.store.hasBlob('open', task.rubric.sha256)).toBe(false);
    }
  });

  it('is the same revision for the same content, and the next one for another', async () => {
    await sweep.build();
    expect((await sweep.build()).isNewRevision).toBe(false);
    sweep.writeSweep({ repetitions: '3' });
    const next = await sweep.build();
    expect(next).toMatchObject({ isNewRevision: true, planKey: 'open/sweeps/sample/plan-2.json' });
    expect(next.previous?.revision).toBe(1);
    expect(await listAll('open/sweeps/sample/')).toEqual([
      'open/sweeps/sample/lock-1.json',
      'open/sweeps/sample/lock-2.json',
      'open/sweeps/sample/plan-1.json',
      'open/sweeps/sample/plan-2.json',
    ]);
  });

  it('gives launches that race one plan', async () => {
    const built = await Promise.all(Array.from({ length: 5 }, () => sweep.build()));
    expect(new Set(built.map(({ planKey }) => planKey))).toEqual(
      new Set(['open/sweeps/sample/plan-1.json']),
    );
  });

  it('writes what was shown, and refuses files that changed since', async () => {
    const planned = await sweep.plan();
    sweep.writeTask('one', { 'workspace/numbers.csv': 'n\n2\n' });
    await expect(planned.write()).rejects.toThrow('numbers.csv changed while the plan was made');
    const again = await (await sweep.plan()).write();
    expect(again.planKey).toBe('open/sweeps/sample/plan-1.json');
  });

  it('writes nothing when it only plans', async () => {
    const { counts } = await sweep.plan();
    expect(counts.planned).toBe(4);
    expect(await listAll('open/')).toEqual([]);
    expect(await listAll('sealed/')).toEqual([]);
  });

  it('counts what is reused, what only needs verdicts, and what an edit leaves behind', async () => {
    const { plan } = await sweep.build();
    await sweep.score(plan, sweep.run(plan, 'one', 1));
    await sweep.score(plan, sweep.run(plan, 'two', 1));
    await sweep.deliver(sweep.run(plan, 'two', 2));
    expect((await sweep.build()).counts).toEqual({
      planned: 4,
      reused: 2,
      toJudge: 1,
      toRun: 1,
      orphaned: 0,
      dropped: 0,
    });
    sweep.writeTask('one', { 'workspace/numbers.csv': 'n\n1\n' });
    expect((await sweep.plan()).counts).toMatchObject({ reused: 1, orphaned: 1, dropped: 1 });
  });

  it('runs nothing again when a rubric item is reworded: the runs only need verdicts', async () => {
    const { plan } = await sweep.build();
    await sweep.score(plan, sweep.run(plan, 'one', 1));
    const rubric =
      "- { id: total, text: 'The total is forty-two.', weight: core, dimension: calculation-precision }\n";
    sweep.writeTask('one', { 'rubric.yaml': rubric });
    const { counts, plan: next } = await sweep.build();
    expect(counts).toEqual({
      planned: 4,
      reused: 0,
      toJudge: 1,
      toRun: 3,
      orphaned: 0,
      dropped: 0,
    });
    expect(sweep.run(next, 'one', 1).runKey).toBe(sweep.run(plan, 'one', 1).runKey);
  });

  it('runs nothing again when account, window, budget or timings change', async () => {
    const { plan } = await sweep.build();
    await sweep.score(plan, sweep.run(plan, 'one', 1));
    sweep.writeSweep({ window: '3', timings: '{ lease: 9s }', budget: '{ maxCostUsd: 1 }' });
    expect((await sweep.build()).counts).toMatchObject({ reused: 1, toRun: 3 });
  });

  it('takes results of another sweep only under the same cohort', async () => {
    const { plan } = await sweep.build();
    await sweep.score(plan, sweep.run(plan, 'one', 1));
    sweep.writeSweep({ sweep: 'other' });
    expect((await sweep.build()).counts.reused).toBe(0);
    expect((await sweep.build({ cohort: 'sample' })).counts.reused).toBe(1);
  });

  it('freezes prices at the first launch', async () => {
    sweep.writeSweep({ models: '[gpt-5.5]', harnesses: '[nanobot]' });
    const { plan, paidModels } = await sweep.build();
    expect(paidModels).toEqual(['gpt-5.5']);
    expect(plan.prices['gpt-5.5']?.outputPerMillion).toBe(30_000_000);
    expect(plan.prices['judge']?.outputPerMillion).toBe(0);
    sweep.writeSweep({ models: '[gpt-5.5]', harnesses: '[nanobot]', repetitions: '3' });
    const dearer = await buildPlan(
      { file: sweep.file },
      {
        store: sweep.store,
        ingredients: testIngredients(),
        catalog: {
          find: () => ({ name: 'gpt-5.5', provider: 'openai', account: 'openai' }),
          names: () => [],
        },
      },
    );
    expect(dearer.plan.revision).toBe(2);
    expect(dearer.plan.prices['gpt-5.5']?.outputPerMillion).toBe(30_000_000);
  });

  it('takes ids that every object knows for what they are: ids', async () => {
    const ids = ['constructor', '__proto__', 'hasownproperty'];
    sweep.writeSweep({
      models: `[${ids.map((id, seed) => `{ id: ${id}, provider: simulated, seed: ${seed} }`).join(', ')}]`,
    });
    const { plan } = await sweep.plan();
    expect(plan.lanes.map(({ model }) => model.id)).toEqual(ids);
    const stored = JSON.parse(canonicalJson(plan)) as typeof plan;
    for (const id of [...ids, 'judge'])
      expect(ownEntry(stored.prices, id)?.outputPerMillion).toBe(0);
    expect(ownEntry(stored.prices, 'tostring')).toBeUndefined();
    const before = await sweep.build();
    expect(before.plan.prices).toEqual(plan.prices);
  });

  it('names a model `constructor` whose price nobody knows', async () => {
    sweep.writeSweep({
      models: '[{ id: constructor, account: lab, model: toString }]',
      harnesses: '[nanobot]',
    });
    const built = await sweep.build();
    expect(Object.keys(built.plan.prices)).toEqual(['judge']);
    expect(unpricedModels(built)).toEqual(['constructor']);
  });

  it('selects tasks and lanes, and refuses a selection of nothing', async () => {
    sweep.writeSweep({
      models: '[{ id: sim, provider: simulated }, { id: sim2, provider: simulated, seed: 2 }]',
    });
    const chosen = await sweep.plan({
      selection: { tasks: ['t*'], lanes: ['sim2@*'] },
    });
    expect(chosen.plan.tasks.map((task) => task.id)).toEqual(['two']);
    expect(chosen.plan.lanes.map((lane) => lane.id)).toEqual(['sim2@simulated']);
    const first = await sweep.plan({ selection: { limit: 1 } });
    expect(first.plan.tasks.map((task) => task.id)).toEqual(['one']);
    expect(await faultsOf(sweep.build({ selection: { tasks: ['three'], lanes: ['x'] } }))).toMatch(
      /--tasks three: nothing matches; there are one, two[^]*--lanes x: nothing matches/u,
    );
  });

  it.each<[string, Record<string, string>, RegExp]>([
    [
      'an unknown model',
      { models: '[gpt-9]', harnesses: '[nanobot]' },
      /sweep\.yaml:3: unknown model gpt-9: name the account .* catalog: gpt-5\.5/u,
    ],
    [
      'recordings that are not there',
      { models: '[{ id: r, provider: replay, recordings: absent }]', harnesses: '[nanobot]' },
      /model r: no recordings "absent"/u,
    ],
    [
      'a parameter that the harness sets',
      { models: '[{ model: gpt-5.5, parameters: { stream: true } }]', harnesses: '[nanobot]' },
      /the parameter stream is set by the harness/u,
    ],
    [
      'a cost cap on a model without a price',
      {
        models: '[{ id: mine, account: lab, model: m }]',
        harnesses: '[nanobot]',
        limits: '{ maxCostUsd: 1 }',
      },
      /the price of mine is unknown, so no cost limit can be kept/u,
    ],
    [
      'a cost cap on a model of the catalog at another account',
      {
        models: '[{ id: relayed, account: lab, model: gpt-5.5 }]',
        harnesses: '[nanobot]',
        limits: '{ maxCostUsd: 1 }',
      },
      /the price of relayed is unknown, so no cost limit can be kept/u,
    ],
    [
      'the same run under two names',
      { models: '[{ id: a, provider: simulated }, { id: b, provider: simulated }]' },
      /a@simulated\/one and b@simulated\/one are the same run under two names/u,
    ],
  ])('refuses %s', async (_title, changes, message) => {
    sweep.writeSweep(changes);
    expect(await faultsOf(sweep.build())).toMatch(message);
    expect(await listAll('open/')).toEqual([]);
  });

  it('prices a model of the catalog at its usual account, also where the file names that', async () => {
    sweep.writeSweep({
      models: '[{ id: named, account: openai, model: gpt-5.5 }]',
      harnesses: '[nanobot]',
      limits: '{ maxCostUsd: 1 }',
    });
    const { plan } = await sweep.build();
    expect(plan.prices['named']?.outputPerMillion).toBe(30_000_000);
  });

  it('says the faults of all tasks together with those of the sweep', async () => {
    sweep.writeTask('one', { 'rubric.yaml': '[]' });
    sweep.writeTask('two', { 'task.yaml': 'id: one\n', 'workspace/query/task.md': '' });
    sweep.writeSweep({ models: '[gpt-9]', harnesses: '[nanobot]' });
    const message = await faultsOf(sweep.build());
    for (const part of [
      'tasks/one/rubric.yaml',
      'tasks/two/task.yaml',
      'query/task.md is empty',
      'unknown model gpt-9',
    ])
      expect(message).toContain(part);
  });

  it('refuses two tasks with one id', async () => {
    sweep.writeTask('two', {
      'task.yaml':
        'id: one\ntitle: A\ndomain: legal\nlanguage: en\noutputs: [{ path: report.md, format: markdown }]\n',
    });
    expect(await faultsOf(sweep.build())).toMatch(/the task id one is also that of .*tasks\/one/u);
  });
});
