import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setUpTemporal } from '../../infra/temporal-setup';
import { findTemporal, startDevServer, waitForTemporal } from '../../workers/temporal-server';
import { freePorts } from './free-ports';

/** A dev server of the test's own, with our search attributes. */
export interface TestTemporal {
  readonly address: string;
  readonly databaseFile: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the same port; the database is kept unless `wipe`. */
  restart(wipe?: boolean): Promise<void>;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

export async function startTestTemporal(
  dynamicConfig: Readonly<Record<string, number | boolean>> = {},
): Promise<TestTemporal> {
  const folder = await mkdtemp(join(tmpdir(), 'startupbench-temporal-'));
  const [port = 0, uiPort = 0] = await freePorts(2);
  const dataDir = process.env['STARTUPBENCH_DATA'] ?? resolve('.startupbench');
  const options = {
    binary: await findTemporal(dataDir),
    port,
    uiPort,
    databaseFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    dynamicConfig,
  };
  const address = `127.0.0.1:${port}`;
  const start = async () => {
    const child = await startDevServer(options);
    await waitForTemporal(address);
    await setUpTemporal({ address, namespace: 'default' });
    return child;
  };
  let child = await start();
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((ended) => child.once('exit', ended));
    child.kill('SIGKILL');
    await gone;
  };
  return {
    address,
    databaseFile: options.databaseFile,
    kill,
    restart: async (wipe = false) => {
      await kill();
      if (wipe)
        for (const suffix of ['', '-wal', '-shm'])
          await rm(`${options.databaseFile}${suffix}`, { force: true });
      child = await start();
    },
    stop: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}
