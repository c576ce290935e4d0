import { Context } from '@temporalio/activity';
import {
  type AgentActivities,
  type AttemptReference,
  type RecordLostAttemptInput,
} from '../core/activity-contract';
import { attemptResolver, type AttemptContext, type HostIdentity } from './agent/attempt-context';
import { AttemptRecords } from './agent/attempt-records';
import { executeAgent } from './agent/execute-agent';
import { type WatchTimings } from './agent/execution-watch';
import { type LaneLink } from './agent/lane-link';
import { recordLostAttempt } from './agent/lost-attempt';
import { prepareWorkspace } from './agent/prepare-workspace';
import { reserveHost } from './agent/reserve-host';
import { storeDeliverables } from './agent/store-deliverables';
import { withHeartbeat, type Heartbeat } from './failure-mapping';
import { type GatewayControl } from './gateway/port';
import { type PlanCache } from './plan-cache';
import { removeAttemptFolder, type AttemptDiskOptions } from './sandbox/attempt-disk';
import { AttemptUse } from './sandbox/attempt-use';
import { waitForDiskSpace, type WatermarkOptions } from './sandbox/disk-usage';
import { type HostSlots } from './sandbox/host-slots';
import { type Sandbox } from './sandbox/port';
import { KeyedMutex } from './sandbox/semaphore';
import { type ObjectStore } from './store/port';

/** What the agent role of a worker is made of. */
export interface AgentActivitiesDeps {
  readonly host: HostIdentity;
  readonly store: ObjectStore;
  readonly plans: PlanCache;
  readonly sandbox: Sandbox;
  readonly gateway: GatewayControl;
  readonly slots: HostSlots;
  /** Shared with who removes attempts; default one of its own. */
  readonly use?: AttemptUse;
  readonly disk?: AttemptDiskOptions;
  readonly watermark?: WatermarkOptions;
  readonly watch?: WatchTimings;
  /** The way to the lanes of the runs that are executed here. */
  readonly lane?: LaneLink;
  /** Between heartbeats of all activities; default 2,000. */
  readonly heartbeatIntervalMs?: number;
  readonly now?: () => Date;
}

/** Activities of an agent host, for the queues `agent`, `sandbox@<hostId>` and `host@<hostId>`. */
export function createAgentActivities(given: AgentActivitiesDeps): AgentActivities {
  const deps = {
    ...given,
    now: given.now ?? (() => new Date()),
    use: given.use ?? new AttemptUse(),
  };
  const { host, store, sandbox, gateway, slots, use, heartbeatIntervalMs } = deps;
  const resolve = attemptResolver(deps.plans, host);
  const nowMs = () => deps.now().getTime();
  // A worker that was frozen wakes up with the try that Temporal gave up beside the one that took its place. What works
  // in an attempt's folder does so one after the other, and finds what is done; a sandbox is watched by many.
  const folders = new KeyedMutex();

  const beating = <T>(work: (heartbeat: Heartbeat) => Promise<T>) =>
    withHeartbeat(work, heartbeatIntervalMs, nowMs);

  type Work<T> = (context: AttemptContext, heartbeat: Heartbeat) => Promise<T>;
  const holding = <T>(input: AttemptReference, work: Work<T>) =>
    beating(async (heartbeat) => {
      const context = await resolve(input);
      return use.hold(context.attemptId, () => work(context, heartbeat));
    });

  const inFolder = <T>(input: AttemptReference, work: Work<T>) =>
    holding(input, (context, heartbeat) =>
      folders.run(context.attemptId, () => work(context, heartbeat)),
    );

  const lost = (input: RecordLostAttemptInput, context?: AttemptContext) =>
    recordLostAttempt(input, deps, context && { context, sandbox, gateway });

  return {
    reserveHost: (input) =>
      beating(({ signal, assertAwake }) => {
        const waitForSpace = (stop: AbortSignal) =>
          waitForDiskSpace(host.sandboxesDir, stop, deps.watermark);
        const waitedMs = nowMs() - Context.current().info.scheduledTimestampMs;
        const reserveDeps = {
          ...host,
          store,
          slots,
          use,
          resolve,
          waitForDiskSpace: waitForSpace,
          assertAwake,
          now: deps.now,
        };
        return reserveHost(input, reserveDeps, signal, waitedMs);
      }),

    prepareWorkspace: (input) =>
      inFolder(input, async (context) => {
        // One that has its record needs no folder any more, and nobody would give its slot back.
        if (await isRecorded(input)) return;
        if (context.harness.needsSandbox) slots.take(context.attemptId);
        await prepareWorkspace(context, deps);
      }),

    executeAgent: (input) =>
      holding(input, (context, heartbeat) => {
        const execute = () => executeAgent(context, deps, heartbeat);
        // What runs in this process writes the deliverables itself.
        return context.harness.needsSandbox ? execute() : folders.run(context.attemptId, execute);
      }),

    storeDeliverables: (input) => inFolder(input, (context) => storeDeliverables(context, deps)),

    cleanUpAttempt: (input) => inFolder(input, (context) => cleanUp(input, context)),

    recordLostAttempt: (input) =>
      input.hostId === host.hostId
        ? inFolder(input, (context) => lost(input, context))
        : beating(() => lost(input)),
  };

  async function isRecorded({ run, attempt }: AttemptReference): Promise<boolean> {
    return (await new AttemptRecords(store, run).attempt(attempt)) !== undefined;
  }

  /** The record first, whatever the workflow did before: a removed folder takes transcript and cost with it. */
  async function cleanUp(input: AttemptReference, context: AttemptContext): Promise<void> {
    if (!(await isRecorded(input)))
      await lost(
        {
          ...input,
          outcome: 'lost',
          failure: { type: 'SandboxLost', message: 'cleaned up before it had a record' },
        },
        context,
      );
    const { attemptId, paths } = context;
    if (context.harness.needsSandbox)
      await sandbox.remove({ attemptId, attemptDir: paths.attemptDir });
    else await removeAttemptFolder(paths);
    slots.release(attemptId);
  }
}

/** `recordLostAttempt` where the attempt's host is not: for the workflow role, which has the store only. */
export function createLostAttemptActivity(deps: {
  readonly store: ObjectStore;
  readonly now?: () => Date;
}): Pick<AgentActivities, 'recordLostAttempt'> {
  const now = deps.now ?? (() => new Date());
  return {
    recordLostAttempt: (input) =>
      withHeartbeat(() => recordLostAttempt(input, { store: deps.store, now })),
  };
}
