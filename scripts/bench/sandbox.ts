import { MockActivityEnvironment } from '@temporalio/testing';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Docker from 'dockerode';
import { createAgentActivities } from '../../activities/agent-activities';
import { createGatewayControl } from '../../activities/gateway/gateway-control';
import { harnessIdentity } from '../../activities/harness/registry';
import { startProvider } from '../../activities/models/provider-server';
import { createPlanCache } from '../../activities/plan-cache';
import { DockerSandbox } from '../../activities/sandbox/docker-sandbox';
import { HostSlots } from '../../activities/sandbox/host-slots';
import { type ImageName, imageRecipe } from '../../activities/sandbox/image-recipe';
import { FileStore } from '../../activities/store/file-store';
import { type AgentActivities, type RunReference } from '../../core/activity-contract';
import { canonicalJson, runKey, storeKeys } from '../../core/ids';
import { DEFAULT_LIMITS, DEFAULT_TIMINGS } from '../../core/limits';
import { DEFAULT_JUDGE_LIMITS, type ModelIdentity, type SweepPlan } from '../../core/sweep';

/**
 * What a run costs in a real sandbox when the model answers at once: the harness `minimal` makes shell commands from a
 * recording, through the real gateway; prepare, execute and store are timed, cleaning up is not.
 */
const USAGE = `usage: tsx scripts/bench/sandbox.ts [options]
  --runs N       runs of each round (default 12)
  --commands N   shell commands a run (default 20)
  --parallel N   width of the second round (default 4)
`;

const STAGES = ['prepareWorkspace', 'executeAgent', 'storeDeliverables'] as const;
type Seconds = Record<(typeof STAGES)[number], number>;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '12' },
      commands: { type: 'string', default: '20' },
      parallel: { type: 'string', default: '4' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const [runs, parallel] = [Number(values.runs), Number(values.parallel)];
  const folder = await mkdtemp(join(tmpdir(), 'startupbench-bench-'));
  const bench = await openBench(folder, Number(values.commands), runs * 2 + 1);
  try {
    await bench.run(0);
    for (const width of [1, parallel]) await round(bench.run, runs, width);
  } finally {
    await bench.close();
    await rm(folder, { recursive: true, force: true });
  }
}

let next = 1;

