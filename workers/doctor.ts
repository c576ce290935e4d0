import { ownCommand } from '../config/own-command';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Settings } from '../config/environment';
import { describeSystemError } from '../config/system-error';
import { readProviders } from '../config/providers';
import { SEARCH_ATTRIBUTES } from '../core/search-attributes';
import { isDataFolderLocked } from './data-lock';
import { imagesFinding, missingImages } from './doctor-images';
import { examineSandbox, PROBED_IMAGE } from './doctor-sandbox';
import { type Finding } from './finding';
import { gatewayPid } from './local-stack';
import { openDocker, requireDocker } from './services';
import { openStoreInTime } from './store-in-time';
import { connectClient, temporalTarget } from './temporal-connection';

const LOW_DISK_BYTES = 5 * 1024 ** 3;
/** Below it neither databases nor records can be written. */
const NO_DISK_BYTES = 64 * 1024 ** 2;

/**
 * Looks at everything a sweep needs, and says what to do where something is missing. Leaves nothing behind, no data
 * folder either: the one sandbox that it runs to try the way out of it is removed again, also when `signal` ends that.
 */
export async function examine(
  settings: Settings,
  signal?: AbortSignal,
): Promise<readonly Finding[]> {
  const findings = await Promise.all([
    system(),
    examineDocker(settings, signal),
    attempt('Temporal', () => examineTemporal(settings)),
    examineStore(settings),
    attempt('accounts', async () => examineAccounts(settings)),
    examineProcesses(settings),
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

async function examineDocker(settings: Settings, signal?: AbortSignal): Promise<Finding[]> {
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
    imagesFinding(missing),
    ...(missing.includes(PROBED_IMAGE) ? [] : [await examineSandbox(docker, settings, signal)]),
  ];
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
          detail: `search attributes ${missing.map(({ name }) => name).join(', ')}: run ${ownCommand()} up`,
        };
  } finally {
    await client.connection.close();
  }
}

async function examineStore(settings: Settings): Promise<Finding[]> {
  const what = 'store';
  const folder = settings.store.startsWith('file:') ? settings.store.slice('file:'.length) : '';
  if (folder !== '' && !existsSync(folder))
    return [
      {
        what,
        state: 'ok',
        detail: `${settings.store} is not there yet: the first import or sweep makes it`,
      },
    ];
  const open = async () => {
    const store = await openStoreInTime(settings);
    await store.verify();
    return store;
  };
  const store = await open().catch(textOf);
  if (typeof store === 'string') return [{ what, state: 'missing', detail: store }];
  const found: Finding = { what, state: 'ok', detail: `${store.description}, writes once` };
  try {
    await store.verify('sealed');
    return [found];
  } catch (error) {
    return [found, { what: 'store sealed/', state: 'warning', detail: textOf(error) }];
  }
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

/** What `up` starts here. */
export async function examineProcesses(
  settings: Pick<Settings, 'dataDir' | 'temporalAddress'>,
): Promise<Finding[]> {
  const { dataDir, temporalAddress } = settings;
  const gateway = await gatewayPid(dataDir);
  const worker = existsSync(dataDir) && (await isDataFolderLocked(dataDir, 'worker'));
  const up = `${ownCommand()} up starts it`;
  // Of several hosts each has the roles it is for, and one for commands alone has none.
  const isOneOfMany = temporalAddress !== undefined;
  const row = (what: string, runs: boolean, detail: string, start: string): Finding =>
    runs
      ? { what, state: 'ok', detail }
      : { what, state: 'warning', detail: `does not run here: ${start}` };
  return [
    row(
      'gateway',
      gateway !== undefined,
      `process ${gateway ?? 0}`,
      isOneOfMany ? 'a worker with the role agent starts it' : up,
    ),
    row(
      'worker',
      worker,
      `serves ${dataDir}`,
      isOneOfMany
        ? `${ownCommand()} worker --roles ... starts it with the roles this host is for, up with all of them; not ` +
            'needed where other hosts have workers (docs/guides/many-hosts.md)'
        : up,
    ),
  ];
}

async function examineDisk({ dataDir }: Settings): Promise<Finding> {
  let place = dataDir;
  while (!existsSync(place)) place = dirname(place);
  const { bavail, bsize } = await statfs(place);
  const free = bavail * bsize;
  const detail = `${(free / 1024 ** 3).toFixed(1)} GiB free at ${dataDir}`;
  if (free < NO_DISK_BYTES)
    return {
      what: 'disk',
      state: 'missing',
      detail: `${detail}: free some, nothing works without`,
    };
  return { what: 'disk', state: free < LOW_DISK_BYTES ? 'warning' : 'ok', detail };
}

async function attempt(what: string, look: () => Promise<Finding>): Promise<Finding> {
  return look().catch((error: unknown) => ({ what, state: 'missing', detail: textOf(error) }));
}

function textOf(error: unknown): string {
  return describeSystemError(error) ?? (error instanceof Error ? error.message : String(error));
}
