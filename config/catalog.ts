import { type ParameterQuirks } from '../core/account';
import { type ModelPrices, microUsd } from '../core/money';
import { type ModelIdentity } from '../core/sweep';

/** A number from outside, with where it was read and the day it is known to hold from. */
export interface Sourced<Value> {
  readonly value: Value;
  /** Day from which the source states it, `YYYY-MM-DD`. */
  readonly since: string;
  readonly source: string;
}

/** A model that sweeps may name without saying more. What could not be sourced is left out: unknown, never 0. */
export interface CatalogEntry {
  /** The name that sweep files use. */
  readonly id: string;
  readonly provider: 'openai';
  /** The provider's name for it. */
  readonly name: string;
  /** Account that serves it unless the sweep names another. */
  readonly account: string;
  readonly contextWindowTokens?: Sourced<number>;
  /** Newest last; the last one whose day has come counts. */
  readonly prices: readonly Sourced<ModelPrices>[];
  readonly quirks: ParameterQuirks;
  /** What a reader of the numbers should know. */
  readonly note?: string;
}

function usd(
  input: number,
  cachedInput: number,
  output: number,
  longContext?: ModelPrices['longContext'],
): ModelPrices {
  return {
    inputPerMillion: microUsd(input),
    cachedInputPerMillion: microUsd(cachedInput),
    // None of the sourced price lists has a price of its own for writing to the cache.
    cacheWritePerMillion: microUsd(input),
    outputPerMillion: microUsd(output),
    ...(longContext === undefined ? {} : { longContext }),
  };
}

/** Models of this family refuse sampling fields and take the output limit under another name. */
const REASONING_GPT: ParameterQuirks = {
  outputLimitField: 'max_completion_tokens',
  refusedFields: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
};

/** The nine models of the paper. All are reached through OpenAI-compatible addresses. */
export const MODEL_CATALOG: readonly CatalogEntry[] = [
  {
    id: 'gpt-5.5',
    provider: 'openai',
    name: 'gpt-5.5',
    account: 'openai',
    contextWindowTokens: {
      value: 1_000_000,
      since: '2026-04-23',
      source: 'https://apidog.com/blog/how-to-use-gpt-5-5-api/',
    },
    prices: [
      {
        value: usd(5, 0.5, 30, {
          aboveInputTokens: 272_000,
          inputPerMillion: microUsd(10),
          cachedInputPerMillion: microUsd(1),
          cacheWritePerMillion: microUsd(10),
          outputPerMillion: microUsd(45),
        }),
        since: '2026-04-23',
        source: 'https://www.benchr.org/articles/gpt-5-5-pricing-explained',
      },
    ],
    quirks: REASONING_GPT,
    note: 'a prompt over 272,000 tokens is priced higher as a whole',
  },
  {
    id: 'gpt-5.6-sol',
    provider: 'openai',
    name: 'gpt-5.6-sol',
    account: 'openai',
    prices: [],
    quirks: REASONING_GPT,
    note: 'only preview prices were found; state the current ones in providers.yaml',
  },
  {
    id: 'kimi-k3',
    provider: 'openai',
    name: 'kimi-k3',
    account: 'moonshot',
    contextWindowTokens: {
      value: 1_048_576,
      since: '2026-07-18',
      source: 'https://docs.apiyi.com/en/models/kimi-k3.md',
    },
    prices: [
      {
        value: usd(3, 0.3, 15),
        since: '2026-07-18',
        source: 'https://platform.kimi.ai/docs/pricing/chat-k3',
      },
    ],
    quirks: { refusedFields: ['temperature'] },
  },
  {
    id: 'kimi-k2.6',
    provider: 'openai',
    name: 'kimi-k2.6',
    account: 'moonshot',
    contextWindowTokens: {
      value: 262_144,
      since: '2026-05-25',
      source: 'https://www.chatbase.co/blog/kimi-k2-api',
    },
    prices: [],
    quirks: {},
    note: 'no price list in dollars was found; state the prices in providers.yaml',
  },
  {
    id: 'seed-2.1-pro',
    provider: 'openai',
    name: 'doubao-seed-2-1-pro-260915',
    account: 'ark',
    prices: [],
    quirks: {},
    note: 'priced in yuan; state the prices in providers.yaml',
  },
  {
    id: 'glm-5.1',
    provider: 'openai',
    name: 'glm-5.1',
    account: 'zai',
    prices: [],
    quirks: {},
    note: 'no dated price list was found; state the prices in providers.yaml',
  },
  {
    id: 'qwen-3.6-max',
    provider: 'openai',
    name: 'qwen3.6-max-preview',
    account: 'dashscope',
    prices: [],
    quirks: {},
    note: 'neither the name at the provider nor its prices could be confirmed; name both account and model in the sweep',
  },
  {
    id: 'deepseek-v4-pro',
    provider: 'openai',
    name: 'deepseek-v4-pro',
    account: 'deepseek',
    contextWindowTokens: {
      value: 1_000_000,
      since: '2026-10-17',
      source: 'https://api-docs.deepseek.com/zh-cn/quick_start/pricing/',
    },
    prices: [],
    quirks: {},
    note: 'the price depends on the hour of the day; state an upper bound in providers.yaml',
  },
  {
    id: 'gemini-3.1-pro',
    provider: 'openai',
    name: 'gemini-3.1-pro-preview',
    account: 'gemini',
    contextWindowTokens: {
      value: 1_000_000,
      since: '2026-10-11',
      source: 'https://inference.sh/apps/openrouter/gemini-3-1-pro-preview.md',
    },
    prices: [],
    quirks: {},
    note: 'the price of cached input in long prompts was not found; state the prices in providers.yaml',
  },
];

/** What a plan needs of a model, with the prices of the day. */
export interface CatalogModel {
  readonly name: string;
  readonly provider: 'openai';
  readonly account: string;
  readonly prices?: ModelPrices;
  readonly contextWindowTokens?: number;
}

export interface ModelCatalog {
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
      const entry = entries.find((candidate) => candidate.id === id);
      if (entry === undefined) return undefined;
      const prices = entry.prices.findLast(({ since }) => since <= day)?.value;
      const context = entry.contextWindowTokens;
      return {
        name: entry.name,
        provider: entry.provider,
        account: entry.account,
        ...(prices === undefined ? {} : { prices }),
        ...(context === undefined ? {} : { contextWindowTokens: context.value }),
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

/** Prices of the day for calls that bring none: our own providers are free, an unlisted model is unknown. */
export function catalogPrices(
  model: Pick<ModelIdentity, 'provider' | 'name'>,
  day = new Date().toISOString().slice(0, 10),
): ModelPrices | undefined {
  if (model.provider === 'replay' || model.provider === 'simulated') return FREE;
  const entry = MODEL_CATALOG.find(({ name }) => name === model.name);
  return entry?.prices.findLast(({ since }) => since <= day)?.value;
}
