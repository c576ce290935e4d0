import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readDataFile } from '../../workers/data-file';

/**
 * Runs a simulated sweep on a stack of its own and prints figures: wall time, runs and calls a second, memory and
 * processor time of each process. Only provider and container are replaced; everything else is the shipped code.
 */
const USAGE = `usage: tsx scripts/bench/sweep.ts [options]
  --runs N         planned runs (default 200)
  --items N        rubric items a run (default 25)
  --steps N        agent steps a run (default 20)
  --judge-turns N  turns of a judge session (default 1)
  --latency MS     of each model call (default 0)
  --window N       open runs (default 16)
  --judges N       judge sessions at once (default 64, the worker's own)
  --calls N        calls at once that the provider's account allows, agents' and judges' together (default 64)
  --keep           leave the data folder for a look

On ext4 without a journal, making a file is slow for five minutes after many were deleted: rest that long after other
work, and measure again with --keep, since a bench that cleans up leaves 20,000 deleted files behind.
`;

interface Process {
  readonly name: string;
  readonly pid: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '200' },
      items: { type: 'string', default: '25' },
      steps: { type: 'string', default: '20' },
      'judge-turns': { type: 'string', default: '1' },
      latency: { type: 'string', default: '0' },
      window: { type: 'string', default: '16' },
      judges: { type: 'string', default: '64' },
      calls: { type: 'string', default: '64' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const number = (
    name: 'runs' | 'items' | 'steps' | 'judge-turns' | 'latency' | 'window' | 'judges' | 'calls',
  ) => Number(values[name]);
  const folder = mkdtempSync(join(tmpdir(), 'startupbench-bench-'));
  const dataDir = join(folder, 'data');
  const file = writeSweep(folder, number);
  const run = (...parameters: string[]) => command(dataDir, parameters);
  try {
    run('up', '--judges', values.judges);
    limitCalls(dataDir, number('calls'));
    const processes = await stackProcesses(dataDir);
    const before = processes.map(({ pid }) => processorSeconds(pid));
    const peak = watchMemory(processes);
    const started = Date.now();
    run('sweep', 'run', file, '--yes');
    const seconds = (Date.now() - started) / 1_000;
    const memory = peak();
    const runs = number('runs');
    const agentCalls = runs * number('steps');
    const judgeCalls = runs * number('items') * number('judge-turns');
    print('runs', runs);
    print('wall seconds', seconds.toFixed(1));
    print('runs/s', (runs / seconds).toFixed(2));
    print('model calls', agentCalls + judgeCalls);
    print('model calls/s', ((agentCalls + judgeCalls) / seconds).toFixed(0));
    const idealSeconds = ((agentCalls + judgeCalls) * number('latency')) / 1_000 / number('calls');
    if (idealSeconds > 0) {
      print(`ideal seconds at ${values.calls} calls at once`, idealSeconds.toFixed(1));
      print('ratio to the ideal', (seconds / idealSeconds).toFixed(3));
    }
    for (const [index, { name, pid }] of processes.entries()) {
      const cpu = processorSeconds(pid) - (before[index] ?? 0);
      print(`${name}: CPU seconds`, cpu.toFixed(1));
      print(`${name}: peak MB`, String(Math.round((memory.get(name) ?? 0) / 1_048_576)));
    }
  } finally {
    run('down');
    if (values.keep) process.stdout.write(`data folder: ${dataDir}\n`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

/** Followed by gateway and worker within a second; the account's limit is taken at its first call. */
function limitCalls(dataDir: string, maxConcurrency: number): void {
  const file = join(dataDir, 'provider.json');
  const address = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...address, maxConcurrency }));
}

