import { type AttemptRecord, type ModelTraffic, type ScoreRecord } from '../../core/run';
import { addCosts, costOfScore, isCostAtLeast, NO_COST, totalCost } from '../../core/run-cost';
import { NO_USAGE } from '../../core/money';

const traffic = (incomplete: boolean): ModelTraffic => ({
  steps: 1,
  modelRequests: 1,
  auxiliaryRequests: 0,
  upstreamCalls: 1,
  toolCalls: 0,
  usage: NO_USAGE,
  costMicroUsd: 5,
  incomplete,
});

function attempt(outcome: AttemptRecord['outcome'], seen?: ModelTraffic): AttemptRecord {
  return {
    v: 1,
    runKey: 'k',
    generation: 1,
    attempt: 1,
    hostId: 'h',
    outcome,
    ...(seen !== undefined && { traffic: seen }),
    logs: [],
    pollution: [],
    alteredInputs: [],
    recordedAt: '2026-01-01T00:00:00.000Z',
  };
}

describe('isCostAtLeast', () => {
  it.each([
    ['no attempt', [], false],
    ['an attempt that is known whole', [attempt('ended', traffic(false))], false],
    ['one without a model', [attempt('ended')], false],
    ['a journal that is cut short', [attempt('lost', traffic(true))], true],
    ['a lost attempt that left nothing', [attempt('lost')], true],
    ['one of two', [attempt('lost', traffic(true)), attempt('ended', traffic(false))], true],
  ])('%s', (_what, attempts, expected) => {
    expect(isCostAtLeast(attempts)).toBe(expected);
  });
});

describe('costOfScore', () => {
  const score = { agentCostMicroUsd: 1, judgeCostMicroUsd: 2, failedAttemptsCostMicroUsd: 4 };

  it('keeps that a sum is a lower bound, also when sums are added', () => {
    const whole = costOfScore(score as ScoreRecord);
    const bound = costOfScore({ ...score, costIsAtLeast: true } as ScoreRecord);
    expect([whole.atLeast, bound.atLeast]).toEqual([false, true]);
    expect(addCosts(addCosts(NO_COST, bound), whole)).toMatchObject({ atLeast: true });
    expect(totalCost(bound)).toBe(7);
  });
});
