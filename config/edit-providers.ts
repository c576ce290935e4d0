import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Document, isMap, parseDocument } from 'yaml';
import { Failure } from '../core/failure';
import { didYouMean } from '../core/near-names';
import { ConfigurationError } from './configuration-error';
import { type GivenAccount } from './given-account';
import { type ConfigurationFault } from './located-yaml';
import { checkProviders } from './providers';
import { readText } from './read-text';

/**
 * Adds an account to `providers.yaml`, which is made (mode 0600) where it is missing; what the file says otherwise,
 * comments included, stays. Nothing is written when the file has a fault, or would have one. Keys need not be there
 * yet. Throws `Failure('InvalidInput')` for a name that is taken, `ConfigurationError` with every fault.
 */
export function addAccount(file: string, name: string, account: GivenAccount): void {
  const exists = statSync(file, { throwIfNoEntry: false }) !== undefined;
  if (exists) refuseFaults(file);
  const document = exists ? readDocument(file) : new Document({ accounts: {} });
  if (document.hasIn(['accounts', name]))
    throw new Failure('InvalidInput', `${file} has an account "${name}" already; edit it there`);
  const accounts = document.getIn(['accounts'], true);
  // An entry of several lines has no place in `{}`.
  if (isMap(accounts) && accounts.items.length === 0) accounts.flow = false;
  document.setIn(['accounts', name], document.createNode(account));
  write(file, document);
}

/**
 * Takes an account, faulty or not, out of `providers.yaml`; the other entries and their comments stay. Nothing is
 * written when another entry has a fault. Throws `Failure('InvalidInput')` for a name that is not there,
 * `ConfigurationError` with every fault.
 */
export function removeAccount(file: string, name: string): void {
  const document =
    statSync(file, { throwIfNoEntry: false }) === undefined ? undefined : readDocument(file);
  const accounts = document?.getIn(['accounts'], true);
  if (document === undefined || !isMap(accounts) || !accounts.has(name)) {
    const names = isMap(accounts) ? accounts.items.map(({ key }) => String(key)) : [];
    throw new Failure(
      'InvalidInput',
      `there is no account "${name}" in ${file}${didYouMean(name, names) || `; there are: ${names.join(', ') || 'none'}`}`,
    );
  }
  refuseFaults(file, name);
  accounts.delete(name);
  write(file, document);
}

/** Throws for what is no YAML, with every fault. */
function readDocument(file: string): Document.Parsed {
  const read = readText(file);
  const document = 'problem' in read ? undefined : parseDocument(read.text);
  if (document === undefined || document.errors.length > 0) refuseFaults(file);
  return document ?? parseDocument('');
}

/** Whole or not at all, and only what can be read again. */
function write(file: string, document: Document): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, textOf(document, file), { mode: 0o600, flag: 'wx' });
    // Lines of the draft are not those of the file that the operator knows.
    const faults = faultsOf(draft).map(({ message }) => ({ file, line: undefined, message }));
    if (faults.length > 0) throw new ConfigurationError(faults);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

function textOf(document: Document, file: string): string {
  try {
    return document.toString({ lineWidth: 0 });
  } catch (error) {
    // What an alias stands for was in the entry that was removed.
    throw new Failure('InvalidInput', `${file}: ${(error as Error).message}: edit it there`, {
      cause: error,
    });
  }
}

/** Throws every fault of the file, but for those of an account that is to go. Keys are looked for when they are used. */
function refuseFaults(file: string, leaving?: string): void {
  const own = [`accounts.${leaving ?? ''}.`, `accounts.${leaving ?? ''}:`, `"${leaving ?? ''}" is`];
  const faults = faultsOf(file).filter(({ message }) => !own.some((it) => message.startsWith(it)));
  if (faults.length > 0) throw new ConfigurationError(faults);
}

function faultsOf(file: string): readonly ConfigurationFault[] {
  return checkProviders({ file, environment: {}, keys: false }).faults;
}
