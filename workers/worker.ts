import { type Client } from '@temporalio/client';
import {
  type NativeConnection,
  Worker,
  type WorkerOptions,
  type WorkerTuner,
} from '@temporalio/worker';
import { createSweepActivities } from '../activities/sweep-activities';
import { type Settings } from '../config/environment';
import { type AgentActivities } from '../core/activity-contract';
import { attemptRecorder, openAgentHost, type AgentHost } from './agent-host';
import { lockDataFolder, type DataLock } from './data-lock';
import { createCohortGate, startReleasing } from './cohort-gate';
import { judgeActivities, renderActivities } from './judging-wiring';
import { requireDocker, type Services } from './services';
import { slotsWhileFree, type FreePlaces } from './slot-supplier';
import { loadWorkflowBundle, type WorkflowBundle } from './workflow-bundle';

export const ROLES = ['workflow', 'agent', 'render', 'judge'] as const;
export type Role = (typeof ROLES)[number];

export interface WorkerCapacity {
  /** Sandboxes at once on this host. */
  readonly sandboxes: number;
  /** Judge sessions at once. */
  readonly judges: number;
  /** Files rendered at once, each in a container of its own. */
  readonly renders: number;
}

export interface CreateWorkerOptions {
  readonly roles: readonly Role[];
  readonly services: Services;
  readonly connection: NativeConnection;
  /** For the reaper and the cohorts' gate, which ask whether a workflow is closed. */
  readonly client: Client;
  readonly capacity: WorkerCapacity;
  /**
   * Serve workflow, render and judge from one queue, where this process has all three: Temporal hands the next activity
   * over with the answer to the last one. All workflow workers of a stack must then have all three. @default true
   */
  readonly sharedQueue?: boolean;
}

/** Several Temporal workers, one a queue, that begin and end together. */
export interface RoleWorker {
  readonly queues: readonly string[];
  /** Resolves after a graceful shutdown; rejects when a worker broke down (the others are shut down then). */
  run(): Promise<void>;
  /** Takes no new tasks and tells running activities to detach: sandboxes run on. */
  shutdown(): void;
}

/** Simulated and other runs without a container take no sandbox slot; this many at once. */
const LIGHT_RUNS = 100;
const WORKFLOW_TASKS = 40;
/** Reads of the store for sweeps, lanes and runs: short, so a few at once do. */
const SWEEP_ACTIVITIES = 16;
const CACHED_WORKFLOWS = 300;
/** Time in which activities that are told to detach let go. */
const SHUTDOWN_GRACE_MS = 1_000;
const SHUTDOWN_FORCE_MS = 10_000;

/** Builds the adapters of each role and a Temporal worker for each queue. Takes the data folder's lock for agents. */
export async function createWorker(options: CreateWorkerOptions): Promise<RoleWorker> {
  const { roles, services, capacity } = options;
  const { settings, docker } = services;
  const has = (role: Role) => roles.includes(role);
  if (has('agent') || has('render') || has('judge')) await requireDocker(docker, settings);
  const lock = has('agent') ? await lockDataFolder(settings.dataDir, 'worker') : undefined;
  const host = has('agent')
    ? await openAgentHost(services, options.client, capacity.sandboxes)
    : undefined;
  const workflowBundle = has('workflow') ? await loadWorkflowBundle(settings.dataDir) : undefined;
  const queues = planQueues(options, host, workflowBundle);
  const workers: Worker[] = [];
  for (const { queue, ...worker } of queues)
    workers.push(
      await Worker.create({
        connection: options.connection,
        namespace: options.client.options.namespace,
        identity: `${settings.hostId}/${process.pid}`,
        taskQueue: `${settings.stackId}/${queue}`,
        maxHeartbeatThrottleInterval: '2s',
        defaultHeartbeatThrottleInterval: '2s',
        shutdownGraceTime: SHUTDOWN_GRACE_MS,
        shutdownForceTime: SHUTDOWN_FORCE_MS,
        ...worker,
      }),
    );
  const startHelpers = () => [
    ...(host === undefined ? [] : [host.startReaper()]),
    ...(has('workflow') ? [startReleasing(cohortOptions(options), services.logger)] : []),
  ];
  return together(workers, startHelpers, lock);
}

