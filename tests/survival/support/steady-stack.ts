import Docker from 'dockerode';
import { type ChildProcess, execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Transcript } from '../../../activities/gateway/transcript-schema';
import { FileStore } from '../../../activities/store/file-store';
import { storeKeys } from '../../../core/ids';
import { type AttemptRecord, type RunResult } from '../../../core/run';
import { type CommandOutput, RealStack } from '../../support/real-stack';
import { type RecordedSweep, writeRecordedSweep } from '../../support/recorded-sweep';
import { waitUntil } from '../../support/wait-until';

const run = promisify(execFile);
const TIDY_WITHIN_MS = 120_000;
/** For what hangs, not for what is slow. */
const CALLED_WITHIN_MS = 300_000;

/** What a sweep has left in the store, without times and keys: equal for a disturbed and an undisturbed one. */
export interface SweepOutcome {
  readonly rows: readonly string[];
  readonly runs: Readonly<Record<string, RunOutcome>>;
}
export interface RunOutcome {
  readonly deliverables: string | undefined;
  /** `ended`, or the outcome and why; {@link attempt} matches either. */
  readonly attempts: readonly string[];
  readonly steps: readonly unknown[];
}

/** A `sweep run` that follows its sweep. */
export interface Launched {
  readonly command: ChildProcess;
  readonly ended: Promise<CommandOutput>;
}

/** How long the provider takes for each call, so that a sweep is long enough to be disturbed. */
export interface Pace {
  readonly agentMs?: number;
  readonly judgeMs?: number;
}

/** A real stack with recorded agents in real sandboxes. `stop` throws when anything of it is left. */
export class SteadyStack {
  private constructor(
    readonly stack: RealStack,
    readonly folder: string,
    readonly file: string,
    readonly sweep: string,
    readonly stackId: string,
    readonly docker: Docker,
  ) {}

  static async start(
    sweep: RecordedSweep,
    options: {
      readonly docker?: Docker;
      readonly environment?: NodeJS.ProcessEnv;
      readonly upArguments?: readonly string[];
    } = {},
  ): Promise<SteadyStack> {
    const folder = await mkdtemp(join(tmpdir(), 'startupbench-steady-'));
    const file = await writeRecordedSweep(folder, sweep);
    const stack = await RealStack.start(options.upArguments ?? ['--sandboxes', '4'], {
      STARTUPBENCH_RECORDINGS: join(folder, 'recordings'),
      STARTUPBENCH_REAP_AFTER: '4s',
      ...options.environment,
    });
    const stackId = (await readFile(join(stack.dataDir, 'stack-id'), 'utf8')).trim();
    const docker = options.docker ?? new Docker();
    return new SteadyStack(stack, folder, file, sweep.sweep, stackId, docker);
  }

  /** Starts, attaches to or resumes the sweep in a cohort; resolves when the server has taken it. */
  async launch(cohort: string): Promise<Launched> {
    const command = this.stack.spawn('sweep', 'run', this.file, '--yes', '--cohort', cohort);
    let text = '';
    command.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const ended = this.stack.output(command);
    await waitUntil(() => text.includes('watch it at') || command.exitCode !== null);
    return { command, ended };
  }

  /** Runs the sweep to its end. Throws with what the command said when that is not a scored sweep. */
  async finish(cohort: string): Promise<void> {
    const { ended } = await this.launch(cohort);
    await succeeded(ended);
  }

  /** Forgets the provider's counts and its earlier pace. */
  async setPace({ agentMs = 0, judgeMs = 0 }: Pace): Promise<void> {
    await this.stack.provider('POST', '/calls/reset');
    await this.stack.provider('DELETE', '/faults');
    const delays = { agent: agentMs, judge: judgeMs };
    for (const [purpose, delayMs] of Object.entries(delays))
      if (delayMs > 0)
        await this.stack.provider('POST', '/faults', {
          match: { purpose },
          delayMs,
          times: 10_000,
        });
  }

  /** Calls that the provider has answered, by run (agent) or by run and item (judge). */
  async calls(purpose: 'agent' | 'judge'): Promise<Record<string, number>> {
    const { counts } = await this.stack.calls();
    return Object.fromEntries(
      Object.entries(counts).filter(([key]) => key.startsWith(`${purpose}/`)),
    );
  }

  async untilCalls(purpose: 'agent' | 'judge', count: number): Promise<void> {
    await waitUntil(async () => sum(await this.calls(purpose)) >= count, CALLED_WITHIN_MS);
  }

  /** Until the agent of each of so many runs has had so many answers: then all of them are under way. */
  async untilEachRunCalled(runs: number, count: number): Promise<void> {
    await waitUntil(async () => {
      const counts = Object.values(await this.calls('agent'));
      return counts.length === runs && counts.every((calls) => calls >= count);
    }, CALLED_WITHIN_MS);
  }

  /** Until so many calls have met a fault, such as one that is never answered. */
  async untilStopped(calls: number): Promise<void> {
    await waitUntil(async () => (await this.stack.calls()).failed >= calls, CALLED_WITHIN_MS);
  }

