/**
 * How long and how much memory a report over a full sweep takes: 9 lanes x 97 tasks x 3 repetitions with 25 verdicts
 * each, made through the store's own code, then reported by `startupbench report` in a process of its own.
 *
 * Usage: npx tsx scripts/bench/report.ts [folder]     (default: a temporary folder, removed afterwards)
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { mapConcurrently } from '../../activities/read-json';
import { identifyRun, RunStates } from '../../activities/run-state';
import { openStore } from '../../activities/store/open-store';
import { type ObjectStore } from '../../activities/store/port';
import { canonicalJson, judgeDigest, storeKeys, verdictKey } from '../../core/ids';
import { DEFAULT_LIMITS, DEFAULT_TIMINGS } from '../../core/limits';
import { DIMENSIONS, IMPORTANCE_LEVELS, LEVEL_WEIGHTS, type Rubric } from '../../core/rubric';
import { type ScoreRecord } from '../../core/run';
import { scoreOf } from '../../core/score';
import { seededRandom } from '../../core/statistics/seeded-random';
import { DEFAULT_JUDGE_LIMITS, plannedRuns, type SweepPlan } from '../../core/sweep';
import { DOMAINS, type PlannedTask } from '../../core/task';
import { type ItemOutcome, type Verdict } from '../../core/verdict';

const LANES = 9;
const TASKS = 97;
const REPETITIONS = 3;
const ITEMS = 25;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const rubric: Rubric = {
  items: Array.from({ length: ITEMS }, (_, index) => {
    const level = IMPORTANCE_LEVELS[index % 3] ?? 'core';
    return {
      id: `item-${index}`,
      text: `Item ${index}: the total of the ${index}th table equals the sum of its rows.`,
      weight: LEVEL_WEIGHTS[level],
      level,
      dimension: DIMENSIONS[index % DIMENSIONS.length] ?? 'calculation-precision',
    };
  }),
};

function makePlan(rubricSha256: string, rubricBytes: number): SweepPlan {
  const model = (id: string) => ({
    id,
    provider: 'simulated' as const,
    name: 'simulated',
    parameters: { lane: id },
    account: 'simulated',
  });
  const tasks = Array.from({ length: TASKS }, (_, index): PlannedTask => {
    const id = `task-${String(index).padStart(3, '0')}`;
    return {
      id,
      title: `Task ${index}`,
      domain: DOMAINS[index % DOMAINS.length] ?? 'stem',
      language: 'en',
      outputs: [{ path: 'report.md', format: 'markdown' }],
      grants: { web: [] },
      digest: sha256(id),
      files: [],
      rubric: { path: 'rubric.json', sha256: rubricSha256, bytes: rubricBytes },
      itemCount: ITEMS,
      reference: [],
    };
  });
  return {
    v: 1,
    sweep: 'bench-report',
    cohort: 'bench-report',
    revision: 1,
    createdAt: new Date().toISOString(),
    tasks,
    lanes: Array.from({ length: LANES }, (_, index) => ({
      id: `sim-${index}@simulated`,
      model: model(`sim-${index}`),
      harness: {
        id: 'simulated',
        name: 'simulated' as const,
        version: '1',
        configuration: {},
        promptDigest: sha256('prompt'),
      },
    })),
    repetitions: REPETITIONS,
    limits: DEFAULT_LIMITS,
    judge: {
      model: model('judge'),
      mode: 'per-item',
      votes: 1,
      checks: true,
      limits: DEFAULT_JUDGE_LIMITS,
      protocolDigest: sha256('protocol'),
    },
    window: 8,
    budget: undefined,
    timings: DEFAULT_TIMINGS,
    gatewayProtocolDigest: sha256('gateway'),
    rendererRecipe: sha256('renderer'),
    inspectorRecipe: sha256('inspector'),
    prices: {},
  };
}

async function fill(store: ObjectStore): Promise<number> {
  const blob = await store.putBlob('sealed', Buffer.from(canonicalJson(rubric)));
  const plan = makePlan(blob.sha256, blob.bytes);
  await store.putRecord(storeKeys.plan(plan.sweep, 1), canonicalJson(plan));
  const states = new RunStates(store, plan);
  const runs = plan.lanes.flatMap((lane) =>
    plannedRuns(plan).map((position) => identifyRun(plan, lane.id, position)),
  );
  let records = 1;
  await mapConcurrently(runs, 64, async (run) => {
    const random = seededRandom(Number.parseInt(run.runKey.slice(0, 8), 16));
    const subject = {
      runKey: run.runKey,
      generation: 1,
      deliverablesDigest: sha256(`deliverables of ${run.runId}`),
    };
    const items = await Promise.all(
      rubric.items.map(async (item): Promise<ItemOutcome> => {
        const key = verdictKey(subject, item, plan.judge, 1, sha256);
        const met = random() < 0.7;
        const verdict: Verdict = {
          v: 1,
          verdictKey: key,
          itemId: item.id,
          met,
          source: 'judge',
          justification: `The report says so in its first line. ${'It was compared line by line. '.repeat(8)}`,
          citations: [
            {
              locator: { artifact: 'results/report.md', kind: 'lines', from: 1, to: 1 },
              quote: 'Simulated report',
            },
          ],
          searched: [],
          session: 1,
          turns: 3,
          usage: {
            inputTokens: 9000,
            cachedInputTokens: 7000,
            cacheWriteTokens: 0,
            outputTokens: 300,
          },
          costMicroUsd: 0,
          decidedAt: new Date().toISOString(),
        };
        await store.putRecord(storeKeys.verdict(key), canonicalJson(verdict));
        records += 1;
        return {
          itemId: item.id,
          weight: item.weight,
          ...(item.level === undefined ? {} : { level: item.level }),
          dimension: item.dimension,
          outcome: met ? 'met' : 'unmet',
          source: 'judge',
          verdictKey: key,
        };
      }),
    );
    const { score, success } = scoreOf(items);
    const record: ScoreRecord = {
      v: 1,
      runKey: run.runKey,
      runId: run.runId,
      generation: 1,
      taskId: run.task.id,
      laneId: run.lane.id,
      repetition: run.repetition,
      rubricDigest: blob.sha256,
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
      scoredAt: new Date().toISOString(),
    };
    await store.putRecord(states.scoreKey(run, 1), canonicalJson(record));
    records += 1;
  });
  return records;
}

async function main(): Promise<void> {
  const given = process.argv[2];
  const data = given === undefined ? mkdtempSync(join(tmpdir(), 'bench-report-')) : resolve(given);
  mkdirSync(data, { recursive: true });
  try {
    const store = await openStore(`file:${join(data, 'store')}`, {});
    const started = performance.now();
    const records = await fill(store);
    const fillSeconds = (performance.now() - started) / 1000;
    console.log(
      `wrote ${records} records in ${fillSeconds.toFixed(1)} s (${Math.round(records / fillSeconds)}/s)`,
    );
    const root = resolve(__dirname, '..', '..');
    const reported = performance.now();
    const child = spawnSync(
      process.execPath,
      [
        '--import',
        'tsx',
        '--require',
        join(__dirname, 'print-peak-memory.cjs'),
        join(root, 'cli', 'main.ts'),
        'report',
        'bench-report',
      ],
      {
        cwd: root,
        env: {
          ...process.env,
          STARTUPBENCH_DATA: data,
          STARTUPBENCH_STORE: `file:${join(data, 'store')}`,
        },
        encoding: 'utf8',
        maxBuffer: 64 * 1024 ** 2,
      },
    );
    console.log(child.stdout.split('\n').slice(0, 14).join('\n'));
    console.log(child.stderr.trim());
    if (child.status !== 0) throw new Error(`report ended with ${String(child.status)}`);
    console.log(
      `report over ${LANES * TASKS * REPETITIONS} runs: ${((performance.now() - reported) / 1000).toFixed(1)} s`,
    );
  } finally {
    if (given === undefined) rmSync(data, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
