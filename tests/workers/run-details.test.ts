import { canonicalJson, storeKeys } from '../../core/ids';
import { type EvidenceView } from '../../core/evidence-view';
import { NO_USAGE } from '../../core/money';
import { type ModelTraffic } from '../../core/run';
import { type SweepPlan } from '../../core/sweep';
import { SweepService } from '../../activities/sweep-activities';
import { printRunList } from '../../cli/commands/run-list';
import { printRun } from '../../cli/render/run';
import { runDetails } from '../../workers/run-details';
import { listRuns } from '../../workers/run-list';
import { StoredSweep } from '../support/stored-sweep';

let sweep: StoredSweep;
let plan: SweepPlan;
let planKey: string;
beforeEach(async () => {
  sweep = new StoredSweep();
  ({ plan, planKey } = await sweep.build());
});
afterEach(() => sweep.remove());

const traffic = (costMicroUsd: number): ModelTraffic => ({
  ...{ steps: 1, modelRequests: 1, auxiliaryRequests: 0, upstreamCalls: 1, toolCalls: 0 },
  ...{ usage: NO_USAGE, costMicroUsd, incomplete: false },
});
const rerun = (taskIndex: number) =>
  new SweepService({ store: sweep.store }).requestRerun({
    ...{ planKey, laneId: 'sim@simulated', taskIndex, repetition: 1 },
    ...{ who: 'ann', reason: 'odd', force: true },
  });

describe('a cancelled attempt', () => {
  it('reads as cancelled, in the list and in the run', async () => {
    const run = sweep.run(plan, 'one', 1);
    await sweep.attempt(run, {
      ...{ outcome: 'cancelled', stopReason: 'cancelled' },
      failure: { type: 'SandboxLost', message: 'cancelled' },
    });
    const listed = await listRuns(sweep.source(plan), { tasks: ['one'] });
    expect(listed[0]).toMatchObject({ state: 'missing', why: 'attempt 1 cancelled' });
    expect(printRun(await runDetails(sweep.source(plan), run))).toMatch(
      /attempt 1 {3}cancelled\n/u,
    );
  });
});

describe('a cohort that is not the own of the sweep', () => {
  it('is named by the list and by the run, and no other is', async () => {
    const run = sweep.run(plan, 'one', 1);
    const listed = await listRuns(sweep.source(plan), {});
    const details = await runDetails(sweep.source(plan), run);
    expect(details).toMatchObject({ sweep: 'sample', cohort: 'sample' });
    expect(printRunList(plan, listed)).toMatch(/^run +state/u);
    expect(printRun(details)).not.toContain('cohort');
    const other = { ...plan, cohort: 'sample-again' };
    expect(printRunList(other, listed)).toMatch(/^sample \(cohort sample-again\)\nrun +state/u);
    const shown = printRun(await runDetails(sweep.source(other), run));
    expect(shown).toContain('\ncohort      sample-again\nkey ');
  });
});

