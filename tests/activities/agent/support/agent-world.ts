import { type Info } from '@temporalio/activity';
import { type ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import Docker from 'dockerode';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgentActivities } from '../../../../activities/agent-activities';
import { type WatchTimings } from '../../../../activities/agent/execution-watch';
import { type GatewayControl } from '../../../../activities/gateway/port';
import { harnessIdentity } from '../../../../activities/harness/registry';
import { createPlanCache } from '../../../../activities/plan-cache';
import {
  type AttemptDiskOptions,
  removeAttemptFolder,
} from '../../../../activities/sandbox/attempt-disk';
import { attemptPaths } from '../../../../activities/sandbox/attempt-paths';
import { ownLabels } from '../../../../activities/sandbox/container-options';
import { DockerSandbox, removeContainer } from '../../../../activities/sandbox/docker-sandbox';
import { HostSlots } from '../../../../activities/sandbox/host-slots';
import { type ImageName, imageRecipe } from '../../../../activities/sandbox/image-recipe';
import { attemptIdOf } from '../../../../activities/sandbox/port';
import { FileStore } from '../../../../activities/store/file-store';
import {
  type AgentActivities,
  type AttemptReference,
  type RunReference,
} from '../../../../core/activity-contract';
import { canonicalJson, runKey, storeKeys } from '../../../../core/ids';
import { type AttemptLimits, DEFAULT_TIMINGS, type Timings } from '../../../../core/limits';
import { type ModelPrices } from '../../../../core/money';
import {
  DEFAULT_JUDGE_LIMITS,
  type HarnessName,
  type ModelIdentity,
  type SweepPlan,
} from '../../../../core/sweep';
import { type FileReference, type PlannedTask } from '../../../../core/task';
import { SMALL_LIMITS } from '../../sandbox/support/sandbox-fixture';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export interface WorldOptions {
  readonly harness: HarnessName;
  /** Default: a simulated one. */
  readonly model?: ModelIdentity;
  readonly files?: Readonly<Record<string, string>>;
  /** Hosts that the task grants. */
  readonly web?: readonly string[];
  readonly reference?: Readonly<Record<string, string>>;
  readonly limits?: Partial<AttemptLimits>;
  readonly timings?: Partial<Timings>;
  /** @default 'task' */
  readonly taskId?: string;
  readonly prices?: ModelPrices;
}

/** A store with one planned run in it, and hosts whose agent activities work on it. */
export class AgentWorld {
  readonly docker = new Docker();
  readonly stack = `test-${randomBytes(4).toString('hex')}`;
  private readonly hostIds: string[] = [];
  private readonly gateways = new Set<{ dispose?(): Promise<void> }>();

  private constructor(
    readonly folder: string,
    readonly store: FileStore,
    readonly run: RunReference,
  ) {}

