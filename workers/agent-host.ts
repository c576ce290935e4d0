import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { createAgentActivities, createLostAttemptActivity } from '../activities/agent-activities';
import { createGatewayControl } from '../activities/gateway/gateway-control';
import { DockerSandbox } from '../activities/sandbox/docker-sandbox';
import { AttemptUse } from '../activities/sandbox/attempt-use';
import { HostSlots } from '../activities/sandbox/host-slots';
import { type OwnerState, Reaper } from '../activities/sandbox/reaper';
import { type AgentActivities } from '../core/activity-contract';
import { storeKeys } from '../core/ids';
import { createLaneLink } from './lane-link';
import { type Services } from './services';
import { isOpenStatus } from './sweep-control';

/** The agent role of a worker: its activities, its sandbox slots, its reaper. */
export interface AgentHost {
  readonly activities: AgentActivities;
  readonly slots: HostSlots;
  /** Returns how to stop it. */
  startReaper(): () => void;
}

/** Makes sure the gateway runs, finds the sandboxes that an earlier worker left, and wires the agent's activities. */
export async function openAgentHost(
  services: Services,
  client: Client,
  sandboxes: number,
): Promise<AgentHost> {
  const { settings, logger, store, plans, docker } = services;
  const { dataDir, stackId: stack, hostId, reapAfterMs } = settings;
  const sandboxesDir = join(dataDir, 'sandboxes');
  mkdirSync(sandboxesDir, { recursive: true, mode: 0o700 });
  const gateway = createGatewayControl({ dataDir, logger });
  await gateway.ensureRunning();
  const slots = await HostSlots.load(sandboxesDir, sandboxes);
  const sandbox = new DockerSandbox({ docker });
  const use = new AttemptUse();
  const activities = createAgentActivities({
    host: { stack, hostId, sandboxesDir },
    store,
    plans,
    sandbox,
    gateway,
    slots,
    use,
    lane: createLaneLink(client),
  });
  const startReaper = () => {
    const stop = new AbortController();
    const reaper = new Reaper({
      docker,
      stack,
      hostId,
      sandboxesDir,
      use,
      startDelayMs: reapAfterMs,
      confirmMs: reapAfterMs,
      recordedGraceMs: reapAfterMs,
      periodMs: Math.ceil(reapAfterMs / 2),
      isRecorded: ({ runKey, generation, attempt }) =>
        store.hasRecord(storeKeys.attempt(runKey, generation, attempt, 'attempt.json')),
      ownerState: ({ workflowId }) => ownerState(client, workflowId),
      onRemoved: (attemptId, why) => {
        slots.release(attemptId);
        logger.warn({ attemptId, why }, 'reaped an attempt that nobody will come back for');
      },
      onProblem: (attemptId, error) =>
        logger.warn({ attemptId, error }, 'the reaper could not look at an attempt'),
    });
    void reaper.run(stop.signal);
    return () => stop.abort();
  };
  return { activities, slots, startReaper };
}

/** `recordLostAttempt` of a worker that is no agent host. */
export function attemptRecorder(services: Services): Pick<AgentActivities, 'recordLostAttempt'> {
  return createLostAttemptActivity({ store: services.store });
}

async function ownerState(client: Client, workflowId: string): Promise<OwnerState> {
  try {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    return isOpenStatus(status.name) ? 'open' : 'closed';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'absent';
    throw error;
  }
}
