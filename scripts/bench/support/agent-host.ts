import { MockActivityEnvironment } from '@temporalio/testing';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { createAgentActivities } from '../../../activities/agent-activities';
import { processFiles } from '../../../activities/gateway/attempt-files';
import { controlRequest } from '../../../activities/gateway/control-request';
import { createGatewayControl } from '../../../activities/gateway/gateway-control';
import { harnessIdentity } from '../../../activities/harness/registry';
import { createPlanCache } from '../../../activities/plan-cache';
import { DockerSandbox } from '../../../activities/sandbox/docker-sandbox';
import { HostSlots } from '../../../activities/sandbox/host-slots';
import { type ImageName, imageRecipe } from '../../../activities/sandbox/image-recipe';
import { FileStore } from '../../../activities/store/file-store';
import { type AgentActivities, type RunReference } from '../../../core/activity-contract';
import { canonicalJson, runKey, storeKeys } from '../../../core/ids';
import { DEFAULT_LIMITS, DEFAULT_TIMINGS } from '../../../core/limits';
import {
  DEFAULT_JUDGE_LIMITS,
  type HarnessName,
  type ModelIdentity,
  type SweepPlan,
} from '../../../core/sweep';

/** A file of recorded turns, as the replay provider plays it. */
export interface BenchRecording {
  readonly turns: readonly object[];
}

/** An agent host with a gateway process and a store of its own, in a folder that is gone when it is closed. */
export interface BenchHost {
  readonly activities: AgentActivities;
  /** Runs that nobody has made yet, of one task under one harness. */
  plan(harness: HarnessName, runs: number): Promise<RunReference[]>;
  close(): Promise<void>;
}

export interface BenchHostOptions {
  readonly recording: BenchRecording;
  /** Starts the provider, given the folder of recordings. */
  readonly provider: (
    recordingsDir: string,
  ) => Promise<{ readonly url: string; close(): Promise<void> }>;
  readonly slots: number;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Everything is as in a stack, but for Temporal: activities are called one by one. */
export async function openBenchHost(options: BenchHostOptions): Promise<BenchHost> {
  const folder = await mkdtemp(join(tmpdir(), 'startupbench-bench-'));
  const recordings = join(folder, 'recordings');
  await mkdir(join(recordings, 'bench', 'bench'), { recursive: true });
  await writeFile(
    join(recordings, 'bench', 'bench', 'all.yaml'),
    JSON.stringify(options.recording),
  );
  const provider = await options.provider(recordings);
  const dataDir = join(folder, 'data');
  const sandboxesDir = join(dataDir, 'sandboxes');
  await mkdir(sandboxesDir, { recursive: true });
  const providerFile = JSON.stringify({ url: provider.url, pid: process.pid });
  await writeFile(join(dataDir, 'provider.json'), providerFile);
  const store = new FileStore(join(folder, 'store'));
  const gateway = createGatewayControl({ dataDir });
  await gateway.ensureRunning();
  const activities = createAgentActivities({
    host: { stack: `bench-${randomBytes(3).toString('hex')}`, hostId: 'bench', sandboxesDir },
    store,
    plans: createPlanCache(store),
    sandbox: new DockerSandbox({ docker: new Docker() }),
    gateway,
    slots: await HostSlots.load(sandboxesDir, options.slots),
  });
  return {
    activities,
    plan: (harness, runs) => storePlan(store, harness, runs),
    close: async () => {
      const { pid } = (await controlRequest(
        processFiles(dataDir).controlSocket,
        ...(['GET', '/status', undefined, 5_000] as const),
      )) as { pid: number };
      process.kill(pid);
      await provider.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Calls an activity as a worker would. */
export function call<Input, Result>(
  activity: (input: Input) => Promise<Result>,
  input: Input,
): Promise<Result> {
  const environment = new MockActivityEnvironment({ scheduledTimestampMs: Date.now() });
  return environment.run<[Input], Result, (input: Input) => Promise<Result>>(activity, input);
}

export function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

/** One task, one lane, as many repetitions as there are runs. */
async function storePlan(
  store: FileStore,
  harness: HarnessName,
  runs: number,
): Promise<RunReference[]> {
  const request = await store.putBlob('open', Buffer.from('Do the work.'));
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
    id: `bench@${harness}`,
    model,
    harness: harnessIdentity(harness, (name) => imageRecipe(name as ImageName)),
  };
  const name = `bench-${harness}`;
  const plan: SweepPlan = {
    ...{ v: 1, sweep: name, cohort: name, revision: 1, createdAt: new Date().toISOString() },
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
    runId: `${lane.id}/bench/r${index + 1}`,
    runKey: runKey(plan, lane, task, index + 1, sha256),
  }));
}
