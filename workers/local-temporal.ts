import { join } from 'node:path';
import { type Settings } from '../config/environment';
import { Failure } from '../core/failure';
import { setUpTemporal } from '../infra/temporal-setup';
import { logFile, rememberProcess, runningProcess, stopProcess } from './background-process';
import { readDataFile, TEMPORAL_FILE, writeDataFile, type TemporalFile } from './data-file';
import { freePort, portOf } from './free-port';
import { type PartReport } from './part-report';
import { DEFAULT_TEMPORAL_PORT, temporalTarget } from './temporal-connection';
import { findTemporal, startDevServer, waitForTemporal } from './temporal-server';

const READY_MS = 90_000;
const STOP_TEMPORAL_MS = 10_000;

/** The server of TEMPORAL_ADDRESS, else the data folder's own: what runs is used, what does not is started. */
export async function ensureTemporal(settings: Settings): Promise<PartReport> {
  const { dataDir, temporalAddress } = settings;
  const part = 'Temporal' as const;
  if (temporalAddress !== undefined) {
    const target = await temporalTarget(settings);
    await setUpTemporal(target);
    return { part, state: 'not ours', address: target.address };
  }
  const known = await readDataFile<TemporalFile>(dataDir, TEMPORAL_FILE);
  const running = await runningProcess(dataDir, 'temporal');
  if (known !== undefined && running !== undefined) {
    await waitForTemporal(known.address, READY_MS);
    await setUpTemporal(known);
    return { part, state: 'already running', address: addressOf(known) };
  }
  // Started by an `up` that was killed before it knew: two servers would write one database.
  await stopProcess(dataDir, 'temporal', STOP_TEMPORAL_MS);
  const file = await startTemporal(settings, known);
  await setUpTemporal(file);
  return { part, state: 'started', address: addressOf(file) };
}

async function startTemporal(
  settings: Settings,
  known: TemporalFile | undefined,
): Promise<TemporalFile> {
  const { dataDir, projectDir } = settings;
  const binary = await findTemporal(dataDir, process.env['PATH'], projectDir);
  // The same ports as last time, so that open connections find it again.
  const port = await freePort(portOf(known?.address) ?? DEFAULT_TEMPORAL_PORT);
  const uiPort = await freePort(portOf(known?.uiUrl) ?? port + 1_000);
  const child = await startDevServer({
    binary,
    port,
    uiPort,
    databaseFile: join(dataDir, 'temporal.db'),
    logFile: logFile(dataDir, 'temporal'),
  });
  await rememberProcess(dataDir, 'temporal', child.pid ?? 0);
  const file: TemporalFile = {
    address: `127.0.0.1:${port}`,
    namespace: settings.temporalNamespace ?? 'default',
    uiUrl: `http://127.0.0.1:${uiPort}`,
  };
  try {
    await waitForTemporal(file.address, READY_MS);
  } catch (error) {
    throw new Failure(
      'ConfigMissing',
      `the Temporal server did not start: see ${logFile(dataDir, 'temporal')}`,
      { cause: error },
    );
  }
  await writeDataFile(dataDir, TEMPORAL_FILE, file);
  return file;
}

function addressOf(file: TemporalFile): string {
  return file.uiUrl === undefined ? file.address : `${file.address}, Temporal UI ${file.uiUrl}`;
}
