import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { attemptFiles, processFiles } from '../activities/gateway/attempt-files';
import { controlRequest } from '../activities/gateway/control-request';
import { startControlServer } from '../activities/gateway/control-server';
import { createFaultPoint } from '../activities/gateway/fault-point';
import { Gateway } from '../activities/gateway/gateway';
import { gatewayVersion } from '../activities/gateway/gateway-version';
import { servePlaces } from '../activities/gateway/places-server';
import { acquireProcessLock, type ProcessLock } from '../activities/gateway/process-lock';
import { createModelClient } from '../activities/models/model-client';
import { OwnPlaces } from '../activities/models/places';
import { openAttemptWeb } from '../activities/web/attempt-web';
import { catalogPrices, catalogQuirks } from '../config/catalog';
import { createAccountSource } from '../config/account-source';
import { FetcherProcess } from './fetcher-process';
import { createLogger, secretsOf } from './logging';

const DRAIN_MS = 120_000;
const TERMINATE_MS = 5_000;
const LOCK_WAIT_MS = 150_000;
const FOLDER_CHECK_MS = 5_000;

/** The lock of the data folder; undefined when a gateway already serves it. Waits while an older one hands over. */
async function takeOver(dataDir: string): Promise<ProcessLock | undefined> {
  const giveUpMs = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    const lock = await acquireProcessLock(dataDir);
    if (lock !== undefined) return lock;
    const { controlSocket } = processFiles(dataDir);
    const served = await controlRequest(controlSocket, 'GET', '/version', undefined, 5_000).then(
      () => true,
      () => false,
    );
    if (served || performance.now() > giveUpMs) return undefined;
    await new Promise((wait) => setTimeout(wait, 100));
  }
}

/** The gateway process of one data folder (STARTUPBENCH_DATA). Ends with code 0 when another serves it already. */
async function main(environment: NodeJS.ProcessEnv): Promise<void> {
  const dataDir = resolve(environment['STARTUPBENCH_DATA'] ?? '.startupbench');
  const file = resolve(environment['STARTUPBENCH_PROVIDERS'] ?? join(dataDir, 'providers.yaml'));
  const providerFile = join(dataDir, 'provider.json');
  const accounts = createAccountSource({ file, providerFile, environment });
  const logger = createLogger({
    role: 'gateway',
    secrets: () => [...secretsOf(environment), ...accounts.secrets()],
  });
  const lock = await takeOver(dataDir);
  if (lock === undefined) {
    logger.info({ dataDir }, 'another gateway serves this data folder');
    return;
  }
  const places = new OwnPlaces();
  const modelClient = createModelClient({
    accounts,
    places,
    logger,
    quirks: (model) => catalogQuirks(model.name),
    prices: (model) => catalogPrices(model),
  });
  const faults = createFaultPoint(environment['STARTUPBENCH_FAULT']);
  const fetcher = new FetcherProcess(logger);
  const gateway = new Gateway({
    dataDir,
    modelClient,
    logger,
    faults,
    accountFiles: () => accounts.files(),
    openWeb: (attemptDir) =>
      openAttemptWeb({ controlDir: attemptFiles(attemptDir).control, fetcher, logger }),
  });
  await gateway.resumeAll();
  const placesServer = await servePlaces(processFiles(dataDir).placesSocket, places, logger);

  let stopping = false;
  const stop = async (drainMs: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await control.stop();
    await gateway.drain(drainMs);
    await placesServer.stop();
    await lock.release();
    process.exit(0);
  };
  const control = await startControlServer({
    dataDir,
    gateway,
    version: gatewayVersion(),
    onDrain: () => void stop(DRAIN_MS),
  });
  // Nobody can ask for anything any more when the folder with the sockets is gone.
  setInterval(() => {
    if (!existsSync(dataDir)) process.exit(0);
  }, FOLDER_CHECK_MS).unref();
  process.on('SIGTERM', () => void stop(TERMINATE_MS));
  process.on('SIGINT', () => void stop(TERMINATE_MS));
  logger.info({ dataDir, ...gateway.status() }, 'gateway serves');
}

main(process.env).catch((error: unknown) => {
  process.stderr.write(
    `the gateway could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
