import { addCost, type MicroUsd } from './money';
import { type AttemptRecord, type ScoreRecord } from './run';

/** What a run cost, by who spent it; the three add up. `undefined` = unknown. */
export interface RunCost {
  readonly agentMicroUsd: MicroUsd | undefined;
  readonly judgeMicroUsd: MicroUsd | undefined;
  readonly failedAttemptsMicroUsd: MicroUsd | undefined;
  /** True where a lost attempt's traffic is not known whole: the sum is a lower bound. */
  readonly atLeast: boolean;
}

export const NO_COST: RunCost = {
  agentMicroUsd: 0,
  judgeMicroUsd: 0,
  failedAttemptsMicroUsd: 0,
  atLeast: false,
};

export function addCosts(left: RunCost, right: RunCost): RunCost {
  return {
    agentMicroUsd: addCost(left.agentMicroUsd, right.agentMicroUsd),
    judgeMicroUsd: addCost(left.judgeMicroUsd, right.judgeMicroUsd),
    failedAttemptsMicroUsd: addCost(left.failedAttemptsMicroUsd, right.failedAttemptsMicroUsd),
    atLeast: left.atLeast || right.atLeast,
  };
}

export function totalCost(cost: RunCost): MicroUsd | undefined {
  return addCost(addCost(cost.agentMicroUsd, cost.judgeMicroUsd), cost.failedAttemptsMicroUsd);
}

/** True where some attempt spent more than its record knows: its journal is cut short, or it left none. */
export function isCostAtLeast(attempts: readonly AttemptRecord[]): boolean {
  return attempts.some(
    ({ outcome, traffic }) =>
      traffic?.incomplete === true || (outcome === 'lost' && traffic === undefined),
  );
}

export function costOfScore(score: ScoreRecord): RunCost {
  return {
    agentMicroUsd: score.agentCostMicroUsd,
    judgeMicroUsd: score.judgeCostMicroUsd,
    failedAttemptsMicroUsd: score.failedAttemptsCostMicroUsd,
    atLeast: score.costIsAtLeast === true,
  };
}
