import { createHash } from 'node:crypto';
import { type ObjectStore } from '../../../activities/store/port';
import { type RunReference } from '../../../core/activity-contract';
import { canonicalJson, runKey, storeKeys } from '../../../core/ids';
import { DEFAULT_LIMITS, DEFAULT_TIMINGS } from '../../../core/limits';
import { type Rubric, type RubricItem } from '../../../core/rubric';
import { type RunResult } from '../../../core/run';
import { type PlannedLane, type SweepPlan } from '../../../core/sweep';
import { type PlannedTask } from '../../../core/task';
import { judgeConfiguration } from './scripted-judge';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const item = (id: string, weight: number, check = false): RubricItem => ({
  id,
  text: `Item ${id}.`,
  weight,
  dimension: 'calculation-precision',
  ...(check ? { check: { kind: 'file-exists', file: 'report.md' } } : {}),
});
const rubric: Rubric = {
  items: [item('a', 5, true), item('b', 3, true), item('c', 1), item('d', 1)],
};

/** A stored plan with one run whose agent is done. */
export async function storedRun(
  store: ObjectStore,
  options: { votes?: number; checks?: boolean } = {},
) {
  const request = await store.putBlob('open', Buffer.from('Write a report with the total.'));
  const sealed = await store.putBlob('sealed', Buffer.from(canonicalJson(rubric)));
  const task: PlannedTask = {
    id: 'task',
    title: 'Task',
    domain: 'business',
    language: 'en',
    outputs: [{ path: 'report.md', format: 'markdown' }],
    grants: { web: [] },
    digest: 'd',
    files: [{ path: 'query/task.md', ...request }],
    rubric: { path: 'rubric.json', ...sealed },
    itemCount: rubric.items.length,
    reference: [],
  };
  const judge = judgeConfiguration();
  const lane: PlannedLane = {
    id: 'm@nanobot',
    model: {
      id: 'm',
      provider: 'replay',
      name: 'm',
      parameters: {},
      recordings: { name: 'strong', digest: 'x' },
      account: 'replay',
    },
    harness: { id: 'nanobot', name: 'nanobot', version: '1', configuration: {}, promptDigest: 'p' },
  };
  const plan: SweepPlan = {
    v: 1,
    sweep: 's',
    cohort: 's',
    revision: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    tasks: [task],
    lanes: [lane],
    repetitions: 1,
    limits: DEFAULT_LIMITS,
    judge: { ...judge, votes: options.votes ?? 1, checks: options.checks ?? true },
    window: 1,
    budget: undefined,
    timings: DEFAULT_TIMINGS,
    gatewayProtocolDigest: 'g',
    rendererRecipe: 'r',
    inspectorRecipe: 'i',
    prices: {},
  };
  const planKey = storeKeys.plan('s', 1);
  await store.putRecord(planKey, canonicalJson(plan));
  const key = runKey(plan, lane, task, 1, sha256);
  const run: RunReference = {
    planKey,
    laneId: lane.id,
    taskIndex: 0,
    repetition: 1,
    runId: `${lane.id}/task/r1`,
    runKey: key,
    generation: 1,
  };
  const usage = { inputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1 };
  const result: RunResult = {
    v: 1,
    runKey: key,
    runId: run.runId,
    generation: 1,
    attempt: 1,
    stopReason: 'completed',
    deliverables: {
      v: 1,
      files: [{ path: 'report.md', sha256: 'e', bytes: 1 }],
      refused: [],
      truncated: false,
      digest: 'f',
    },
    traffic: {
      steps: 1,
      modelRequests: 1,
      auxiliaryRequests: 0,
      upstreamCalls: 1,
      toolCalls: 0,
      usage,
      costMicroUsd: 1_000,
      incomplete: false,
    },
    modelProvider: 'replay',
    recordedAt: '2026-01-01T00:00:00.000Z',
  };
  await store.putRecord(storeKeys.result(key, 1), canonicalJson(result));
  return { run, viewKey: 'view' };
}
