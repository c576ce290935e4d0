import { type Settings } from '../config/environment';
import { readProviders } from '../config/providers';
import { type Account } from '../core/account';
import { type ModelCatalog } from './plan-models';

/**
 * What the operator's accounts say of prices and protocols, as far as this machine has a `providers.yaml`. A file that
 * cannot be used says nothing here: workers, who need its keys, say what is wrong with it.
 */
export function operatorAccounts(
  settings: Pick<Settings, 'providersFile'>,
): Required<Pick<ModelCatalog, 'accountPrices' | 'accountProtocol'>> {
  let known: ReadonlyMap<string, Account> | undefined;
  const read = (): ReadonlyMap<string, Account> => {
    // Neither needs keys, so any variable that would hold one may be taken as set.
    const environment = new Proxy({}, { get: () => 'not needed' });
    try {
      const accounts = readProviders({ file: settings.providersFile, environment });
      return new Map(accounts.map((account) => [account.name, account]));
    } catch {
      return new Map();
    }
  };
  const find = (name: string): Account | undefined => (known ??= read()).get(name);
  return {
    accountPrices: (account, model) => find(account)?.prices[model],
    accountProtocol: (account) => {
      const protocol = find(account)?.protocol;
      return protocol === 'openai' || protocol === 'anthropic' ? protocol : undefined;
    },
  };
}
