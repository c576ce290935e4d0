import { Context } from '@temporalio/activity';
import {
  type AgentActivities,
  type AttemptReference,
  type RecordLostAttemptInput,
} from '../core/activity-contract';
import { attemptResolver, type HostIdentity } from './agent/attempt-context';
import { AttemptRecords } from './agent/attempt-records';
import { executeAgent } from './agent/execute-agent';
import { type WatchTimings } from './agent/execution-watch';
import { type LaneLink } from './agent/lane-link';
import { recordLostAttempt } from './agent/lost-attempt';
import { prepareWorkspace } from './agent/prepare-workspace';
import { reserveHost } from './agent/reserve-host';
import { storeDeliverables } from './agent/store-deliverables';
import { withHeartbeat } from './failure-mapping';
import { type GatewayControl } from './gateway/port';
import { type PlanCache } from './plan-cache';
import { removeAttemptFolder, type AttemptDiskOptions } from './sandbox/attempt-disk';
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
  const deps = { ...given, now: given.now ?? (() => new Date()) };
  const { host, store, sandbox, gateway, slots, heartbeatIntervalMs } = deps;
  const resolve = attemptResolver(deps.plans, host);
  const preparing = new KeyedMutex();

  const lost = async (input: RecordLostAttemptInput) => {
    const here = input.hostId === host.hostId;
    const local = here ? { context: await resolve(input), sandbox, gateway } : undefined;
    return recordLostAttempt(input, deps, local);
  };

  return {
    reserveHost: (input) =>
      withHeartbeat(({ signal }) => {
        const waitForSpace = (stop: AbortSignal) =>
          waitForDiskSpace(host.sandboxesDir, stop, deps.watermark);
        const waitedMs = deps.now().getTime() - Context.current().info.scheduledTimestampMs;
        const reserveDeps = {
          ...host,
          store,
          slots,
          resolve,
          waitForDiskSpace: waitForSpace,
          now: deps.now,
        };
        return reserveHost(input, reserveDeps, signal, waitedMs);
      }, heartbeatIntervalMs),

    prepareWorkspace: (input) =>
      withHeartbeat(async () => {
        const context = await resolve(input);
        if (context.harness.needsSandbox) slots.take(context.attemptId);
        // A worker that was frozen wakes up with the try that Temporal gave up and the one that took its place.
        await preparing.run(context.attemptId, () => prepareWorkspace(context, deps));
      }, heartbeatIntervalMs),

    executeAgent: (input) =>
      withHeartbeat(
        async (heartbeat) => executeAgent(await resolve(input), deps, heartbeat),
        heartbeatIntervalMs,
      ),

    storeDeliverables: (input) =>
      withHeartbeat(async () => storeDeliverables(await resolve(input), deps), heartbeatIntervalMs),

    cleanUpAttempt: (input) => withHeartbeat(() => cleanUp(input), heartbeatIntervalMs),

    recordLostAttempt: (input) => withHeartbeat(() => lost(input), heartbeatIntervalMs),
  };

  /** The record first, whatever the workflow did before: a removed folder takes transcript and cost with it. */
  async function cleanUp(input: AttemptReference): Promise<void> {
    const context = await resolve(input);
    const records = new AttemptRecords(store, input.run);
    if ((await records.attempt(input.attempt)) === undefined)
      await lost({
        ...input,
        outcome: 'lost',
        failure: { type: 'SandboxLost', message: 'cleaned up before it had a record' },
      });
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
