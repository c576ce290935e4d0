/** Search attributes of all executions: name in the Temporal UI and type. Registered by infra/, set by workflows. */
export const SEARCH_ATTRIBUTES = {
  sweep: { name: 'EvalSweep', type: 'KEYWORD' },
  model: { name: 'EvalModel', type: 'KEYWORD' },
  harness: { name: 'EvalHarness', type: 'KEYWORD' },
  task: { name: 'EvalTask', type: 'KEYWORD' },
  stage: { name: 'EvalStage', type: 'KEYWORD' },
  outcome: { name: 'EvalOutcome', type: 'KEYWORD' },
  repetition: { name: 'EvalRepetition', type: 'INT' },
  score: { name: 'EvalScore', type: 'DOUBLE' },
} as const;
