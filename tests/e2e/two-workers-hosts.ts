import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Connection } from '@temporalio/client';
import Docker from 'dockerode';
import { removeAttemptFolder } from '../../activities/sandbox/attempt-disk';
import { attemptPaths } from '../../activities/sandbox/attempt-paths';
import { endProcess } from '../../workers/background-process';
import { readDataFile } from '../../workers/data-file';
import { gatewayPid } from '../../workers/local-stack';
import { type CommandOutput, type ProviderCounts } from '../support/real-stack';
import { startTestTemporal, type TestTemporal } from '../support/temporal-server';
import { waitUntil } from '../support/wait-until';

const PROJECT = resolve(__dirname, '../..');
const LAUNCHER = join(PROJECT, 'startupbench');
/** Temporal's TaskQueueType for activities. */
const ACTIVITY_QUEUE = 2 as number as never;

/** Processes of one test: Temporal, one provider, and worker hosts with a data folder each. */
export class HostsLab {
  private readonly hosts: WorkerHost[] = [];
  private readonly commands = new Set<ChildProcess>();
  private provider: ChildProcess | undefined;

  private constructor(
    readonly folder: string,
    readonly temporal: TestTemporal,
  ) {}

  static async start(recordings?: string): Promise<HostsLab> {
    const folder = await mkdtemp(join(tmpdir(), 'startupbench-hosts-'));
    const lab = new HostsLab(folder, await startTestTemporal());
    try {
      await lab.startProvider(recordings ?? join(PROJECT, 'recordings'));
      return lab;
    } catch (error) {
      await lab.stop();
      throw error;
    }
  }

