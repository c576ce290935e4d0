import { StoredSweep } from '../support/stored-sweep';
import { taskFiles } from '../support/task-folder';

let sweep: StoredSweep;
beforeEach(() => {
  sweep = new StoredSweep();
});
afterEach(() => sweep.remove());

describe('the estimate of a plan', () => {
  it('is by role: defaults first, then what stored runs of the task cost', async () => {
    sweep.writeSweep({
      models: '[gpt-5.5]',
      harnesses: '[nanobot]',
      judge: '{ model: gpt-5.5 }',
      limits: '{ maxCostUsd: 5 }',
    });
    const { plan, estimate } = await sweep.build();
    expect(estimate).toMatchObject({ fromStoredRuns: 0, fromDefaults: 4 });
    expect(estimate.agent.low).toBeGreaterThan(0);
    // No run may cost more than its cap.
    expect(estimate.agent.high).toBeLessThanOrEqual(4 * 5_000_000);
    const lane = 'gpt-5.5@nanobot';
    const costs = { agentCostMicroUsd: 100, judgeCostMicroUsd: 10 };
    await sweep.score(plan, sweep.run(plan, 'one', 1, lane), [], costs);
    await sweep.score(plan, sweep.run(plan, 'two', 1, lane), [], costs);
    expect((await sweep.build()).estimate).toEqual({
      agent: { low: 200, high: 200 },
      judge: { low: 20, high: 20 },
      openItems: 0,
      deliveredItems: 0,
      fromStoredRuns: 2,
      fromDefaults: 0,
    });
  });

  it('counts judges for the items without a verdict alone: none after another weight, one after other words', async () => {
    sweep.writeSweep({ judge: '{ model: gpt-5.5 }' });
    const { plan } = await sweep.build();
    const run = sweep.run(plan, 'one', 1);
    await sweep.judge(plan, run, await sweep.deliver(run), []);
    const rubric = taskFiles()['rubric.yaml']!;
    const reweighted = rubric.replace('weight: core', 'weight: important');
    sweep.writeTask('one', { 'rubric.yaml': reweighted });
    const unasked = await sweep.plan();
    expect(unasked.counts).toMatchObject({ toJudge: 1, toRun: 3 });
    expect(unasked.estimate).toMatchObject({ openItems: 0, deliveredItems: 3 });
    sweep.writeTask('one', { 'rubric.yaml': reweighted.replace('the largest', 'the highest') });
    const asked = await sweep.plan();
    expect(asked.estimate.openItems).toBe(1);
    const more = (end: 'low' | 'high') =>
      (asked.estimate.judge[end] ?? NaN) - (unasked.estimate.judge[end] ?? NaN);
    // One session by default tokens, at this model's prices.
    expect(more('high')).toBe(30_000 * 5 + 50_000 * 0.5 + 3_000 * 30);
    expect(more('low')).toBe(5_000 * 5 + 5_000 * 0.5 + 400 * 30);
  });
});