async function round(run: (n: number) => Promise<Seconds>, runs: number, width: number) {
  const measured: Seconds[] = [];
  const started = Date.now();
  let left = runs;
  const lane = async () => {
    while (left-- > 0) measured.push(await run(next++));
  };
  await Promise.all(Array.from({ length: width }, lane));
  const wall = (Date.now() - started) / 1_000;
  const total = measured.map((stages) => STAGES.reduce((sum, stage) => sum + stages[stage], 0));
  const stages = STAGES.map(
    (stage) => `${stage} ${median(measured.map((seconds) => seconds[stage])).toFixed(2)}`,
  );
  process.stdout.write(
    `${width} in parallel: median ${median(total).toFixed(2)} s a run (${stages.join(', ')}), ${((wall * width) / runs).toFixed(2)} slot-seconds a run\n`,
  );
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

async function openBench(folder: string, commands: number, runs: number) {
  const recordings = join(folder, 'recordings');
  const turn = { tools: [{ name: 'exec', arguments: { command: 'date >> results/log.txt' } }] };
  await mkdir(join(recordings, 'bench', 'bench'), { recursive: true });
  await writeFile(
    join(recordings, 'bench', 'bench', 'all.yaml'),
    JSON.stringify({ turns: [...Array.from({ length: commands }, () => turn), { text: 'done' }] }),
  );
  const provider = await startProvider({ port: 0, recordingsDir: recordings });
  const dataDir = join(folder, 'data');
  const sandboxesDir = join(dataDir, 'sandboxes');
  await mkdir(sandboxesDir, { recursive: true });
  await writeFile(
    join(dataDir, 'provider.json'),
    JSON.stringify({ url: provider.url, pid: process.pid }),
  );
  const store = new FileStore(join(folder, 'store'));
  const references = await storePlan(store, runs);
  const gateway = createGatewayControl({ dataDir });
  await gateway.ensureRunning();
  const activities = createAgentActivities({
    host: { stack: `bench-${randomBytes(3).toString('hex')}`, hostId: 'bench', sandboxesDir },
    store,
    plans: createPlanCache(store),
    sandbox: new DockerSandbox({ docker: new Docker() }),
    gateway,
    slots: await HostSlots.load(sandboxesDir, runs),
  });
  return {
    run: (n: number) => timedRun(activities, references[n] as RunReference),
    close: () => provider.close(),
  };
}

async function timedRun(activities: AgentActivities, run: RunReference): Promise<Seconds> {
  const call = <Input, Result>(activity: (input: Input) => Promise<Result>, input: Input) =>
    new MockActivityEnvironment({ scheduledTimestampMs: Date.now() }).run<
      [Input],
      Result,
      (input: Input) => Promise<Result>
    >(activity, input);
  const seconds = { prepareWorkspace: 0, executeAgent: 0, storeDeliverables: 0 };
  const timed = async <T>(stage: keyof Seconds, work: Promise<T>): Promise<T> => {
    const started = performance.now();
    const result = await work;
    seconds[stage] = (performance.now() - started) / 1_000;
    return result;
  };
  const reference = await call(activities.reserveHost, { run });
  await timed('prepareWorkspace', call(activities.prepareWorkspace, reference));
  const end = await timed('executeAgent', call(activities.executeAgent, reference));
  if (end.stopReason !== 'completed') throw new Error(`a run ended with ${JSON.stringify(end)}`);
  await timed('storeDeliverables', call(activities.storeDeliverables, { ...reference, end }));
  await call(activities.cleanUpAttempt, reference);
  return seconds;
}

/** One task, one lane, as many repetitions as there are runs. */
async function storePlan(store: FileStore, runs: number): Promise<RunReference[]> {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const request = await store.putBlob('open', Buffer.from('Run commands.'));
  const rubric = await store.putBlob('sealed', Buffer.from('[]'));
  const task = {
    ...{ id: 'bench', title: 'Bench', domain: 'business' as const, language: 'en', outputs: [] },
    ...{ grants: { web: [] }, digest: sha256('bench'), itemCount: 0, reference: [] },
    files: [{ path: 'query/task.md', ...request }],
    rubric: { path: 'rubric.json', ...rubric },
  };
  const model: ModelIdentity = {
    ...{ id: 'bench', provider: 'replay', name: 'bench', parameters: {}, account: 'replay' },
    recordings: { name: 'bench', digest: sha256('bench') },
  };
  const lane = {
    id: 'bench@minimal',
    model,
    harness: harnessIdentity('minimal', (name) => imageRecipe(name as ImageName)),
  };
  const plan: SweepPlan = {
    ...{ v: 1, sweep: 'bench', cohort: 'bench', revision: 1, createdAt: new Date().toISOString() },
    ...{ tasks: [task], lanes: [lane], repetitions: runs, limits: DEFAULT_LIMITS, window: 1 },
    ...{ budget: undefined, timings: DEFAULT_TIMINGS, prices: {} },
    ...{ gatewayProtocolDigest: 'bench', rendererRecipe: 'bench', inspectorRecipe: 'bench' },
    judge: {
      ...{ model, mode: 'per-item', votes: 1, checks: true, protocolDigest: 'bench' },
      limits: DEFAULT_JUDGE_LIMITS,
    },
  };
  const planKey = storeKeys.plan(plan.sweep, 1);
  await store.putRecord(planKey, canonicalJson(plan));
  return Array.from({ length: runs }, (_, index) => ({
    ...{ planKey, laneId: lane.id, taskIndex: 0, repetition: index + 1, generation: 1 },
    runId: `bench@minimal/bench/r${index + 1}`,
    runKey: runKey(plan, lane, task, index + 1, sha256),
  }));
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
