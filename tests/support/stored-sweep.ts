import { createHash } from 'node:crypto';
import { FileStore } from '../../activities/store/file-store';
import { createPlanCache } from '../../activities/plan-cache';
import { identifyRun, RunStates, type IdentifiedRun } from '../../activities/run-state';
import { canonicalJson, judgeDigest, storeKeys } from '../../core/ids';
import { type AttemptRecord, type RunResult, type ScoreRecord } from '../../core/run';
import { scoreOf } from '../../core/score';
import { type SweepPlan } from '../../core/sweep';
import { type ItemOutcome, type Verdict, type VerdictOutcome } from '../../core/verdict';
import { buildPlan, type BuildPlanInput, type BuiltPlan } from '../../workers/build-plan';
import { type PlanIngredients } from '../../workers/plan-ingredients';
import { type ModelCatalog } from '../../workers/plan-models';
import { verdictKeyOf } from '../../workers/read-results';
import { newFolder, taskFiles, type TestFolder } from './task-folder';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const TEST_CATALOG: ModelCatalog = {
  find: (name) =>
    name === 'gpt-5.5'
      ? {
          name,
          provider: 'openai',
          account: 'openai',
          prices: {
            inputPerMillion: 5_000_000,
            cachedInputPerMillion: 500_000,
            cacheWritePerMillion: 5_000_000,
            outputPerMillion: 30_000_000,
          },
        }
      : undefined,
  names: () => ['gpt-5.5'],
};

export function testIngredients(parts: Partial<PlanIngredients> = {}): PlanIngredients {
  return {
    harness: (name) => ({
      id: name,
      name,
      version: '1',
      configuration: {},
      promptDigest: sha256('prompt'),
      ...(name === 'nanobot' && { image: { name, recipe: sha256('recipe') } }),
    }),
    gatewayProtocolDigest: sha256('gateway'),
    rendererRecipe: sha256('renderer'),
    inspectorRecipe: sha256('inspector'),
    judgeProtocolDigest: (limits) => sha256(`judge ${canonicalJson(limits)}`),
    recordingsDigest: async (name) => {
      if (name === 'absent') throw new Error('no recordings "absent"');
      return sha256(name);
    },
    missingRecording: () => Promise.resolve([]),
    ...parts,
  };
}

/** A sweep of two tasks in a store of its own, with ways to put results as activities would. */
export class StoredSweep {
  readonly folder: TestFolder;
  readonly store: FileStore;

  constructor() {
    this.folder = newFolder();
    this.store = new FileStore(`${this.folder.path}/store`);
    this.writeTask('one');
    this.writeTask('two');
    this.writeSweep();
  }

  get file(): string {
    return `${this.folder.path}/sweep.yaml`;
  }

  writeTask(id: string, changes: Readonly<Record<string, string | undefined>> = {}): void {
    const task = `id: ${id}\ntitle: Add\ndomain: ${id === 'one' ? 'finance' : 'legal'}\nlanguage: en\noutputs: [{ path: report.md, format: markdown }]\n`;
    for (const [name, text] of Object.entries(
      taskFiles({ 'task.yaml': task, 'workspace/name.txt': id, ...changes }),
    ))
      this.folder.write(`tasks/${id}/${name}`, text);
  }

