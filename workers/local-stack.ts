import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createGatewayControl } from '../activities/gateway/gateway-control';
import { ownLabels } from '../activities/sandbox/container-options';
import { processFiles } from '../activities/gateway/attempt-files';
import { controlRequest } from '../activities/gateway/control-request';
import { type Settings } from '../config/environment';
import { Failure } from '../core/failure';
import {
  endProcess,
  logFile,
  runningProcess,
  startInBackground,
  stopProcess,
} from './background-process';
import { codeDigest, providerDigest } from './build-id';
import { readDataFile, writeDataFile } from './data-file';
import { freePort, portOf } from './free-port';
import { ensureTemporal } from './local-temporal';
import { type PartReport } from './part-report';
import { openDocker, requireDocker } from './services';
import { withStackLock } from './stack-lock';
import { connectClient, temporalTarget, type TemporalTarget } from './temporal-connection';
import { keptArguments, type StartedWorker, WORKER_FILE } from './worker-code';

export interface UpOptions {
  readonly settings: Settings;
  /** Command line of our own CLI, to start `worker`. */
  readonly self: readonly [string, ...string[]];
  /** Arguments of `worker`; those that are not given stay as they are until `down`. */
  readonly workerArguments?: readonly string[];
  readonly say?: (line: string) => void;
}

const READY_MS = 90_000;
const STOP_WORKER_MS = 20_000;
const STOP_GATEWAY_MS = 15_000;
const STOP_TEMPORAL_MS = 10_000;
/** With the limit that a large host gives by itself, V8 collects so late that a worker holds half as much again. */
const WORKER_HEAP = '--max-old-space-size=1536';
/** Two dozen threads each with a pool of freed memory of their own hold 100 to 200 MB more, and no call is faster. */
const WORKER_MALLOC_ARENAS = '2';
/** Temporal's TaskQueueType. */
const WORKFLOW_QUEUE = 1 as number as never;
const ACTIVITY_QUEUE = 2 as number as never;

/**
 * Starts what does not run yet, and waits until all of it answers. Idempotent; a second call for the same data folder,
 * of any process, waits for the first one.
 */
export async function startStack(options: UpOptions): Promise<readonly PartReport[]> {
  const { settings, say = () => undefined } = options;
  await requireDocker(openDocker(settings), settings);
  return withStackLock(settings.dataDir, say, () => startParts(options));
}

async function startParts(options: UpOptions): Promise<readonly PartReport[]> {
  const { settings, say = () => undefined } = options;
  say('Temporal');
  const temporal = await ensureTemporal(settings);
  say('provider of replayed and simulated models');
  const provider = await ensureProvider(settings);
  say('gateway');
  const gateway = await ensureGateway(settings);
  say('worker');
  return [temporal, provider, gateway, await ensureWorker(options)];
}

/** Sandboxes of ours on this host that go on without the stack; `undefined` when no Docker daemon answers. */
export async function runningSandboxes(settings: Settings): Promise<number | undefined> {
  const label = ownLabels(settings.stackId, settings.hostId);
  return openDocker(settings)
    .listContainers({ filters: { label } })
    .then(
      (containers) => containers.length,
      () => undefined,
    );
}

/** Stops what `up` started, in the order that loses nothing. Sandboxes of open runs stay; the next `up` adopts them. */
export async function stopStack(
  settings: Settings,
  say: (line: string) => void = () => undefined,
): Promise<readonly string[]> {
  return withStackLock(settings.dataDir, say, () => stopParts(settings.dataDir));
}

async function stopParts(dataDir: string): Promise<readonly string[]> {
  const stopped: string[] = [];
  if (await stopProcess(dataDir, 'worker', STOP_WORKER_MS)) stopped.push('worker');
  rmSync(join(dataDir, WORKER_FILE), { force: true });
  const pid = await gatewayPid(dataDir);
  if (pid !== undefined) {
    await endProcess(pid, STOP_GATEWAY_MS);
    stopped.push('gateway');
  }
  if (await stopProcess(dataDir, 'provider', STOP_TEMPORAL_MS)) stopped.push('provider');
  if (await stopProcess(dataDir, 'temporal', STOP_TEMPORAL_MS)) stopped.push('Temporal');
  return stopped;
}

async function ensureProvider(settings: Settings): Promise<PartReport> {
  const { dataDir } = settings;
  const part = 'provider' as const;
  const url = () =>
    readDataFile<{ url: string }>(dataDir, 'provider.json').then((file) => file?.url);
  const digest = providerDigest();
  const before = await readDataFile<{ digest: string }>(dataDir, 'provider-code.json');
  const running = (await runningProcess(dataDir, 'provider')) !== undefined;
  const known = await url();
  if (running && known !== undefined && before?.digest === digest && (await answers(known)))
    return { part, state: 'already running', address: known };
  await stopProcess(dataDir, 'provider', STOP_TEMPORAL_MS);
  const port = portOf(known);
  await startInBackground(dataDir, 'provider', nodeCommand('workers/provider-main'), {
    ...process.env,
    STARTUPBENCH_DATA: dataDir,
    STARTUPBENCH_RECORDINGS: settings.recordingsDir,
    // The same port again, so that calls in flight only have to be repeated.
    ...(port !== undefined && { STARTUPBENCH_PROVIDER_PORT: String(await freePort(port)) }),
  });
  const address = await untilReady(
    `the provider process; see ${logFile(dataDir, 'provider')}`,
    async () => {
      const now = await url();
      return now !== undefined && (await answers(now)) ? now : undefined;
    },
  );
  await writeDataFile(dataDir, 'provider-code.json', { digest });
  return { part, state: running ? 'restarted with this code' : 'started', address };
}

