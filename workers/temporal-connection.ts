import { Client, Connection } from '@temporalio/client';
import { type Settings } from '../config/environment';
import { ownCommand } from '../config/own-command';
import { Failure } from '../core/failure';
import { readDataFile, TEMPORAL_FILE, type TemporalFile } from './data-file';

export interface TemporalTarget {
  readonly address: string;
  readonly namespace: string;
  /** Base of the web interface's addresses, where known. */
  readonly uiUrl: string | undefined;
}

/** Port of the local server and of its web interface, where they are free. */
export const DEFAULT_TEMPORAL_PORT = 7233;

/** TEMPORAL_ADDRESS, else what `up` started. Throws `ConfigMissing` with what to do. */
export async function temporalTarget(
  settings: Pick<Settings, 'dataDir' | 'temporalAddress' | 'temporalNamespace'>,
): Promise<TemporalTarget> {
  const { dataDir, temporalAddress, temporalNamespace } = settings;
  if (temporalAddress !== undefined)
    return {
      address: temporalAddress,
      namespace: temporalNamespace ?? 'default',
      uiUrl: undefined,
    };
  const local = await readDataFile<TemporalFile>(dataDir, TEMPORAL_FILE);
  if (local !== undefined) return { ...local, namespace: temporalNamespace ?? local.namespace };
  throw new Failure(
    'ConfigMissing',
    `no Temporal server was started for ${dataDir}: run ${ownCommand()} up, or set TEMPORAL_ADDRESS to one that runs`,
  );
}

/** The client side. Throws one sentence with what to do when the server does not answer. */
export async function connectClient(target: TemporalTarget): Promise<Client> {
  const connection = await Connection.connect({
    address: target.address,
    connectTimeout: 5_000,
  }).catch((error: unknown) => {
    throw notReachable(target, error);
  });
  return new Client({ connection, namespace: target.namespace });
}

/** One sentence with what to do. */
export function notReachable(target: TemporalTarget, cause: unknown): Failure {
  return new Failure(
    'ConfigMissing',
    `no Temporal server answers at ${target.address}: run ${ownCommand()} up, or set TEMPORAL_ADDRESS to one that runs`,
    { cause },
  );
}