  /** `changes` replace or add fields, `undefined` leaves one out. */
  writeSweep(changes: Readonly<Record<string, string | undefined>> = {}): void {
    const fields: Readonly<Record<string, string | undefined>> = {
      sweep: 'sample',
      tasks: '[tasks/*]',
      models: '[{ id: sim, provider: simulated }]',
      harnesses: '[simulated]',
      repetitions: '2',
      judge: '{ model: { id: judge, provider: simulated } }',
      ...changes,
    };
    const lines = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}: ${value}`);
    this.folder.write('sweep.yaml', `${lines.join('\n')}\n`);
  }

  /** Plans and writes the plan. */
  async build(
    input: Omit<BuildPlanInput, 'file'> = {},
    ingredients: PlanIngredients = testIngredients(),
  ): Promise<BuiltPlan> {
    return (await this.plan(input, ingredients)).write();
  }

  plan(
    input: Omit<BuildPlanInput, 'file'> = {},
    ingredients: PlanIngredients = testIngredients(),
  ): Promise<BuiltPlan> {
    return buildPlan(
      { file: this.file, ...input },
      { store: this.store, ingredients, catalog: TEST_CATALOG, now: () => new Date(0) },
    );
  }

  source(plan: SweepPlan) {
    return { store: this.store, plans: createPlanCache(this.store), plan };
  }

  run(plan: SweepPlan, task: string, repetition = 1, lane = 'sim@simulated'): IdentifiedRun {
    const taskIndex = plan.tasks.findIndex((candidate) => candidate.id === task);
    return identifyRun(plan, lane, { taskIndex, repetition });
  }

  async attempt(run: IdentifiedRun, parts: Partial<AttemptRecord> = {}): Promise<void> {
    const record: AttemptRecord = {
      v: 1,
      runKey: run.runKey,
      generation: 1,
      attempt: 1,
      hostId: 'host',
      outcome: 'ended',
      stopReason: 'completed',
      logs: [],
      pollution: [],
      alteredInputs: [],
      recordedAt: '2026-01-01T00:00:00.000Z',
      ...parts,
    };
    const key = (name: string): string =>
      storeKeys.attempt(run.runKey, record.generation, record.attempt, name);
    await this.store.putRecord(key('claim.json'), '{}');
    await this.store.putRecord(key('attempt.json'), canonicalJson(record));
  }

  /** An ended attempt and its result with these deliverables. */
  async deliver(
    run: IdentifiedRun,
    files: Readonly<Record<string, string>> = { 'report.md': 'The total is 42.\n' },
    attempt: Partial<AttemptRecord> = {},
  ): Promise<RunResult> {
    await this.attempt(run, attempt);
    const stored = await Promise.all(
      Object.entries(files).map(async ([path, text]) => ({
        path,
        ...(await this.store.putBlob('open', Buffer.from(text))),
      })),
    );
    const result: RunResult = {
      v: 1,
      runKey: run.runKey,
      runId: run.runId,
      generation: attempt.generation ?? 1,
      attempt: attempt.attempt ?? 1,
      stopReason: attempt.stopReason ?? 'completed',
      deliverables: {
        v: 1,
        files: stored,
        refused: [],
        truncated: false,
        digest: sha256(JSON.stringify(stored)),
      },
      traffic: attempt.traffic,
      modelProvider: run.lane.model.provider,
      recordedAt: '2026-01-01T00:00:00.000Z',
    };
    await this.store.putRecord(
      storeKeys.result(run.runKey, result.generation),
      canonicalJson(result),
    );
    return result;
  }

  /** Verdicts on the items that are decided; returns the outcomes by item. */
  async judge(
    plan: SweepPlan,
    run: IdentifiedRun,
    result: RunResult,
    outcomes: readonly VerdictOutcome[],
    verdict: Partial<Verdict> = {},
  ): Promise<ItemOutcome[]> {
    const { items } = await createPlanCache(this.store).loadRubric(run.task);
    return Promise.all(
      items.map(async (item, index): Promise<ItemOutcome> => {
        const outcome = outcomes[index] ?? 'met';
        const verdictKey = verdictKeyOf(result, item, plan);
        const record: Verdict = {
          v: 1,
          verdictKey,
          itemId: item.id,
          met: outcome === 'met',
          source: item.check === undefined ? 'judge' : 'check',
          justification: 'As the report says.',
          citations: [],
          searched: [],
          decidedAt: '2026-01-01T00:00:00.000Z',
          ...verdict,
        };
        if (outcome !== 'unjudged')
          await this.store.putRecord(storeKeys.verdict(verdictKey), canonicalJson(record));
        return {
          itemId: item.id,
          weight: item.weight,
          ...(item.level === undefined ? {} : { level: item.level }),
          dimension: item.dimension,
          outcome,
          source: record.source,
          verdictKey,
        };
      }),
    );
  }

  /** Delivers, judges and scores a run. */
  async score(
    plan: SweepPlan,
    run: IdentifiedRun,
    outcomes: readonly VerdictOutcome[] = [],
    parts: Partial<ScoreRecord> = {},
  ): Promise<void> {
    const generation = parts.generation ?? 1;
    const result = await this.deliver(run, undefined, { generation });
    const items = await this.judge(plan, run, result, outcomes);
    const { score, success } = scoreOf(items);
    const record: ScoreRecord = {
      v: 1,
      runKey: run.runKey,
      runId: run.runId,
      generation,
      taskId: run.task.id,
      laneId: run.lane.id,
      repetition: run.repetition,
      rubricDigest: run.task.rubric.sha256,
      judgeDigest: judgeDigest(plan.judge, sha256),
      score: score ?? 0,
      success: success ?? false,
      items,
      stopReason: 'completed',
      deliveredPaths: ['report.md'],
      agentCostMicroUsd: 0,
      judgeCostMicroUsd: 0,
      failedAttemptsCostMicroUsd: 0,
      judgeUsage: { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 },
      scoredAt: '2026-01-01T00:00:00.000Z',
      ...parts,
    };
    const key = new RunStates(this.store, plan).scoreKey(run, generation);
    await this.store.putRecord(key, canonicalJson(record));
  }

  remove(): void {
    this.folder.remove();
  }
}
