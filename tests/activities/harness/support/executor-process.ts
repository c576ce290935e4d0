import Docker from 'dockerode';
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createAgentActivities } from '../../../../activities/agent-activities';
import { createGatewayControl } from '../../../../activities/gateway/gateway-control';
import { createPlanCache } from '../../../../activities/plan-cache';
import { DockerSandbox } from '../../../../activities/sandbox/docker-sandbox';
import { HostSlots } from '../../../../activities/sandbox/host-slots';
import { FileStore } from '../../../../activities/store/file-store';
import { type AgentActivities, type AttemptReference } from '../../../../core/activity-contract';
import { step } from '../../agent/support/agent-world';

export const HOST = 'host-1';
export const SLOTS = 1_000;

/** Where a worker of a bench works. */
export interface BenchPlace {
  readonly dataDir: string;
  readonly stack: string;
}

/** The activities of an agent host on a bench. */
export function benchActivities(
  { dataDir, stack }: BenchPlace,
  slots: HostSlots,
  now?: () => Date,
): AgentActivities {
  const store = new FileStore(join(dataDir, 'store'));
  return createAgentActivities({
    host: { stack, hostId: HOST, sandboxesDir: join(dataDir, 'sandboxes') },
    store,
    plans: createPlanCache(store),
    sandbox: new DockerSandbox({ docker: new Docker() }),
    gateway: createGatewayControl({ dataDir }),
    slots,
    watermark: { minFreeBytes: 0 },
    watch: { tickMs: 200 },
    heartbeatIntervalMs: 200,
    ...(now !== undefined && { now }),
  });
}

/** An executor in a process of its own, which can be killed as a worker can. */
export function startExecutor(place: BenchPlace, reference: AttemptReference): ChildProcess {
  return spawn(
    process.execPath,
    ['--import', 'tsx', __filename, JSON.stringify({ place, reference })],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
}

async function main(): Promise<void> {
  const { place, reference } = JSON.parse(process.argv[2]!) as {
    readonly place: BenchPlace;
    readonly reference: AttemptReference;
  };
  const slots = await HostSlots.load(join(place.dataDir, 'sandboxes'), SLOTS);
  await step(benchActivities(place, slots).executeAgent, reference);
}

if (require.main === module) void main();
