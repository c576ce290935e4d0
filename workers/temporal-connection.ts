import { connect } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { type Settings } from '../config/environment';
import { ownCommand } from '../config/own-command';
import { Failure } from '../core/failure';
import { readDataFile, TEMPORAL_FILE, type TemporalFile } from './data-file';
import { portOf } from './free-port';

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

const PATIENCE_MS = 5_000;

/**
 * The client side. Throws one sentence with what to do when the server does not answer: at once where nobody listens,
 * as after `down`, else after five seconds.
 */
export async function connectClient(target: TemporalTarget): Promise<Client> {
  if (await isRefused(target.address)) throw notReachable(target);
  const connection = await Connection.connect({
    address: target.address,
    connectTimeout: PATIENCE_MS,
  }).catch((error: unknown) => {
    throw notReachable(target, error);
  });
  return new Client({ connection, namespace: target.namespace });
}

/** Whether the machine is there and nobody listens; the client would go on asking for its whole patience. */
async function isRefused(address: string): Promise<boolean> {
  const port = portOf(address);
  if (port === undefined) return false;
  const host = address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/gu, '');
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PATIENCE_MS });
    const end = (refused: boolean) => {
      socket.destroy();
      resolve(refused);
    };
    socket.once('connect', () => end(false));
    socket.once('timeout', () => end(false));
    socket.once('error', (error) => end('code' in error && error.code === 'ECONNREFUSED'));
  });
}

/** One sentence with what to do. */
export function notReachable(target: TemporalTarget, cause?: unknown): Failure {
  return new Failure(
    'ConfigMissing',
    `no Temporal server answers at ${target.address}: run ${ownCommand()} up, or set TEMPORAL_ADDRESS to one that runs`,
    { cause },
  );
}
