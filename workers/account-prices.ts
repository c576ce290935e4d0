import { type Settings } from '../config/environment';
import { readProviders } from '../config/providers';
import { type ModelPrices } from '../core/money';

/**
 * The operator's prices, as far as this machine has a `providers.yaml`. A file that cannot be used gives no prices
 * here: workers, who need its keys, say what is wrong with it.
 */
export function accountPrices(
  settings: Pick<Settings, 'providersFile'>,
): (account: string, model: string) => ModelPrices | undefined {
  let known: ReadonlyMap<string, Readonly<Record<string, ModelPrices>>> | undefined;
  const read = (): ReadonlyMap<string, Readonly<Record<string, ModelPrices>>> => {
    // Prices need no keys, so any variable that would hold one may be taken as set.
    const environment = new Proxy({}, { get: () => 'not needed' });
    try {
      const accounts = readProviders({ file: settings.providersFile, environment });
      return new Map(accounts.map((account) => [account.name, account.prices]));
    } catch {
      return new Map();
    }
  };
  return (account, model) => {
    known ??= read();
    return known.get(account)?.[model];
  };
}