  /** Names of this stack's sandboxes, stopped ones included. */
  async containers(): Promise<{ readonly id: string; readonly name: string }[]> {
    const found = await this.docker.listContainers({
      all: true,
      filters: { label: [`startupbench.stack=${this.stackId}`] },
    });
    return found.map(({ Id, Names }) => ({ id: Id, name: (Names[0] ?? '').slice(1) }));
  }

  /**
   * After each test, whatever became of it: throws when it left a sandbox or an attempt's folder. A clean-up that was
   * cut off by a kill is finished by the reaper.
   */
  async expectTidy(): Promise<void> {
    const left = async () => ({
      containers: await this.containers(),
      attempts: await this.stack.openAttempts(),
    });
    const isTidy = async () => Object.values(await left()).every((names) => names.length === 0);
    await waitUntil(isTidy, TIDY_WITHIN_MS).catch(() => undefined);
    const found = await left();
    for (const { id } of found.containers)
      await this.docker.getContainer(id).remove({ force: true });
    expect(found).toEqual({ containers: [], attempts: [] });
  }

  async outcome(sweep = this.sweep): Promise<SweepOutcome> {
    const rows = await this.stack.tidyRows(sweep);
    const runs: Record<string, RunOutcome> = {};
    for (const { runId, runKey } of await this.listed(sweep))
      runs[runId] = await this.runOutcome(runKey);
    return { rows, runs };
  }

  async listed(sweep = this.sweep): Promise<{ runId: string; runKey: string }[]> {
    const { stdout } = await succeeded(this.stack.run('run', 'list', sweep, '--json'));
    return JSON.parse(stdout) as { runId: string; runKey: string }[];
  }

  /** Records of a run's attempts, first to last. */
  async attempts(runKey: string): Promise<AttemptRecord[]> {
    const records: AttemptRecord[] = [];
    for (let number = 1; ; number++) {
      const record = await this.record<AttemptRecord>(
        storeKeys.attempt(runKey, 1, number, 'attempt.json'),
      );
      if (record === undefined) return records;
      records.push(record);
    }
  }

  async transcript(record: AttemptRecord): Promise<Transcript> {
    if (record.transcript === undefined) throw new Error('the attempt has no transcript');
    const bytes = await this.store.getBlob('open', record.transcript.sha256);
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as Transcript;
  }

  /** Whether the store has this many results of the whole stack. */
  async results(): Promise<number> {
    const root = join(this.stack.dataDir, 'store', 'open', 'runs');
    const names = await readdir(root, { recursive: true }).catch(() => []);
    return names.filter((name) => name.endsWith('result.json')).length;
  }

  /** Ends everything and removes it. Throws when a container, a process, a mount or a folder is left. */
  async stop(): Promise<void> {
    const { dataDir, folder: stackFolder } = this.stack;
    await this.stack.run('down');
    const left = await this.containers();
    for (const { id } of left) await this.docker.getContainer(id).remove({ force: true });
    for (const mount of mountsBelow(stackFolder)) await run('umount', ['-l', mount]);
    await this.stack.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20 });
    const processes = processesOf(dataDir);
    for (const pid of processes) process.kill(pid, 'SIGKILL');
    expect({ left, processes }).toEqual({ left: [], processes: [] });
  }

  private get store(): FileStore {
    return new FileStore(join(this.stack.dataDir, 'store'));
  }

  private async record<T>(key: string): Promise<T | undefined> {
    const bytes = await this.store.getRecord(key);
    return bytes && (JSON.parse(Buffer.from(bytes).toString('utf8')) as T);
  }

  private async runOutcome(runKey: string): Promise<RunOutcome> {
    const attempts = await this.attempts(runKey);
    const result = await this.record<RunResult>(storeKeys.result(runKey, 1));
    const counted = attempts[(result?.attempt ?? 0) - 1];
    return {
      deliverables: result?.deliverables.digest,
      attempts: attempts.map(({ outcome, failure }) =>
        failure === undefined ? outcome : `${outcome}: ${failure.type}: ${failure.message}`,
      ),
      steps: counted === undefined ? [] : story(await this.transcript(counted)),
    };
  }
}

/** What each step of a transcript says, without times and without exchanges that had no reply. */
export function story({ steps }: Transcript): unknown[] {
  expect(steps.map(({ step_id }) => step_id)).toEqual(steps.map((_step, index) => index + 1));
  return steps
    .filter(({ extra }) => extra?.['error'] === undefined)
    .map(({ source, message, tool_calls, observation }) => ({
      source,
      message,
      tool_calls,
      observation,
    }));
}

/** Matches an attempt of a `RunOutcome` that ended like this, whatever it says of the reason. */
export function attempt(outcome: AttemptRecord['outcome']): unknown {
  return expect.stringMatching(new RegExp(`^${outcome}(?:: |$)`, 'u'));
}

export async function succeeded(command: Promise<CommandOutput>): Promise<CommandOutput> {
  const output = await command;
  if (output.code !== 0) throw new Error(`ended with ${String(output.code)}: ${output.stderr}`);
  return output;
}

export function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function mountsBelow(folder: string): string[] {
  return readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${folder}/`));
}

/** Processes whose environment names this data folder. */
function processesOf(dataDir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && Number(name) !== process.pid)
    .filter((name) => environmentOf(name).includes(`STARTUPBENCH_DATA=${dataDir}\0`))
    .map(Number);
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}