  /** A worker with its gateway. Its data folder is its own; so are its sandboxes, whoever else uses the daemon. */
  async startHost(
    hostId: string,
    workerArguments: readonly string[],
    environment: NodeJS.ProcessEnv,
  ): Promise<WorkerHost> {
    const dataDir = join(this.folder, hostId);
    await mkdir(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
    await copyFile(this.providerFile, join(dataDir, 'provider.json'));
    const host = new WorkerHost(hostId, dataDir, this.temporal.address, {
      ...this.environment(environment),
      STARTUPBENCH_DATA: dataDir,
      STARTUPBENCH_HOST: hostId,
    });
    this.hosts.push(host);
    await host.start(workerArguments);
    return host;
  }

  /** Runs a command of the command line from a data folder of its own. */
  async run(environment: NodeJS.ProcessEnv, ...parameters: string[]): Promise<CommandOutput> {
    const child = spawn(LAUNCHER, parameters, {
      env: { ...this.environment(environment), STARTUPBENCH_DATA: join(this.folder, 'client') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.commands.add(child);
    const texts = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
    const code = await new Promise<number | null>((ended) => child.once('close', ended));
    this.commands.delete(child);
    return { code, ...texts };
  }

  /** The same, for commands that must succeed. */
  async runWell(environment: NodeJS.ProcessEnv, ...parameters: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(environment, ...parameters);
    if (code !== 0)
      throw new Error(`${parameters.join(' ')} ended with ${String(code)}: ${stderr}`);
    return stdout;
  }

  /** What the provider has answered since the last time it was asked. */
  async takeCalls(): Promise<ProviderCounts> {
    const { url } = JSON.parse(await readFile(this.providerFile, 'utf8')) as { url: string };
    const calls = (await (await fetch(`${url}/calls`)).json()) as ProviderCounts;
    await fetch(`${url}/calls/reset`, { method: 'POST' });
    return calls;
  }

  async stop(): Promise<void> {
    for (const command of this.commands) command.kill('SIGKILL');
    for (const host of this.hosts) await host.stop();
    if (this.provider?.pid !== undefined) await endProcess(this.provider.pid, 5_000);
    await this.temporal.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20 });
  }

  private environment(changes: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return { ...process.env, TEMPORAL_ADDRESS: this.temporal.address, ...changes };
  }

  private get providerFile(): string {
    return join(this.folder, 'provider', 'provider.json');
  }

  private async startProvider(recordings: string): Promise<void> {
    const dataDir = join(this.folder, 'provider');
    const tsx = pathToFileURL(require.resolve('tsx')).href;
    this.provider = spawn(
      process.execPath,
      ['--import', tsx, join(PROJECT, 'workers/provider-main.ts')],
      {
        env: {
          ...process.env,
          STARTUPBENCH_DATA: dataDir,
          STARTUPBENCH_RECORDINGS: recordings,
        },
        stdio: 'ignore',
      },
    );
    await waitUntil(async () => (await readDataFile(dataDir, 'provider.json')) !== undefined);
  }
}

/** One agent or judge machine, as far as one machine can play several: a data folder, a worker, a gateway. */
export class WorkerHost {
  private worker: ChildProcess | undefined;

  constructor(
    readonly hostId: string,
    readonly dataDir: string,
    private readonly temporalAddress: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** Resolves when Temporal sees the worker ask for runs (agent role) or for files to render. */
  async start(workerArguments: readonly string[]): Promise<void> {
    const log = openSync(this.logFile, 'a', 0o600);
    const worker = spawn(LAUNCHER, ['worker', ...workerArguments], {
      env: this.environment,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.worker = worker;
    const roles = workerArguments[workerArguments.indexOf('--roles') + 1] ?? '';
    const queue =
      !workerArguments.includes('--roles') || roles.includes('agent') ? 'agent' : 'render';
    await waitUntil(async () => {
      if (worker.exitCode !== null) throw new Error(`the worker ended: ${await this.log()}`);
      return (await this.pollers(queue)).includes(`${this.hostId}/${worker.pid ?? 0}`);
    }, 120_000);
  }

  /** Everything the worker said. */
  log(): Promise<string> {
    return readFile(this.logFile, 'utf8');
  }

  /** Folder of an attempt of a run on this host. */
  attemptDir(runKey: string, attempt: number): string {
    const stack = this.environment['STARTUPBENCH_STACK'] ?? '';
    return join(this.sandboxesDir, `${stack}-${runKey.slice(0, 16)}-g1-a${attempt}`);
  }

  /** Folders of attempts that are still on this host. */
  async openAttempts(): Promise<string[]> {
    return readdir(this.sandboxesDir).catch(() => []);
  }

  /** Pulls the plug: worker, gateway and sandboxes die at once, and nothing is cleaned up. */
  async pullThePlug(): Promise<void> {
    const gateway = await gatewayPid(this.dataDir);
    await this.endWorker('SIGKILL');
    if (gateway !== undefined) process.kill(gateway, 'SIGKILL');
    await this.removeContainers();
  }

  /** Ends everything and leaves no container, mount or process. */
  async stop(): Promise<void> {
    await this.endWorker('SIGTERM');
    const gateway = await gatewayPid(this.dataDir);
    if (gateway !== undefined) await endProcess(gateway, 10_000);
    await this.removeContainers();
    for (const name of await this.openAttempts())
      await removeAttemptFolder(attemptPaths(join(this.sandboxesDir, name)));
  }

  private get logFile(): string {
    return join(this.dataDir, 'logs', 'worker.log');
  }

  private get sandboxesDir(): string {
    return join(this.dataDir, 'sandboxes');
  }

  private async endWorker(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    if (worker === undefined || worker.exitCode !== null || worker.signalCode !== null) return;
    const gone = new Promise((ended) => worker.once('exit', ended));
    worker.kill(signal);
    const forced = setTimeout(() => worker.kill('SIGKILL'), 20_000);
    await gone;
    clearTimeout(forced);
  }

  private async removeContainers(): Promise<void> {
    const docker = new Docker();
    const found = await docker.listContainers({
      all: true,
      filters: { label: [`startupbench.hostId=${this.hostId}`] },
    });
    for (const { Id } of found)
      await docker.getContainer(Id).remove({ force: true, v: true }).catch(ignoreAbsent);
  }

  private async pollers(queue: string): Promise<string[]> {
    const connection = await Connection.connect({ address: this.temporalAddress });
    try {
      const { pollers } = await connection.workflowService.describeTaskQueue({
        namespace: 'default',
        taskQueue: { name: `${this.environment['STARTUPBENCH_STACK'] ?? ''}/${queue}` },
        taskQueueType: ACTIVITY_QUEUE,
      });
      return pollers.map((poller) => poller.identity ?? '');
    } finally {
      await connection.close();
    }
  }
}

function ignoreAbsent(error: unknown): void {
  if ((error as { statusCode?: number }).statusCode !== 404) throw error;
}
