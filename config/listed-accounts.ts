import { type Account } from '../core/account';
import { Failure } from '../core/failure';
import { type ConfigurationFault, printFault } from './located-yaml';
import { checkProviders } from './providers';

/** An account of `providers.yaml`, whether its key can be read or not. */
export interface ListedAccount {
  readonly account: Account;
  /** Why its key cannot be read, with file and line. */
  readonly keyFault?: string;
}

/**
 * The accounts of `file`: one key that is not set does not hide the others. Throws `Failure('ConfigMissing')` with
 * every other fault of the file.
 */
export function readListedAccounts(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly ListedAccount[] {
  const whole = checkProviders({ file, environment, keys: false });
  if (whole.faults.length > 0)
    throw new Failure('ConfigMissing', whole.faults.map(printFault).join('\n'));
  // The file has no other fault, so that what is said now is said of keys.
  const { accounts, faults } = checkProviders({ file, environment });
  return accounts.map((account) => {
    const faultOfKey = faults.find((fault) => isAbout(fault, account.name));
    return faultOfKey === undefined ? { account } : { account, keyFault: printFault(faultOfKey) };
  });
}

function isAbout({ message }: ConfigurationFault, name: string): boolean {
  return message.startsWith(`accounts.${name}: `);
}