function cohortOptions({ services, client }: CreateWorkerOptions) {
  return { client, store: services.store, stack: services.settings.stackId };
}

type QueuePlan = { readonly queue: string } & Partial<WorkerOptions>;

function planQueues(
  options: CreateWorkerOptions,
  host: AgentHost | undefined,
  workflowBundle: WorkflowBundle | undefined,
): QueuePlan[] {
  const { roles, services, capacity, sharedQueue = true } = options;
  const { settings } = services;
  const has = (role: Role) => roles.includes(role);
  const shared = sharedQueue && has('workflow') && has('render') && has('judge');
  const render = has('render') ? renderActivities(services, capacity.renders) : {};
  const judge = has('judge') ? judgeActivities(services, options.client) : {};
  const queues: QueuePlan[] = [];
  if (workflowBundle !== undefined)
    queues.push({
      queue: 'workflows',
      workflowBundle,
      activities: {
        ...createSweepActivities({
          store: services.store,
          plans: services.plans,
          queues: shared ? 'shared' : 'split',
          enterCohort: createCohortGate(cohortOptions(options)),
        }),
        ...recordsOnly(services, host),
        ...(shared && { ...render, ...judge }),
      },
      maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS,
      maxCachedWorkflows: CACHED_WORKFLOWS,
      maxConcurrentActivityTaskExecutions:
        SWEEP_ACTIVITIES + (shared ? capacity.judges + capacity.renders : 0),
      // All judges of a run come back with the answer to one workflow task.
      ...(shared && { maxEagerActivityReservationsPerWorkflowTask: capacity.judges }),
    });
  if (has('render'))
    queues.push({
      queue: 'render',
      activities: render,
      maxConcurrentActivityTaskExecutions: capacity.renders,
    });
  if (has('judge'))
    queues.push({
      queue: 'judge',
      activities: judge,
      maxConcurrentActivityTaskExecutions: capacity.judges,
    });
  if (host !== undefined) queues.push(...agentQueues(settings, host, capacity));
  return queues;
}

function agentQueues(settings: Settings, host: AgentHost, capacity: WorkerCapacity): QueuePlan[] {
  const { activities, slots } = host;
  const { reserveHost, executeAgent, ...onHost } = activities;
  return [
    { queue: 'agent', activities: { reserveHost }, tuner: agentTuner(slots) },
    {
      queue: `host@${settings.hostId}`,
      // Here too: a full host is asked for what it runs already.
      activities: { ...onHost, reserveHost, executeAgent },
      maxConcurrentActivityTaskExecutions: LIGHT_RUNS,
    },
    {
      queue: `sandbox@${settings.hostId}`,
      activities: { executeAgent },
      maxConcurrentActivityTaskExecutions: capacity.sandboxes,
    },
  ];
}

/** Asks for a run only while a sandbox is free; the other kinds of slots are never used on this queue. */
function agentTuner(slots: FreePlaces): WorkerTuner {
  const unused = { type: 'fixed-size', numSlots: 1 } as const;
  return {
    activityTaskSlotSupplier: slotsWhileFree(slots),
    workflowTaskSlotSupplier: unused,
    localActivityTaskSlotSupplier: unused,
    nexusTaskSlotSupplier: unused,
  };
}

/** The end of an attempt whose host is gone is written by the workflow role. */
function recordsOnly(
  services: Services,
  host: AgentHost | undefined,
): Pick<AgentActivities, 'recordLostAttempt'> {
  const { recordLostAttempt } = host?.activities ?? attemptRecorder(services);
  return { recordLostAttempt };
}

function together(
  workers: readonly Worker[],
  startHelpers: () => readonly (() => void)[],
  lock: DataLock | undefined,
): RoleWorker {
  const shutdown = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  return {
    queues: workers.map((worker) => worker.options.taskQueue),
    shutdown,
    run: async () => {
      const stopHelpers = startHelpers();
      try {
        await Promise.all(
          workers.map((worker) =>
            worker.run().catch((error: unknown) => {
              shutdown();
              throw error;
            }),
          ),
        );
      } finally {
        for (const stop of stopHelpers) stop();
        lock?.release();
      }
    },
  };
}
