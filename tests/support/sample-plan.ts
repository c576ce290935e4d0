import { DEFAULT_LIMITS, DEFAULT_TIMINGS } from '../../core/limits';
import {
  DEFAULT_JUDGE_LIMITS,
  type ModelIdentity,
  type PlannedLane,
  type SweepPlan,
} from '../../core/sweep';
import { type Domain, type PlannedTask } from '../../core/task';

const hex = (digit: string): string => digit.repeat(64);

export function sampleModel(id: string, seed = 1): ModelIdentity {
  return {
    id,
    provider: 'simulated',
    name: 'simulated',
    parameters: {},
    simulation: { seed, steps: 2, judgeTurns: 1, latencyMs: 0, errorRate: 0 },
    account: 'simulated',
  };
}

export function sampleLane(model: string, seed = 1): PlannedLane {
  return {
    id: `${model}@simulated`,
    model: sampleModel(model, seed),
    harness: {
      id: 'simulated',
      name: 'simulated',
      version: '1',
      configuration: {},
      promptDigest: hex('1'),
    },
  };
}

export function sampleTask(id: string, domain: Domain, digit: string): PlannedTask {
  return {
    id,
    title: `Task ${id}`,
    domain,
    language: 'en',
    outputs: [{ path: 'report.md', format: 'markdown' }],
    grants: { web: [] },
    digest: hex(digit),
    files: [{ path: 'query/task.md', sha256: hex(digit), bytes: 10 }],
    rubric: { path: 'rubric.json', sha256: hex('a'), bytes: 10 },
    itemCount: 3,
    reference: [],
  };
}

/** A small plan: one lane, two tasks, two repetitions. Parts can be replaced. */
export function samplePlan(parts: Partial<SweepPlan> = {}): SweepPlan {
  return {
    v: 1,
    sweep: 'sample',
    cohort: 'sample',
    revision: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    tasks: [sampleTask('one', 'stem', '2'), sampleTask('two', 'legal', '3')],
    lanes: [sampleLane('sim')],
    repetitions: 2,
    limits: DEFAULT_LIMITS,
    judge: {
      model: sampleModel('judge', 9),
      mode: 'per-item',
      votes: 1,
      checks: true,
      limits: DEFAULT_JUDGE_LIMITS,
      protocolDigest: hex('4'),
    },
    window: 4,
    budget: undefined,
    timings: DEFAULT_TIMINGS,
    gatewayProtocolDigest: hex('5'),
    rendererRecipe: hex('6'),
    inspectorRecipe: hex('7'),
    prices: {},
    ...parts,
  };
}
