import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Document, parseDocument } from 'yaml';
import { Failure } from '../core/failure';
import { ConfigurationError } from './configuration-error';
import { checkProviders } from './providers';

/** An entry of `providers.yaml` as the operator writes it. */
export interface GivenAccount {
  readonly protocol: string;
  readonly baseUrl: string;
  readonly keyEnv?: string;
  readonly keyFile?: string;
  readonly models?: readonly string[];
  readonly maxConcurrency?: number;
  readonly allowPrivateAddresses?: boolean;
  readonly streaming?: boolean;
}

/**
 * Adds an account to `providers.yaml`, which is made (mode 0600) where it is missing; what the file says otherwise,
 * comments included, stays. Nothing is written when the file as it would be has a fault. Keys need not be set yet.
 * Throws `Failure('InvalidInput')` for a name that is taken, `ConfigurationError` with every fault.
 */
export function addAccount(file: string, name: string, account: GivenAccount): void {
  const exists = statSync(file, { throwIfNoEntry: false }) !== undefined;
  if (exists) refuseFaults(file, file);
  const document = exists
    ? parseDocument(readFileSync(file, 'utf8'))
    : new Document({ accounts: {} });
  if (document.hasIn(['accounts', name]))
    throw new Failure('InvalidInput', `${file} has an account "${name}" already; edit it there`);
  document.setIn(['accounts', name], document.createNode(account));
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, document.toString(), { mode: 0o600, flag: 'wx' });
    refuseFaults(draft, file);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Faults of `read` name the file that the operator knows. */
function refuseFaults(read: string, file: string): void {
  const { faults } = checkProviders({ file: read, environment: anyKey() });
  if (faults.length === 0) return;
  throw new ConfigurationError(
    faults.map((fault) => ({ ...fault, file, message: fault.message.replaceAll(read, file) })),
  );
}

/** Takes any variable that would hold a key for set. */
function anyKey(): Readonly<Record<string, string>> {
  return new Proxy({}, { get: () => 'not-needed' });
}