  static async make(options: WorldOptions): Promise<AgentWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'startupbench-agent-'));
    const store = new FileStore(join(folder, 'store'));
    const task = await plannedTask(store, options);
    const plan = planOf(task, options);
    const planKey = storeKeys.plan(plan.sweep, 1);
    await store.putRecord(planKey, canonicalJson(plan));
    const lane = plan.lanes[0]!;
    return new AgentWorld(folder, store, {
      planKey,
      laneId: lane.id,
      taskIndex: 0,
      repetition: 1,
      runId: `${lane.id}/task/r1`,
      runKey: runKey(plan, lane, task, 1, sha256),
      generation: 1,
    });
  }

  /** Agent activities of a host; calling it again for the same host is a restarted worker. */
  async host(
    gateway: GatewayControl & { dispose?(): Promise<void> },
    options: {
      readonly hostId?: string;
      readonly capacity?: number;
      readonly watch?: WatchTimings;
      readonly disk?: AttemptDiskOptions;
      readonly now?: () => Date;
    } = {},
  ): Promise<AgentHostUnderTest> {
    const hostId = options.hostId ?? 'host-1';
    if (!this.hostIds.includes(hostId)) this.hostIds.push(hostId);
    this.gateways.add(gateway);
    const sandboxesDir = join(this.folder, hostId, 'sandboxes');
    await mkdir(sandboxesDir, { recursive: true });
    const slots = await HostSlots.load(sandboxesDir, options.capacity ?? 2);
    const activities = createAgentActivities({
      host: { stack: this.stack, hostId, sandboxesDir },
      store: this.store,
      plans: createPlanCache(this.store),
      sandbox: new DockerSandbox({ docker: this.docker }),
      gateway,
      slots,
      watermark: { minFreeBytes: 0 },
      watch: { tickMs: 50, ...options.watch },
      ...(options.disk !== undefined && { disk: options.disk }),
      ...(options.now !== undefined && { now: options.now }),
      heartbeatIntervalMs: 100,
    });
    return { activities, slots, sandboxesDir };
  }

  attemptDir(reference: AttemptReference): string {
    const labels = { stack: this.stack, ...reference.run, attempt: reference.attempt };
    return join(this.folder, reference.hostId, 'sandboxes', attemptIdOf(labels));
  }

  async record<T>(key: string): Promise<T | undefined> {
    const bytes = await this.store.getRecord(key);
    return bytes && (JSON.parse(Buffer.from(bytes).toString()) as T);
  }

  async containers(): Promise<string[]> {
    const found = await Promise.all(
      this.hostIds.map((hostId) =>
        this.docker.listContainers({
          all: true,
          filters: { label: ownLabels(this.stack, hostId) },
        }),
      ),
    );
    return found.flat().map(({ Names }) => Names[0]!.slice(1));
  }

  async dispose(): Promise<void> {
    for (const gateway of this.gateways) await gateway.dispose?.();
    for (const name of await this.containers()) await removeContainer(this.docker, name);
    for (const hostId of this.hostIds) {
      const sandboxesDir = join(this.folder, hostId, 'sandboxes');
      for (const id of await readdir(sandboxesDir))
        await removeAttemptFolder(attemptPaths(join(sandboxesDir, id)));
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

export interface AgentHostUnderTest {
  readonly activities: AgentActivities;
  readonly slots: HostSlots;
  readonly sandboxesDir: string;
}

/** One activity call in an environment of its own, which can be told to stop. */
export function activityCall<Input, Result>(
  activity: (input: Input) => Promise<Result>,
  input: Input,
  info: Partial<Info> = {},
) {
  const environment = new MockActivityEnvironment({ scheduledTimestampMs: Date.now(), ...info });
  const heartbeats: unknown[] = [];
  environment.on('heartbeat', (details: unknown) => heartbeats.push(details));
  const result = environment.run<[Input], Result, (input: Input) => Promise<Result>>(
    activity,
    input,
  );
  const stop = (details: ActivityCancellationDetails, reason: 'CANCELLED' | 'WORKER_SHUTDOWN') =>
    environment.cancel(reason, details);
  return { result, stop, heartbeats };
}

/** A task of one request without a rubric, its files in the store. */
export async function plannedTask(store: FileStore, options: WorldOptions): Promise<PlannedTask> {
  const blobs = async (scope: 'open' | 'sealed', files: Readonly<Record<string, string>>) => {
    const references: FileReference[] = [];
    for (const [path, text] of Object.entries(files))
      references.push({ path, ...(await store.putBlob(scope, Buffer.from(text))) });
    return references;
  };
  const files = await blobs('open', { 'query/task.md': 'Write hello.', ...options.files });
  return {
    id: options.taskId ?? 'task',
    title: 'A task',
    domain: 'business',
    language: 'en',
    outputs: [],
    grants: { web: options.web ?? [] },
    digest: sha256(canonicalJson(files)),
    files,
    rubric: { path: 'rubric.json', ...(await store.putBlob('sealed', Buffer.from('[]'))) },
    itemCount: 0,
    // In the open too, as in every plan with an oracle lane.
    reference: await blobs('open', options.reference ?? {}),
  };
}

/** A plan of that one run. */
export function planOf(task: PlannedTask, options: WorldOptions): SweepPlan {
  const model: ModelIdentity = options.model ?? {
    id: 'model',
    provider: 'simulated',
    name: 'model',
    parameters: {},
    account: 'simulated',
  };
  return {
    v: 1,
    sweep: 'test',
    cohort: 'test',
    revision: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    tasks: [task],
    lanes: [
      {
        id: `${model.id}@${options.harness}`,
        model,
        harness: harnessIdentity(options.harness, (name) => imageRecipe(name as ImageName)),
      },
    ],
    repetitions: 1,
    limits: { ...SMALL_LIMITS, ...options.limits },
    judge: {
      model,
      mode: 'per-item',
      votes: 1,
      checks: true,
      limits: DEFAULT_JUDGE_LIMITS,
      protocolDigest: 'p',
    },
    window: 1,
    budget: undefined,
    timings: { ...DEFAULT_TIMINGS, ...options.timings },
    gatewayProtocolDigest: 'g',
    rendererRecipe: 'r',
    inspectorRecipe: 'i',
    prices: options.prices === undefined ? {} : { [model.id]: options.prices },
  };
}

/** Calls an activity and waits for it. */
export const step = <Input, Result>(
  activity: (input: Input) => Promise<Result>,
  input: Input,
): Promise<Result> => activityCall(activity, input).result;

export async function reserveAndPrepare(
  { activities }: AgentHostUnderTest,
  world: AgentWorld,
): Promise<AttemptReference> {
  const reference = await step(activities.reserveHost, { run: world.run });
  await step(activities.prepareWorkspace, reference);
  return reference;
}

/** Execute, store, clean up. */
export async function finish({ activities }: AgentHostUnderTest, reference: AttemptReference) {
  const end = await step(activities.executeAgent, reference);
  const stored = await step(activities.storeDeliverables, { ...reference, end });
  await step(activities.cleanUpAttempt, reference);
  return { end, stored };
}

export const resultKey = (world: AgentWorld) => storeKeys.result(world.run.runKey, 1);
export const attemptKey = (world: AgentWorld, attempt: number) =>
  storeKeys.attempt(world.run.runKey, 1, attempt, 'attempt.json');

/** Makes worlds that are gone after the test file. */
export function disposedWorlds(): (options: WorldOptions) => Promise<AgentWorld> {
  const worlds: AgentWorld[] = [];
  afterAll(() => Promise.all(worlds.map((world) => world.dispose())));
  return async (options) => {
    const world = await AgentWorld.make(options);
    worlds.push(world);
    return world;
  };
}