async function ensureGateway(settings: Settings): Promise<PartReport> {
  const { dataDir } = settings;
  const before = await gatewayPid(dataDir);
  await createGatewayControl({ dataDir }).ensureRunning();
  const after = await gatewayPid(dataDir);
  const state =
    before === undefined
      ? 'started'
      : before === after
        ? 'already running'
        : 'restarted with this code';
  return { part: 'gateway', state, address: processFiles(dataDir).controlSocket };
}

async function ensureWorker(options: UpOptions): Promise<PartReport> {
  const { settings, self, workerArguments = [] } = options;
  const { dataDir } = settings;
  const part = 'worker' as const;
  const before = await readDataFile<StartedWorker>(dataDir, WORKER_FILE);
  const parameters = keptArguments(before?.arguments ?? [], workerArguments);
  const wanted: StartedWorker = { digest: codeDigest(), arguments: parameters };
  const addressOf = (pid: number) => [`process ${pid}`, ...parameters].join(' ');
  const running = await runningProcess(dataDir, 'worker');
  const same = JSON.stringify(before) === JSON.stringify(wanted);
  const target = await temporalTarget(settings);
  if (running !== undefined && same) {
    await untilPolling(settings, target, running);
    return { part, state: 'already running', address: addressOf(running) };
  }
  await stopProcess(dataDir, 'worker', STOP_WORKER_MS);
  // Before it answers, which may take longer than anybody waits: the next `up` finds it with what it was given.
  await writeDataFile(dataDir, WORKER_FILE, wanted);
  const pid = await startInBackground(dataDir, 'worker', [...self, 'worker', ...parameters], {
    ...process.env,
    STARTUPBENCH_DATA: dataDir,
    MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'] ?? WORKER_MALLOC_ARENAS,
    NODE_OPTIONS: `${WORKER_HEAP} ${process.env['NODE_OPTIONS'] ?? ''}`.trim(), // the operator's own comes last and wins
  });
  try {
    await untilPolling(settings, target, pid);
  } catch (error) {
    // Options with which no worker stays up are not kept for the next one.
    if ((await runningProcess(dataDir, 'worker')) !== pid)
      await writeDataFile(dataDir, WORKER_FILE, before ?? { ...wanted, arguments: [] });
    throw error;
  }
  return { part, state: stateOf(running !== undefined, before, wanted), address: addressOf(pid) };
}

function stateOf(
  wasRunning: boolean,
  before: StartedWorker | undefined,
  wanted: StartedWorker,
): PartReport['state'] {
  if (!wasRunning) return 'started';
  return before?.digest === wanted.digest
    ? 'restarted with these options'
    : 'restarted with this code';
}

/** The worker is ready when Temporal sees it ask for work on the queue it takes up last. */
async function untilPolling(
  settings: Settings,
  target: TemporalTarget,
  pid: number,
): Promise<void> {
  const { dataDir, stackId, hostId } = settings;
  const client = await connectClient(target);
  const identity = `${hostId}/${pid}`;
  const queues = ['workflows', `host@${hostId}`];
  try {
    await untilReady(`the worker; see ${logFile(dataDir, 'worker')}`, async () => {
      if ((await runningProcess(dataDir, 'worker')) !== pid)
        throw new Failure(
          'ConfigMissing',
          `the worker ended at once: see the last lines of ${logFile(dataDir, 'worker')}`,
        );
      for (const queue of queues) {
        const { pollers } = await client.workflowService.describeTaskQueue({
          namespace: target.namespace,
          taskQueue: { name: `${stackId}/${queue}` },
          taskQueueType: queue === 'workflows' ? WORKFLOW_QUEUE : ACTIVITY_QUEUE,
        });
        if (!pollers.some((poller) => poller.identity === identity)) return undefined;
      }
      return true;
    });
  } finally {
    await client.connection.close();
  }
}

/** pid of the gateway that serves the data folder, if one does. */
export async function gatewayPid(dataDir: string): Promise<number | undefined> {
  const { controlSocket } = processFiles(dataDir);
  try {
    const status = (await controlRequest(controlSocket, 'GET', '/status', undefined, 5_000)) as {
      pid?: number;
    };
    return status.pid;
  } catch {
    return undefined;
  }
}

/** From source through tsx, from `dist/` as it is. */
function nodeCommand(entry: string): [string, ...string[]] {
  const path = resolve(__dirname, '..', entry);
  if (!__filename.endsWith('.ts')) return [process.execPath, `${path}.js`];
  return [process.execPath, '--import', pathToFileURL(require.resolve('tsx')).href, `${path}.ts`];
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/calls`, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.ok,
    () => false,
  );
}

async function untilReady<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline)
      throw new Failure('ConfigMissing', `not ready after ${READY_MS / 1_000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
