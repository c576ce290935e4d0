import { type CatalogEntry } from './entry';

/** ByteDance, Alibaba and DeepSeek: their prices are in yuan, or depend on what a plan cannot know. */
export const OTHERS: readonly CatalogEntry[] = [
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
    id: 'seed-2.1-turbo',
    provider: 'openai',
    name: 'doubao-seed-2-1-turbo-260628',
    account: 'ark',
    contextWindowTokens: {
      value: 256_000,
      since: '2026-07-21',
      source: 'https://docs.apiyi.com/models/dola-seed-2-1-turbo.md',
    },
    prices: [],
    quirks: {},
    note: 'priced in yuan; state the prices in providers.yaml',
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
    id: 'qwen-3.7-max',
    provider: 'openai',
    name: 'qwen3.7-max',
    account: 'dashscope',
    contextWindowTokens: {
      value: 1_000_000,
      since: '2026-05-21',
      source: 'https://docs.apiyi.com/ja/models/qwen3-7-max.md',
    },
    prices: [],
    quirks: {},
    note: 'no price list of the vendor in dollars was found; state the prices in providers.yaml',
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
    note: 'the price depends on the hour of the day; state an upper bound in providers.yaml. It sees no images',
  },
  {
    id: 'deepseek-flash',
    provider: 'openai',
    name: 'deepseek-flash',
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
];
