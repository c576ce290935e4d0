import { type CatalogEntry, usd } from './entry';
import { TABLES } from './tables';

/** Volcengine Ark, the platform in China. */
const ARK_PRICING = 'https://www.volcengine.com/docs/82379/1544106';
const IN_YUAN = 'priced in yuan; the dollars are as LiteLLM converts them';

export const BYTEDANCE: readonly CatalogEntry[] = [
  {
    id: 'seed-2.1-pro',
    provider: 'openai',
    name: 'doubao-seed-2-1-pro-260915',
    account: 'ark',
    contextWindowTokens: {
      value: 1_024_000,
      since: '2026-11-20',
      source: ARK_PRICING,
      via: TABLES.liteLlm,
    },
    prices: [
      {
        value: usd({ input: 0.8625, cachedInput: 0.1725, output: 4.3125 }),
        since: '2026-11-20',
        source: ARK_PRICING,
        via: TABLES.liteLlm,
      },
    ],
    quirks: {},
    note: IN_YUAN,
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
    prices: [
      {
        value: usd({ input: 0.43125, cachedInput: 0.08625, output: 2.15625 }),
        since: '2026-11-20',
        source: ARK_PRICING,
        via: TABLES.liteLlm,
      },
    ],
    quirks: {},
    note: IN_YUAN,
  },
  {
    id: 'seed-2.1-lite',
    provider: 'openai',
    name: 'doubao-seed-2-1-lite-260915',
    account: 'ark',
    contextWindowTokens: {
      value: 1_024_000,
      since: '2026-11-20',
      source: ARK_PRICING,
      via: TABLES.liteLlm,
    },
    prices: [
      {
        value: usd({ input: 0.115, cachedInput: 0.023, output: 0.388126 }),
        since: '2026-11-20',
        source: ARK_PRICING,
        via: TABLES.liteLlm,
      },
    ],
    quirks: {},
    note: IN_YUAN,
  },
  {
    id: 'dola-seed-2.1-turbo',
    provider: 'openai',
    name: 'dola-seed-2-1-turbo-260628',
    account: 'byteplus',
    contextWindowTokens: {
      value: 256_000,
      since: '2026-07-21',
      source: 'https://docs.apiyi.com/models/dola-seed-2-1-turbo.md',
    },
    prices: [
      {
        value: usd({ input: 0.5, cachedInput: 0.1, output: 2.5 }),
        since: '2026-10-08',
        source: 'https://docs.byteplus.com/en/docs/ModelArk/1544106',
        via: TABLES.modelPrices,
      },
    ],
    quirks: {},
    note: 'the same model on the platform outside China, which is priced in dollars',
  },
];
