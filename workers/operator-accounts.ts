import { statSync } from 'node:fs';
import { type Settings } from '../config/environment';
import { type ConfigurationFault } from '../config/located-yaml';
import { privateHostOf } from '../config/private-address';
import { checkProviders } from '../config/providers';
import { type Account, OPERATOR_PROTOCOLS } from '../core/account';
import { didYouMean } from '../core/near-names';
import { ownEntry } from '../core/own-entry';
import { type ModelCatalog } from './plan-models';

/** A model of a sweep file that an account has to serve. */
export interface AccountUse {
  readonly id: string;
  readonly account: string;
  /** The provider's name for the model. */
  readonly name: string;
  /** Where the sweep file names it. */
  readonly file: string;
  readonly line: number | undefined;
}

export interface AccountCheck {
  readonly faults: readonly ConfigurationFault[];
  readonly warnings: readonly ConfigurationFault[];
  /** Ids of the models that no account was found for: nothing else can be known of them. */
  readonly unserved?: readonly string[];
}

type AccountSettings = Pick<Settings, 'providersFile' | 'store' | 'temporalAddress'>;

/**
 * What the operator's accounts say of prices and protocols, as far as this machine has a `providers.yaml`, and whether
 * they can serve a sweep's models. Where workers run elsewhere a missing file is no fault, and keys are theirs to have.
 */
export function operatorAccounts(
  settings: AccountSettings,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Required<
  Pick<ModelCatalog, 'accountPrices' | 'pricedModels' | 'accountProtocol' | 'checkAccounts'>
> {
  const file = settings.providersFile;
  let known: ReadonlyMap<string, Account> | undefined;
  const read = (): ReadonlyMap<string, Account> => {
    const { accounts } = checkProviders({ file, environment, keys: false });
    return new Map(accounts.map((account) => [account.name, account]));
  };
  const find = (name: string): Account | undefined => (known ??= read()).get(name);
  return {
    accountPrices: (account, model) => ownEntry(find(account)?.prices, model),
    pricedModels: (account) => Object.keys(find(account)?.prices ?? {}),
    accountProtocol: (account) => {
      const protocol = find(account)?.protocol;
      return OPERATOR_PROTOCOLS.find((each) => each === protocol);
    },
    checkAccounts: (uses) => checkAccounts(settings, environment, uses),
  };
}

function checkAccounts(
  settings: AccountSettings,
  environment: Readonly<Record<string, string | undefined>>,
  uses: readonly AccountUse[],
): AccountCheck {
  const file = settings.providersFile;
  if (uses.length === 0) return { faults: [], warnings: [] };
  const all = uses.map(({ id }) => id);
  const isRemote = settings.temporalAddress !== undefined || settings.store.startsWith('s3:');
  if (statSync(file, { throwIfNoEntry: false }) === undefined) {
    const message = `is not on this machine: accounts (${accountsOf(uses)}) were not checked here; workers have their own`;
    if (isRemote) return { faults: [], warnings: [{ file, line: undefined, message }] };
    const missing = `is missing: it has to say how to reach the accounts ${accountsOf(uses)} (docs/guides/add-a-model.md)`;
    return {
      faults: [{ file, line: undefined, message: missing }],
      warnings: [],
      unserved: all,
    };
  }
  const checked = checkProviders({ file, environment, keys: !isRemote });
  const { accounts, keyFaults } = checked;
  // A key that is missing concerns the sweeps that need it.
  const needed = new Set(uses.map(({ account }) => keyFaults.get(account)));
  const unneeded = [...keyFaults.values()].filter((fault) => !needed.has(fault));
  const faults = checked.faults.filter((fault) => !unneeded.includes(fault));
  // Where nothing could be read, the file's own faults say why.
  if (accounts.length === 0 && faults.length > 0) return { faults, warnings: [], unserved: all };
  const unserved = uses.flatMap((use) => {
    const fault = whyUnserved(use, file, accounts);
    return fault === undefined ? [] : [{ id: use.id, fault }];
  });
  return {
    faults: [
      ...faults,
      ...unserved.map(({ fault }) => fault),
      ...uses.flatMap((use) => privateAddressFaults(use, file, accounts)),
    ],
    warnings: [],
    unserved: unserved.map(({ id }) => id),
  };
}

function whyUnserved(
  use: AccountUse,
  file: string,
  accounts: readonly Account[],
): ConfigurationFault | undefined {
  const fault = (message: string): ConfigurationFault => ({
    file: use.file,
    line: use.line,
    message: `model ${use.id}: ${message}`,
  });
  const account = accounts.find(({ name }) => name === use.account);
  if (account === undefined) {
    const names = accounts.map(({ name }) => name);
    return fault(
      `there is no account ${use.account} in ${file}; there are: ${names.join(', ') || 'none'}` +
        didYouMean(use.account, names),
    );
  }
  if (account.models.length > 0 && !account.models.includes(use.name))
    return fault(
      `account ${account.name} of ${file} does not list ${use.name} under models; it lists: ` +
        account.models.join(', ') +
        didYouMean(use.name, account.models),
    );
  return undefined;
}

/** Every call would be refused, and the runs wait for somebody who corrects the account. */
function privateAddressFaults(
  use: AccountUse,
  file: string,
  accounts: readonly Account[],
): ConfigurationFault[] {
  const account = accounts.find(({ name }) => name === use.account);
  if (account === undefined || account.allowPrivateAddresses) return [];
  const host = privateHostOf(account.baseUrl);
  if (host === undefined) return [];
  const message =
    `model ${use.id}: account ${account.name} of ${file} is at the private address ${host}: ` +
    'set allowPrivateAddresses: true there if that is meant';
  return [{ file: use.file, line: use.line, message }];
}

function accountsOf(uses: readonly AccountUse[]): string {
  return [...new Set(uses.map((use) => use.account))].sort().join(', ');
}
