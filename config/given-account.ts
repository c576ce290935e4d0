import { didYouMean } from '../core/near-names';
import { readAccountKey } from './account-key';
import { plainIssues } from './located-yaml';
import { privateHostOf } from './private-address';
import { accountNameSchema, accountSchema, RESERVED } from './providers';

/** US dollars for a million tokens. */
export interface GivenPrices {
  readonly inputUsdPerMillion: number;
  /** Left out: as much as fresh input. */
  readonly cachedInputUsdPerMillion?: number;
  readonly outputUsdPerMillion: number;
}

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
  readonly prices?: Readonly<Record<string, GivenPrices>>;
}

/** A fault of one field of an entry, for whoever gave that field in another form than YAML. */
export interface FieldFault {
  readonly field: 'name' | keyof GivenAccount;
  readonly message: string;
}

/**
 * Every fault of an account that is to be added to `file`: what the file could not hold, a key file that cannot be
 * read, a private address that it does not allow, a price for a model that it does not list.
 */
export function faultsOfGiven(file: string, name: string, account: GivenAccount): FieldFault[] {
  return [
    ...faultsOfName(name).map((message): FieldFault => ({ field: 'name', message })),
    ...(accountSchema.safeParse(account).error?.issues ?? [])
      .flatMap(plainIssues)
      .map(({ path: [field = 'keyFile'], message }): FieldFault => {
        return { field: field as keyof GivenAccount, message };
      }),
    ...faultsOfKeyFile(file, name, account),
    ...faultsOfAddress(account),
    ...faultsOfPrices(account),
  ];
}

function faultsOfName(name: string): string[] {
  if (RESERVED.includes(name)) return ['is a provider of our own and cannot be set'];
  if (name === '__proto__') return ['cannot be the name of an account'];
  return (accountNameSchema.safeParse(name).error?.issues ?? []).map(({ message }) => message);
}

function faultsOfKeyFile(file: string, name: string, { keyFile }: GivenAccount): FieldFault[] {
  const faults: FieldFault[] = [];
  readAccountKey(name, { keyFile }, { file, environment: {} }, (message) => {
    faults.push({ field: 'keyFile', message: message.replace(`accounts.${name}: `, '') });
  });
  return faults;
}

function faultsOfAddress({ baseUrl, allowPrivateAddresses }: GivenAccount): FieldFault[] {
  const host = privateHostOf(baseUrl);
  if (host === undefined || allowPrivateAddresses === true) return [];
  const message = `is needed for the private address ${host}, if that is meant`;
  return [{ field: 'allowPrivateAddresses', message }];
}

function faultsOfPrices({ models = [], prices = {} }: GivenAccount): FieldFault[] {
  if (models.length === 0) return [];
  return Object.keys(prices)
    .filter((model) => !models.includes(model))
    .map((model) => {
      const message = `${model} is none of the models of the account: ${models.join(', ')}${didYouMean(model, models)}`;
      return { field: 'prices', message };
    });
}
