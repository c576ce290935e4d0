import { type ParameterQuirks } from '../../core/account';
import { type CatalogEntry, usd } from './entry';
import { TABLES } from './tables';

const COMPARISON = 'https://dev.to/owen_fox/glm-53-api-pricing-endpoints-and-reasoningeffort-40oa';
const PRICING = 'https://docs.z.ai/guides/overview/pricing';
const PRICES = usd({ input: 1.4, cachedInput: 0.26, output: 4.4 });
/** Z.ai takes no choice of tools but a free one (https://github.com/vectorize-io/hindsight/issues/4246). */
const FREE_CHOICE: ParameterQuirks = { forcedTools: false };

/** The comparison reads both rows of the vendor's price list; keeping the cache costs nothing for now. */
export const ZHIPU: readonly CatalogEntry[] = [
  {
    id: 'glm-5.1',
    provider: 'openai',
    name: 'glm-5.1',
    account: 'zai',
    contextWindowTokens: {
      value: 200_000,
      since: '2026-11-20',
      source: PRICING,
      via: TABLES.liteLlm,
    },
    prices: [
      { value: PRICES, since: '2026-04-08', source: PRICING, via: TABLES.modelPrices },
      { value: PRICES, since: '2026-08-19', source: COMPARISON },
    ],
    quirks: FREE_CHOICE,
  },
  {
    id: 'glm-5.3',
    provider: 'openai',
    name: 'glm-5.3',
    account: 'zai',
    contextWindowTokens: { value: 1_000_000, since: '2026-08-19', source: COMPARISON },
    prices: [{ value: PRICES, since: '2026-08-19', source: COMPARISON }],
    quirks: FREE_CHOICE,
    note: 'reasoning_effort is low, high or max, max unless stated; it cannot be switched off',
  },
  {
    id: 'glm-5.3-flash',
    provider: 'openai',
    name: 'glm-5.3-flash',
    account: 'zai',
    contextWindowTokens: {
      value: 1_048_576,
      since: '2026-11-20',
      source: PRICING,
      via: TABLES.liteLlm,
    },
    prices: [
      {
        value: usd({ input: 0.15, cachedInput: 0.03, output: 0.5 }),
        since: '2026-09-10',
        source: PRICING,
        via: TABLES.modelPrices,
      },
    ],
    quirks: FREE_CHOICE,
  },
];
