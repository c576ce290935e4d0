import { type CatalogEntry, usd } from './entry';

export const MOONSHOT: readonly CatalogEntry[] = [
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
        value: usd({ input: 3, cachedInput: 0.3, output: 15 }),
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
    id: 'kimi-k3.1-pro',
    provider: 'openai',
    name: 'kimi-k3.1-pro',
    account: 'moonshot',
    prices: [
      {
        value: usd({ input: 2, cachedInput: 0.2, cacheWrite: 2, output: 10 }),
        since: '2026-10-25',
        source: 'https://docs.apiyi.com/en/api-capabilities/kimi-k3-1/overview',
      },
    ],
    quirks: {},
    note: 'cache writes are priced for five minutes',
  },
];