describe('runDetails', () => {
  it('has the cost that the list has, by who spent it and by verdict', async () => {
    const run = sweep.run(plan, 'one', 1);
    await sweep.attempt(run, { outcome: 'lost', traffic: traffic(7) });
    const result = await sweep.deliver(
      run,
      { 'report.md': 'The total is 42.\n' },
      { attempt: 2, traffic: traffic(1000) },
    );
    const paid = { usage: NO_USAGE, costMicroUsd: 40 };
    const items = await sweep.judge(plan, run, result, ['unjudged', 'met', 'unjudged'], paid);
    const open = { v: 1, reason: 'no verdict', costMicroUsd: 60 };
    await sweep.store.putRecord(
      storeKeys.unjudgedRound(items[2]!.verdictKey, 1),
      canonicalJson(open),
    );
    const details = await runDetails(sweep.source(plan), run);
    const cost = {
      ...{ agentMicroUsd: 1000, judgeMicroUsd: 100, failedAttemptsMicroUsd: 7 },
      ...{ totalMicroUsd: 1107, atLeast: false },
    };
    expect(details).toMatchObject({ cost, generationCost: cost });
    expect(details.items.map(({ costMicroUsd }) => costMicroUsd)).toEqual([0, 40, 60]);
    const listed = await listRuns(sweep.source(plan), { tasks: ['one'], outcomes: ['incomplete'] });
    expect(listed).toMatchObject([{ costMicroUsd: 1107 }]);
    const shown = printRun(details);
    expect(shown).toContain(
      'cost        $0.0011: agent $0.0010, judge $0.0001, failed attempts $0.0000\n',
    );
    expect(shown).toContain('[unjudged] short (weight 0.5, output-presentation, $0.0001)');
  });

  it('counts what a generation under way has cost in the list too, and shows it apart', async () => {
    await sweep.score(plan, sweep.run(plan, 'one', 1), [], { judgeCostMicroUsd: 4 });
    await rerun(0);
    const run = sweep.run(plan, 'one', 1);
    await sweep.attempt(run, {
      ...{ generation: 2, outcome: 'lost' },
      traffic: traffic(6),
    });
    const details = await runDetails(sweep.source(plan), run);
    expect(details.cost.totalMicroUsd).toBe(10);
    expect(details.generationCost.totalMicroUsd).toBe(4);
    expect(printRun(details)).toContain(
      '(all generations)\n            generation 1: $0.0000: agent',
    );
    const [listed] = await listRuns(sweep.source(plan), { tasks: ['one'] });
    expect(listed?.costMicroUsd).toBe(10);
  });

  it('resolves citations to the text that they point at', async () => {
    const run = sweep.run(plan, 'one', 1);
    const result = await sweep.deliver(run);
    const locator = { artifact: 'results/report.md', kind: 'lines' as const, from: 1, to: 1 };
    const segments = [
      { locator: { ...locator, artifact: '' }, text: 'The total is 42.', visibility: 'visible' },
    ];
    const text = await sweep.store.putBlob('sealed', Buffer.from(JSON.stringify(segments)));
    const [file] = result.deliverables.files;
    const view: EvidenceView = {
      v: 1,
      taskDigest: run.task.digest,
      deliverablesDigest: result.deliverables.digest,
      rendererRecipe: plan.rendererRecipe,
      entries: [
        {
          artifact: 'results/report.md',
          origin: 'deliverable',
          rendered: {
            v: 1,
            sha256: file!.sha256,
            bytes: file!.bytes,
            format: 'markdown',
            status: 'rendered',
            counts: {},
            facts: {},
            warnings: [],
            text,
            pages: [],
            rendererRecipe: plan.rendererRecipe,
          },
        },
      ],
      refused: [],
    };
    await sweep.store.putRecord(
      storeKeys.view(run.task.digest, result.deliverables.digest, plan.rendererRecipe),
      canonicalJson(view),
    );
    await sweep.judge(plan, run, result, ['met', 'unjudged', 'unmet'], {
      citations: [{ locator, quote: '42' }, { locator: { ...locator, from: 9, to: 9 } }],
    });
    const details = await runDetails(sweep.source(plan), run);
    expect(details.stages).toEqual({ agent: 'done', judging: 'open' });
    expect(details.scoreInterval?.map((bound) => Math.round(bound))).toEqual([59, 94]);
    expect(details.success).toBeUndefined();
    expect(details.items.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['total', 'met'],
      ['reason', 'unjudged'],
      ['short', 'unmet'],
    ]);
    expect(details.items[0]?.citations).toEqual([
      { locator: 'results/report.md#lines=1-1', quote: '42', text: 'The total is 42.' },
      { locator: 'results/report.md#lines=9-9', quote: undefined, text: undefined },
    ]);
  });

  it('shows every attempt and generation', async () => {
    const run = sweep.run(plan, 'one', 1);
    await sweep.attempt(run, { attempt: 1, outcome: 'lost' });
    await sweep.store.putRecord(storeKeys.attempt(run.runKey, 1, 2, 'claim.json'), '{}');
    const open = await runDetails(sweep.source(plan), run);
    expect(
      open.attempts.map(({ attempt, record, counts }) => [attempt, record?.outcome, counts]),
    ).toEqual([
      [1, 'lost', false],
      [2, undefined, false],
    ]);
    expect(open.stages).toEqual({ agent: 'open', judging: 'waiting' });
    await sweep.score(plan, run);
    await rerun(0);
    const counted = await runDetails(sweep.source(plan), run);
    expect(counted).toMatchObject({ generation: 1, generations: 2, success: true });
    expect(await runDetails(sweep.source(plan), run, 2)).toMatchObject({
      generation: 2,
      request: { who: 'ann' },
      items: [],
    });
  });
});
