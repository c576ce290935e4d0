import { type OperatorProtocol, type ParameterQuirks } from '../core/account';
import { type ModelPrices } from '../core/money';
import { type ModelIdentity } from '../core/sweep';
import { ALIBABA } from './catalog/alibaba';
import { ANTHROPIC } from './catalog/anthropic';
import { BYTEDANCE } from './catalog/bytedance';
import { DEEPSEEK } from './catalog/deepseek';
import { type CatalogEntry, type Sourced } from './catalog/entry';
import { GOOGLE } from './catalog/google';
import { MOONSHOT } from './catalog/moonshot';
import { OPENAI } from './catalog/openai';
import { ZHIPU } from './catalog/zhipu';

/** The nine models of the paper and current ones of the same vendors. */
export const MODEL_CATALOG: readonly CatalogEntry[] = [
  ...OPENAI,
  ...MOONSHOT,
  ...BYTEDANCE,
  ...ALIBABA,
  ...DEEPSEEK,
  ...ZHIPU,
  ...GOOGLE,
  ...ANTHROPIC,
];

/** What holds on `day`; undefined before the first and after the last day that a source vouches for. */
function holding<Value>(values: readonly Sourced<Value>[], day: string): Value | undefined {
  const last = values.findLast(({ since }) => since <= day);
  return last?.until !== undefined && last.until < day ? undefined : last?.value;
}

/** What a plan needs of a model, with the prices of the day. */
export interface CatalogModel {
  readonly name: string;
  readonly provider: OperatorProtocol;
  readonly account: string;
  readonly prices?: ModelPrices;
  readonly contextWindowTokens?: number;
  /** What a reader of the numbers should know. */
  readonly note?: string;
}

export interface ModelCatalog {
  /** By the catalog's name for it, or the provider's. */
  find(id: string): CatalogModel | undefined;
  names(): readonly string[];
}

/** The catalog as of `day` (`YYYY-MM-DD`). */
export function createModelCatalog(
  day: string,
  entries: readonly CatalogEntry[] = MODEL_CATALOG,
): ModelCatalog {
  return {
    names: () => entries.map(({ id }) => id),
    find: (id) => {
      const entry =
        entries.find((candidate) => candidate.id === id) ??
        entries.find((candidate) => candidate.name === id);
      if (entry === undefined) return undefined;
      const prices = holding(entry.prices, day);
      const context = entry.contextWindowTokens;
      return {
        name: entry.name,
        provider: entry.provider,
        account: entry.account,
        ...(prices === undefined ? {} : { prices }),
        ...(context === undefined ? {} : { contextWindowTokens: context.value }),
        ...(entry.note === undefined ? {} : { note: entry.note }),
      };
    },
  };
}

/** What the model with this provider name wants spelled differently; nothing for models that are not listed. */
export function catalogQuirks(name: string): ParameterQuirks {
  return MODEL_CATALOG.find((entry) => entry.name === name)?.quirks ?? {};
}

const FREE: ModelPrices = {
  inputPerMillion: 0,
  cachedInputPerMillion: 0,
  cacheWritePerMillion: 0,
  outputPerMillion: 0,
};

/**
 * Prices of the day for calls that bring none: our own providers are free, an unlisted model is unknown, and so is a
 * listed one at another account than its usual one, which may ask for more.
 */
export function catalogPrices(
  model: Pick<ModelIdentity, 'provider' | 'name' | 'account'>,
  day = new Date().toISOString().slice(0, 10),
): ModelPrices | undefined {
  if (model.provider === 'replay' || model.provider === 'simulated') return FREE;
  const entry = MODEL_CATALOG.find(
    ({ name, account }) => name === model.name && account === model.account,
  );
  return entry === undefined ? undefined : holding(entry.prices, day);
}
