import { join } from 'node:path';
import Docker from 'dockerode';
import { createPlanCache, type PlanCache } from '../activities/plan-cache';
import { processFiles } from '../activities/gateway/attempt-files';
import { PlacesClient } from '../activities/gateway/places-client';
import { createModelClient } from '../activities/models/model-client';
import { OwnPlaces } from '../activities/models/places';
import { type ModelClient } from '../activities/models/port';
import { openStore } from '../activities/store/open-store';
import { type ObjectStore, type StoreScope } from '../activities/store/port';
import { catalogPrices, catalogQuirks } from '../config/catalog';
import { type Settings } from '../config/environment';
import { createAccountSource } from '../config/account-source';
import { Failure } from '../core/failure';
import { type Logger } from '../core/logger';

/** What several roles share within a process. */
export interface Services {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly store: ObjectStore;
  readonly plans: PlanCache;
  readonly docker: Docker;
  readonly models: ModelClient;
}

/**
 * Opens the store and proves that it honours put-if-absent; nothing else is touched yet.
 *
 * @param scopes what this process works on; an agent host has no business in `sealed/`
 */
export async function openServices(
  settings: Settings,
  logger: Logger,
  scopes: readonly StoreScope[] = ['open', 'sealed'],
  accounts = openAccounts(settings),
): Promise<Services> {
  const store = await openStore(settings.store, settings.storeEnvironment);
  for (const scope of scopes) await store.verify(scope);
  return {
    settings,
    logger,
    store,
    plans: createPlanCache(store),
    docker: openDocker(settings),
    models: createModelClient({
      accounts,
      logger,
      // One budget a data folder: the agents' calls are the gateway's, the judges' are ours.
      places: new PlacesClient({
        socketPath: processFiles(settings.dataDir).placesSocket,
        own: new OwnPlaces(),
      }),
      quirks: (model) => catalogQuirks(model.name),
      prices: (model) => catalogPrices(model),
    }),
  };
}

/** The operator's accounts and our own providers, read again when their files change. */
export function openAccounts(settings: Settings): ReturnType<typeof createAccountSource> {
  return createAccountSource({
    file: settings.providersFile,
    providerFile: join(settings.dataDir, 'provider.json'),
    environment: process.env,
  });
}

/** The daemon of DOCKER_HOST, else of the default socket. Connects at the first call. */
export function openDocker(settings: Pick<Settings, 'dockerHost'>): Docker {
  const { dockerHost } = settings;
  // dockerode reads DOCKER_HOST itself, certificates included.
  if (dockerHost === undefined) return new Docker({ socketPath: '/var/run/docker.sock' });
  return new Docker();
}

/** Throws one sentence with what to do when no Docker daemon answers. */
export async function requireDocker(
  docker: Docker,
  settings: Pick<Settings, 'dockerHost'>,
): Promise<void> {
  try {
    await docker.ping();
  } catch (error) {
    const where = settings.dockerHost ?? 'unix:///var/run/docker.sock';
    throw new Failure(
      'DockerUnavailable',
      `no Docker daemon answers at ${where}: run scripts/setup (it starts one), or set DOCKER_HOST to one that runs`,
      { cause: error },
    );
  }
}
