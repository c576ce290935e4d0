import { statSync } from 'node:fs';
import { type AccountSource } from '../core/account';
import {
  asFailure,
  checkProviders,
  type CheckedProviders,
  type ProvidersOptions,
  readOwnAccounts,
  RESERVED,
} from './providers';

export interface AccountSourceOptions extends ProvidersOptions {
  /** `<data>/provider.json` */
  readonly providerFile: string;
  readonly now?: () => number;
  /** How long what was read is taken for current. @default 1000 */
  readonly freshForMs?: number;
}

/** An account source that also knows what must never be logged. */
export interface FollowedAccounts extends AccountSource {
  /** Keys of every account read so far. */
  secrets(): readonly string[];
  /** Files whose change may change an account: our own address, `providers.yaml`, and the key files it names. */
  files(): readonly string[];
}

/**
 * Accounts that follow their files: an edit, or our own provider on another port, is seen within a second. A key that
 * cannot be read keeps its own account from being found, and no other.
 */
export function createAccountSource(options: AccountSourceOptions): FollowedAccounts {
  const secrets = new Set<string>();
  const now = options.now ?? Date.now;
  // Read apart: a fault in the operator's file does not take our own providers away.
  const files = new Set([options.file]);
  const own = followed(new Set([options.providerFile]), now, options, () => ({
    accounts: readOwnAccounts(options.providerFile),
    keyFaults: new Map(),
  }));
  const operators = followed(files, now, options, () => {
    const read = checkProviders({ ...options, onKeyFile: (path) => files.add(path) });
    const { accounts, faults, keyFaults } = read;
    // A fault of the file itself may be about any account.
    if (faults.length > keyFaults.size) throw asFailure(faults);
    for (const { apiKey } of accounts) if (apiKey !== undefined) secrets.add(apiKey);
    return read;
  });
  return {
    find: async (name) => {
      const { accounts, keyFaults } = (RESERVED.includes(name) ? own : operators)();
      const keyFault = keyFaults.get(name);
      if (keyFault !== undefined) throw asFailure([keyFault]);
      return accounts.find((account) => account.name === name);
    },
    secrets: () => [...secrets],
    files: () => [options.providerFile, ...files],
  };
}

type ReadAccounts = Pick<CheckedProviders, 'accounts' | 'keyFaults'>;

/** What `read` gives, read again when a file has changed. */
function followed(
  files: ReadonlySet<string>,
  now: () => number,
  options: AccountSourceOptions,
  read: () => ReadAccounts,
): () => ReadAccounts {
  let known: { atMs: number; stamp: string; value: ReadAccounts } | undefined;
  return () => {
    if (known !== undefined && now() - known.atMs < (options.freshForMs ?? 1_000))
      return known.value;
    const followedCount = files.size;
    const stamp = stampsOf(files);
    const value = known?.stamp === stamp ? known.value : read();
    // Reading may have found more files to follow.
    const found = files.size > followedCount;
    known = { atMs: now(), stamp: found ? stampsOf(files) : stamp, value };
    return value;
  };
}

function stampsOf(files: Iterable<string>): string {
  return [...files].map(stampOf).join(' ');
}

function stampOf(path: string): string {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts === undefined ? '-' : `${facts.mtimeMs}/${facts.size}/${facts.ino}`;
}
