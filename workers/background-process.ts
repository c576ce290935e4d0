import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readDataFile, writeDataFile } from './data-file';

/** Of a process that `up` started: `<data>/<name>.pid.json`. */
interface PidFile {
  readonly pid: number;
  /** Start time in clock ticks since boot: a later process of the same number is another one. */
  readonly startTicks: string;
}

const pidFile = (name: string) => `${name}.pid.json`;

/** Where a background process writes. */
export function logFile(dataDir: string, name: string): string {
  return join(dataDir, 'logs', `${name}.log`);
}

/** Starts a process in a session of its own; it outlives us. */
export async function startInBackground(
  dataDir: string,
  name: string,
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  const output = openSync(logFile(dataDir, name), 'a', 0o600);
  try {
    const [program, ...parameters] = command;
    const child = spawn(program, parameters, {
      detached: true,
      stdio: ['ignore', output, output],
      env,
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    const pid = child.pid ?? 0;
    await rememberProcess(dataDir, name, pid);
    return pid;
  } finally {
    closeSync(output);
  }
}

export async function rememberProcess(dataDir: string, name: string, pid: number): Promise<void> {
  await writeDataFile(dataDir, pidFile(name), { pid, startTicks: startTicks(pid) ?? '' });
}

/** The pid, when the very process that was remembered still runs. */
export async function runningProcess(dataDir: string, name: string): Promise<number | undefined> {
  const known = await readDataFile<PidFile>(dataDir, pidFile(name));
  if (known === undefined || known.pid <= 1) return undefined;
  return startTicks(known.pid) === known.startTicks ? known.pid : undefined;
}

/**
 * Asks the remembered process to end, and forces it after `patienceMs`. False when it did not run.
 */
export async function stopProcess(
  dataDir: string,
  name: string,
  patienceMs: number,
): Promise<boolean> {
  const pid = await runningProcess(dataDir, name);
  if (pid !== undefined) await endProcess(pid, patienceMs);
  rmSync(join(dataDir, pidFile(name)), { force: true });
  return pid !== undefined;
}

/** SIGTERM, then SIGKILL after `patienceMs`; returns when the process is gone. */
export async function endProcess(pid: number, patienceMs: number): Promise<void> {
  const ticks = startTicks(pid);
  const alive = () => ticks !== undefined && startTicks(pid) === ticks;
  const send = (signal: NodeJS.Signals) => {
    try {
      if (alive()) process.kill(pid, signal);
    } catch {
      // It ended in between.
    }
  };
  send('SIGTERM');
  const deadline = performance.now() + patienceMs;
  while (alive() && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50));
  send('SIGKILL');
  while (alive()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Field 22 of /proc/<pid>/stat; `undefined` for a process that is gone or a zombie. */
function startTicks(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets, and may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
