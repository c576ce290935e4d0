import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { logFile, runningProcess } from '../../workers/background-process';
import { readDataFile } from '../../workers/data-file';
import { gatewayPid } from '../../workers/local-stack';
import { SET_UP_BIN } from './checkout-data';
import { freePorts } from './free-ports';
import { waitUntil } from './wait-until';

const LAUNCHER = resolve(__dirname, '../../startupbench');

export interface CommandOutput {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProviderCounts {
  readonly total: number;
  /** Answered with a fault. */
  readonly failed: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly bySource: Readonly<Record<string, number>>;
}

const PROCESSES = ['worker', 'gateway', 'provider', 'temporal'] as const;
export type StackProcess = (typeof PROCESSES)[number];

/** A stack of the test's own, made and driven by the command line alone: own data folder, own server, own names. */
export class RealStack {
  private readonly children = new Set<ChildProcess>();

  private constructor(
    readonly folder: string,
    readonly dataDir: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** @param upArguments of `up`, e.g. `--judges 8` */
  static async start(
    upArguments: readonly string[] = [],
    environment: NodeJS.ProcessEnv = {},
  ): Promise<RealStack> {
    const folder = await mkdtemp(join(tmpdir(), 'startupbench-e2e-'));
    const dataDir = join(folder, 'data');
    await mkdir(dataDir, { mode: 0o700 });
    // Parallel stacks must not meet on the default port.
    const [port = 0, uiPort = 0] = await freePorts(2);
    const file = {
      address: `127.0.0.1:${port}`,
      namespace: 'default',
      uiUrl: `http://127.0.0.1:${uiPort}`,
    };
    await writeFile(join(dataDir, 'temporal.json'), JSON.stringify(file));
    const stack = new RealStack(folder, dataDir, {
      ...process.env,
      PATH: `${SET_UP_BIN}:${process.env['PATH'] ?? ''}`,
      STARTUPBENCH_DATA: dataDir,
      ...environment,
    });
    stack.upArguments = upArguments;
    try {
      await stack.up();
      return stack;
    } catch (error) {
      const log = await readFile(logFile(dataDir, 'worker'), 'utf8').catch(() => '');
      await stack.stop();
      throw new Error(`${(error as Error).message}\n${log.slice(-3_000)}`, { cause: error });
    }
  }

  private upArguments: readonly string[] = [];

  async up(): Promise<void> {
    const { code, stderr } = await this.run('up', ...this.upArguments);
    if (code !== 0) throw new Error(`up ended with ${String(code)}: ${stderr}`);
  }

  /** `up` where one of the processes is missing, and nothing where none is. */
  async upIfNeeded(): Promise<void> {
    const pids = await Promise.all(PROCESSES.map((name) => this.pid(name)));
    if (pids.includes(undefined)) await this.up();
  }

  /** Runs a command to its end. */
  async run(...parameters: string[]): Promise<CommandOutput> {
    const child = this.spawn(...parameters);
    return this.output(child);
  }

  /** A command that the test goes on beside; `output` waits for its end. */
  spawn(...parameters: string[]): ChildProcess {
    const child = spawn(LAUNCHER, parameters, {
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.children.add(child);
    child.once('exit', () => this.children.delete(child));
    return child;
  }

  async output(child: ChildProcess): Promise<CommandOutput> {
    const texts = { stdout: '', stderr: '' };
    child.stdout?.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
    const code = await new Promise<number | null>((ended) => child.once('close', ended));
    return { code, ...texts };
  }

  async pid(name: StackProcess): Promise<number | undefined> {
    return name === 'gateway' ? gatewayPid(this.dataDir) : runningProcess(this.dataDir, name);
  }

  /** Sends a signal to one of the stack's processes; after SIGKILL it is gone when this resolves. */
  async signal(name: StackProcess, signal: NodeJS.Signals): Promise<void> {
    const pid = await this.pid(name);
    if (pid === undefined) throw new Error(`no ${name} runs`);
    process.kill(pid, signal);
    if (signal === 'SIGKILL') await waitUntil(async () => (await this.pid(name)) !== pid);
  }

  async provider(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<unknown> {
    const file = await readDataFile<{ url: string }>(this.dataDir, 'provider.json');
    const response = await fetch(`${file?.url ?? ''}${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  async calls(): Promise<ProviderCounts> {
    return (await this.provider('GET', '/calls')) as ProviderCounts;
  }

  /** Rows of the tidy table: everything a report is made of. */
  async tidyRows(sweep: string): Promise<string[]> {
    const { code, stdout, stderr } = await this.run('report', sweep, '--csv');
    if (code !== 0) throw new Error(`report ended with ${String(code)}: ${stderr}`);
    return stdout.trim().split('\n');
  }

  /** Folders of attempts that are still on this host. */
  async openAttempts(): Promise<string[]> {
    return readdir(join(this.dataDir, 'sandboxes'));
  }

  async stop(): Promise<void> {
    for (const child of this.children) child.kill('SIGKILL');
    await this.run('down');
    // What is about to end may still write a file.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

export interface SimulatedSweep {
  readonly sweep: string;
  readonly tasks: number;
  readonly items: number;
  readonly repetitions: number;
  readonly steps: number;
  readonly judgeTurns: number;
  readonly latencyMs: number;
  readonly window: number;
  readonly lanes?: number;
}

/** Writes tasks and a sweep file for the simulated provider; returns the file's path. */
export async function writeSimulatedSweep(folder: string, sweep: SimulatedSweep): Promise<string> {
  for (let task = 1; task <= sweep.tasks; task++) {
    const path = join(folder, 'tasks', `task-${task}`);
    await mkdir(join(path, 'workspace', 'query'), { recursive: true });
    await mkdir(join(path, 'reference'), { recursive: true });
    await writeFile(
      join(path, 'task.yaml'),
      `id: task-${task}\ntitle: Report ${task}\ndomain: business\nlanguage: en\n` +
        'outputs: [{ path: report.md, format: markdown }]\ngrants: { web: [] }\n',
    );
    await writeFile(join(path, 'workspace', 'query', 'task.md'), `Write report ${task}.\n`);
    await writeFile(join(path, 'reference', 'report.md'), 'Simulated report\n');
    const items = Array.from(
      { length: sweep.items },
      (_, index) =>
        `- id: item-${index + 1}\n  text: Fact ${index + 1} of report ${task} is stated.\n` +
        '  weight: important\n  dimension: information-integration\n',
    );
    await writeFile(join(path, 'rubric.yaml'), items.join(''));
  }
  const { steps, latencyMs, judgeTurns, lanes = 1 } = sweep;
  const models = Array.from(
    { length: lanes },
    (_, index) =>
      `  - { id: sim-${index + 1}, provider: simulated, seed: ${index + 1}, steps: ${steps}, latencyMs: ${latencyMs} }\n`,
  );
  const file = join(folder, `${sweep.sweep}.yaml`);
  await writeFile(
    file,
    `sweep: ${sweep.sweep}\ntasks: ['tasks/*']\nmodels:\n${models.join('')}harnesses: [simulated]\n` +
      `repetitions: ${sweep.repetitions}\njudge:\n` +
      `  model: { id: judge, provider: simulated, seed: 9, judgeTurns: ${judgeTurns}, latencyMs: ${latencyMs} }\n` +
      `  checks: off\nwindow: ${sweep.window}\n` +
      'timings: { heartbeatTimeout: 6s, hostSilence: 30s, lease: 60s, warmUp: 2s, activityRetryInitial: 200ms }\n',
  );
  return file;
}
