import { type Account } from '../core/account';
import { ConfigurationError } from './configuration-error';
import { printFault } from './located-yaml';
import { checkProviders } from './providers';

/** An account of `providers.yaml`, whether its key can be read or not. */
export interface ListedAccount {
  readonly account: Account;
  /** Why its key cannot be read, with file and line. */
  readonly keyFault?: string;
}

/**
 * The accounts of `file`: one key that is not set does not hide the others. Throws `ConfigurationError` with every
 * other fault of the file.
 */
export function readListedAccounts(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly ListedAccount[] {
  const { accounts, faults, keyFaults } = checkProviders({ file, environment });
  const others = faults.filter((fault) => ![...keyFaults.values()].includes(fault));
  if (others.length > 0) throw new ConfigurationError(others);
  return accounts.map((account) => {
    const keyFault = keyFaults.get(account.name);
    return keyFault === undefined ? { account } : { account, keyFault: printFault(keyFault) };
  });
}
