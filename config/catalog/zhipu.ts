import { type CatalogEntry, usd } from './entry';

const COMPARISON = 'https://dev.to/owen_fox/glm-53-api-pricing-endpoints-and-reasoningeffort-40oa';
const PRICES = usd({ input: 1.4, cachedInput: 0.26, output: 4.4 });

/** The source reads both rows of the vendor's price list; keeping the cache costs nothing for now. */
export const ZHIPU: readonly CatalogEntry[] = [
  {
    id: 'glm-5.1',
    provider: 'openai',
    name: 'glm-5.1',
    account: 'zai',
    prices: [{ value: PRICES, since: '2026-08-19', source: COMPARISON }],
    quirks: {},
  },
  {
    id: 'glm-5.3',
    provider: 'openai',
    name: 'glm-5.3',
    account: 'zai',
    contextWindowTokens: { value: 1_000_000, since: '2026-08-19', source: COMPARISON },
    prices: [{ value: PRICES, since: '2026-08-19', source: COMPARISON }],
    quirks: {},
    note: 'reasoning_effort is low, high or max, max unless stated; it cannot be switched off',
  },
];