/** A task with as many items as asked for; as many repetitions as it takes. */
function writeSweep(
  folder: string,
  number: (name: 'runs' | 'items' | 'steps' | 'judge-turns' | 'latency' | 'window') => number,
): string {
  const tasks = Math.min(20, number('runs'));
  for (let task = 1; task <= tasks; task++) {
    const path = join(folder, 'tasks', `bench-${task}`);
    mkdirSync(join(path, 'workspace', 'query'), { recursive: true });
    mkdirSync(join(path, 'reference'), { recursive: true });
    writeFileSync(
      join(path, 'task.yaml'),
      [
        `id: bench-${task}`,
        'title: Write a short report',
        'domain: business',
        'language: en',
        'outputs: [{ path: report.md, format: markdown }]',
        'grants: { web: [] }',
        '',
      ].join('\n'),
    );
    writeFileSync(
      join(path, 'workspace', 'query', 'task.md'),
      `Write a short report number ${task} to results/report.md.\n`,
    );
    writeFileSync(join(path, 'reference', 'report.md'), 'Simulated report\n');
    const items = Array.from({ length: number('items') }, (_, index) =>
      [
        `- id: item-${index + 1}`,
        `  text: The report states fact number ${index + 1} of task ${task}.`,
        '  weight: important',
        '  dimension: information-integration',
      ].join('\n'),
    );
    writeFileSync(join(path, 'rubric.yaml'), `${items.join('\n')}\n`);
  }
  const file = join(folder, 'bench.yaml');
  writeFileSync(
    file,
    [
      'sweep: bench',
      "tasks: ['tasks/*']",
      'models:',
      `  - { id: sim, provider: simulated, seed: 1, steps: ${number('steps')}, latencyMs: ${number('latency')} }`,
      'harnesses: [simulated]',
      `repetitions: ${Math.ceil(number('runs') / tasks)}`,
      'judge:',
      `  model: { id: sim-judge, provider: simulated, seed: 2, judgeTurns: ${number('judge-turns')}, latencyMs: ${number('latency')} }`,
      '  checks: off',
      `window: ${number('window')}`,
      '',
    ].join('\n'),
  );
  return file;
}

function command(dataDir: string, parameters: readonly string[]): void {
  const { status } = spawnSync(resolve(__dirname, '../../startupbench'), parameters, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, STARTUPBENCH_DATA: dataDir, PATH: pathWithTemporal() },
  });
  if (status !== 0)
    throw new Error(`startupbench ${parameters.join(' ')} ended with ${String(status)}`);
}

/** The checkout's own Temporal server serves stacks with other data folders too. */
function pathWithTemporal(): string {
  return `${resolve(__dirname, '../../.startupbench/venv/bin')}:${process.env['PATH'] ?? ''}`;
}

async function stackProcesses(dataDir: string): Promise<Process[]> {
  const { gatewayPid } = await import('../../workers/local-stack.js');
  const pids: Process[] = [];
  for (const name of ['worker', 'provider', 'temporal']) {
    const file = await readDataFile<{ pid: number }>(dataDir, `${name}.pid.json`);
    if (file !== undefined) pids.push({ name, pid: file.pid });
  }
  const gateway = await gatewayPid(dataDir);
  if (gateway !== undefined) pids.push({ name: 'gateway', pid: gateway });
  return pids;
}

function watchMemory(processes: readonly Process[]): () => Map<string, number> {
  const peaks = new Map<string, number>();
  const look = () => {
    for (const { name, pid } of processes)
      peaks.set(name, Math.max(peaks.get(name) ?? 0, residentBytes(pid)));
  };
  look();
  return () => {
    look();
    for (const { name, pid } of processes) peaks.set(name, peakBytes(pid) ?? peaks.get(name) ?? 0);
    return peaks;
  };
}

function residentBytes(pid: number): number {
  return statusField(pid, 'VmRSS') ?? 0;
}

/** The kernel's own high-water mark. */
function peakBytes(pid: number): number | undefined {
  return statusField(pid, 'VmHWM');
}

function statusField(pid: number, field: string): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'mu').exec(text)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    return undefined;
  }
}

function processorSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

function print(name: string, value: string | number): void {
  process.stdout.write(`${name.padEnd(24)} ${value}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
