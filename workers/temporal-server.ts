import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { Connection } from '@temporalio/client';
import { ownCommand } from '../config/own-command';
import { Failure } from '../core/failure';

export interface DevServerOptions {
  /** The `temporal` command; see {@link findTemporal}. */
  readonly binary: string;
  readonly port: number;
  readonly uiPort: number;
  /** SQLite file; without it everything is lost when the server ends. */
  readonly databaseFile?: string;
  readonly logFile: string;
  /** On top of our own. */
  readonly dynamicConfig?: Readonly<Record<string, string | number | boolean>>;
}

/** As scripts/setup has it. */
const DEFAULT_DATA = '.startupbench';
/**
 * Go collects garbage when the heap has doubled; at five times it takes a tenth less processor time, for 250 MB more
 * (docs/decisions/0081).
 */
const GARBAGE_COLLECTION_PERCENT = '400';
/**
 * By default the server looks for what comes next 20 times a second (temporal server 1.32): each step of a workflow
 * that another queue serves would wait for up to 50 ms.
 */
const DYNAMIC_CONFIG = { 'history.transferProcessorMaxPollRPS': 100 };

/**
 * `temporal` in the data folder's Python environment, else on PATH, else where scripts/setup puts it by default: a
 * second data folder needs no second one. Throws `ConfigMissing` with what to do.
 *
 * @param projectDir the checkout; without it no default is looked at
 */
export async function findTemporal(
  dataDir: string,
  path: string = process.env['PATH'] ?? '',
  projectDir?: string,
): Promise<string> {
  const programs = (folder: string) => join(folder, 'venv', 'bin');
  const usual = projectDir === undefined ? dataDir : join(projectDir, DEFAULT_DATA);
  const folders = [programs(dataDir), ...path.split(delimiter).filter(Boolean), programs(usual)];
  for (const folder of folders) {
    const candidate = join(folder, 'temporal');
    if (await isExecutable(candidate)) return candidate;
  }
  const setUp = usual === dataDir ? '' : `STARTUPBENCH_DATA=${dataDir} `;
  throw new Failure(
    'ConfigMissing',
    `there is no Temporal server: run ${setUp}scripts/setup, put \`temporal\` on PATH, or set TEMPORAL_ADDRESS to one that runs`,
  );
}

/**
 * Starts `temporal server start-dev` as a process of its own group, on loopback. The two SQLite settings make it ten
 * times faster and keep it safe against a killed process. Use {@link waitForTemporal} before the first call.
 */
export async function startDevServer(options: DevServerOptions): Promise<ChildProcess> {
  const { binary, port, uiPort, databaseFile, logFile, dynamicConfig = {} } = options;
  await mkdir(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a', 0o600);
  // From an earlier version, which left it readable.
  if (databaseFile !== undefined && existsSync(databaseFile)) chmodSync(databaseFile, 0o600);
  const database =
    databaseFile === undefined
      ? []
      : [
          ...['--db-filename', databaseFile],
          ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'],
        ];
  const child = withPrivateFiles(() =>
    spawn(
      binary,
      [
        ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port)],
        ...['--ui-port', String(uiPort), '--log-level', 'warn'],
        ...database,
        ...Object.entries({ ...DYNAMIC_CONFIG, ...dynamicConfig }).flatMap(([key, value]) => [
          '--dynamic-config-value',
          `${key}=${JSON.stringify(value)}`,
        ]),
      ],
      {
        stdio: ['ignore', log, log],
        detached: true,
        env: { GOGC: GARBAGE_COLLECTION_PERCENT, ...process.env },
      },
    ),
  );
  closeSync(log);
  child.unref();
  return child;
}

/** Starts a process whose files are private to their owner. */
function withPrivateFiles<T>(start: () => T): T {
  const before = process.umask(0o077);
  try {
    return start();
  } finally {
    process.umask(before);
  }
}

/** Resolves when the server answers; throws one sentence after `timeoutMs` (default 60,000). */
export async function waitForTemporal(address: string, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      const connection = await Connection.connect({ address, connectTimeout: 2_000 });
      await connection.workflowService.getSystemInfo({});
      await connection.close();
      return;
    } catch (error) {
      if (performance.now() > deadline)
        throw new Failure(
          'ConfigMissing',
          `no Temporal server answers at ${address}: run ${ownCommand()} up, or set TEMPORAL_ADDRESS`,
          { cause: error },
        );
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
