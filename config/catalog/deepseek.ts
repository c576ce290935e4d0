import { type ParameterQuirks } from '../../core/account';
import { type CatalogEntry, type Sourced, usd } from './entry';

const PRICING = 'https://api-docs.deepseek.com/quick_start/pricing';
const WINDOW: Sourced<number> = {
  value: 1_000_000,
  since: '2026-10-17',
  source: 'https://api-docs.deepseek.com/zh-cn/quick_start/pricing/',
};
/** They think unless told not to, and refuse forced tools then (https://github.com/deepseek-ai/DeepSeek-V3/issues/1376). */
const THINKING: ParameterQuirks = { forcedTools: false };

/**
 * Prices of peak hours (weekdays 01:00 to 04:00 and 06:00 to 10:00 UTC, holidays of China apart): what a call costs
 * at most. The catalog knows no hours; at all others a call costs half.
 */
export const DEEPSEEK: readonly CatalogEntry[] = [
  {
    id: 'deepseek-v4-pro',
    provider: 'openai',
    name: 'deepseek-v4-pro',
    account: 'deepseek',
    contextWindowTokens: WINDOW,
    prices: [
      {
        value: usd({ input: 1.32, cachedInput: 0.044, output: 3.96 }),
        since: '2026-08-17',
        source: PRICING,
      },
    ],
    quirks: THINKING,
    note: 'priced as at peak hours, an upper bound: at others it costs half. It sees no images',
  },
  {
    id: 'deepseek-flash',
    provider: 'openai',
    name: 'deepseek-flash',
    account: 'deepseek',
    contextWindowTokens: WINDOW,
    prices: [
      {
        value: usd({ input: 0.3, cachedInput: 0.006, output: 1.2 }),
        since: '2026-09-10',
        source: PRICING,
      },
    ],
    quirks: THINKING,
    note: 'priced as at peak hours, an upper bound: at others it costs half',
  },
];
