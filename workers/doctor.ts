import { statfs } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { IMAGE_NAMES, imageTag } from '../activities/sandbox/image-recipe';
import { openStore } from '../activities/store/open-store';
import { type Settings } from '../config/environment';
import { readProviders } from '../config/providers';
import { SEARCH_ATTRIBUTES } from '../core/search-attributes';
import { isDataFolderLocked } from './data-lock';
import { gatewayPid } from './local-stack';
import { openDocker, requireDocker } from './services';
import { connectClient, temporalTarget } from './temporal-connection';

/** `missing`: sweeps cannot run. `warning`: they can, with that risk. */
export interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'warning' | 'missing';
  readonly detail: string;
}

const LOW_DISK_BYTES = 5 * 1024 ** 3;

/** Looks at everything a sweep needs, and says what to do where something is missing. Changes nothing. */
export async function examine(settings: Settings): Promise<readonly Finding[]> {
  const findings = await Promise.all([
    system(),
    examineDocker(settings),
    attempt('Temporal', () => examineTemporal(settings)),
    attempt('store', () => examineStore(settings)),
    attempt('accounts', async () => examineAccounts(settings)),
    processes(settings),
    attempt('disk', () => examineDisk(settings)),
  ]);
  return findings.flat();
}

async function system(): Promise<Finding[]> {
  const linux = process.platform === 'linux';
  return [
    { what: 'Node', state: 'ok', detail: process.version },
    linux
      ? { what: 'system', state: 'ok', detail: `Linux ${process.arch}` }
      : {
          what: 'system',
          state: 'warning',
          detail: `${process.platform}: agent, render and judge roles need Linux; workflow role and commands run here`,
        },
  ];
}

async function examineDocker(settings: Settings): Promise<Finding[]> {
  const docker = openDocker(settings);
  try {
    await requireDocker(docker, settings);
  } catch (error) {
    return [{ what: 'Docker', state: 'missing', detail: textOf(error) }];
  }
  const info = (await docker.info()) as { ServerVersion?: string; LiveRestoreEnabled?: boolean };
  const missing = await missingImages(docker);
  return [
    { what: 'Docker', state: 'ok', detail: `Engine ${info.ServerVersion ?? 'of unknown version'}` },
    info.LiveRestoreEnabled === true
      ? { what: 'live-restore', state: 'ok', detail: 'sandboxes survive a restart of the daemon' }
      : {
          what: 'live-restore',
          state: 'warning',
          detail:
            'off: a restart of the daemon costs every open run a new attempt; set "live-restore": true in daemon.json',
        },
    missing.length === 0
      ? { what: 'images', state: 'ok', detail: `${IMAGE_NAMES.length} images of this code` }
      : {
          what: 'images',
          state: 'missing',
          detail: `${missing.join(', ')}: run scripts/images`,
        },
  ];
}

async function missingImages(docker: ReturnType<typeof openDocker>): Promise<string[]> {
  const found = await Promise.all(
    IMAGE_NAMES.map((name) =>
      docker
        .getImage(imageTag(name))
        .inspect()
        .then(
          () => [],
          () => [name],
        ),
    ),
  );
  return found.flat();
}

async function examineTemporal(settings: Settings): Promise<Finding> {
  const target = await temporalTarget(settings);
  const client = await connectClient(target);
  try {
    const { customAttributes } = await client.connection.operatorService.listSearchAttributes({
      namespace: target.namespace,
    });
    const missing = Object.values(SEARCH_ATTRIBUTES).filter(
      ({ name }) => customAttributes[name] === undefined,
    );
    return missing.length === 0
      ? {
          what: 'Temporal',
          state: 'ok',
          detail: `${target.address}, namespace ${target.namespace}`,
        }
      : {
          what: 'Temporal',
          state: 'missing',
          detail: `search attributes ${missing.map(({ name }) => name).join(', ')}: run ./startupbench up`,
        };
  } finally {
    await client.connection.close();
  }
}

async function examineStore(settings: Settings): Promise<Finding> {
  const store = await openStore(settings.store, settings.storeEnvironment);
  await store.verify();
  return { what: 'store', state: 'ok', detail: `${store.description}, writes once` };
}

function examineAccounts(settings: Settings): Finding {
  const { providersFile } = settings;
  const accounts = readProviders({ file: providersFile, environment: process.env });
  if (!existsSync(providersFile))
    return {
      what: 'accounts',
      state: 'warning',
      detail: `no ${providersFile}: only replayed and simulated models answer`,
    };
  return {
    what: 'accounts',
    state: 'ok',
    detail: accounts.map((account) => account.name).join(', '),
  };
}

async function processes(settings: Settings): Promise<Finding[]> {
  const { dataDir } = settings;
  const gateway = await gatewayPid(dataDir);
  const worker = existsSync(dataDir) && (await isDataFolderLocked(dataDir, 'worker'));
  const row = (what: string, runs: boolean, detail: string): Finding =>
    runs
      ? { what, state: 'ok', detail }
      : { what, state: 'warning', detail: 'does not run here: ./startupbench up starts it' };
  return [
    row('gateway', gateway !== undefined, `process ${gateway ?? 0}`),
    row('worker', worker, `serves ${dataDir}`),
  ];
}

async function examineDisk({ dataDir }: Settings): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const detail = `${(free / 1024 ** 3).toFixed(1)} GiB free at ${dataDir}`;
  return { what: 'disk', state: free < LOW_DISK_BYTES ? 'warning' : 'ok', detail };
}

async function attempt(what: string, look: () => Promise<Finding>): Promise<Finding> {
  return look().catch((error: unknown) => ({ what, state: 'missing', detail: textOf(error) }));
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
