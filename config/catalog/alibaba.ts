import { type ParameterQuirks } from '../../core/account';
import { type CatalogEntry, usd } from './entry';
import { TABLES } from './tables';

const PRICING = 'https://www.alibabacloud.com/help/en/model-studio/model-pricing';
/**
 * They think unless told not to, and no tool can be forced on them meanwhile
 * (https://github.com/can1357/oh-my-pi/issues/886, https://github.com/agentscope-ai/agentscope/issues/1608).
 */
const THINKING: ParameterQuirks = { forcedTools: false };

/** Prices of the Singapore deployment, in dollars; the one in Beijing is cheaper and priced in yuan. */
export const ALIBABA: readonly CatalogEntry[] = [
  {
    id: 'qwen-3.6-max',
    provider: 'openai',
    name: 'qwen3.6-max-preview',
    account: 'dashscope',
    prices: [
      {
        value: usd(
          { input: 1.3, cachedInput: 0.13, cacheWrite: 1.625, output: 7.8 },
          { aboveInputTokens: 128_000, input: 2, cachedInput: 0.2, cacheWrite: 2.5, output: 12 },
        ),
        since: '2026-05-03',
        source: PRICING,
        via: TABLES.modelPrices,
      },
    ],
    quirks: THINKING,
    note: 'a preview that the provider calls deprecated; a prompt over 128,000 tokens is priced higher as a whole',
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
    prices: [
      {
        value: usd({ input: 2.5, cachedInput: 0.5, cacheWrite: 3.125, output: 7.5 }),
        since: '2026-05-21',
        source: PRICING,
        via: TABLES.modelPrices,
      },
    ],
    quirks: THINKING,
  },
  {
    id: 'qwen-3.8-max',
    provider: 'openai',
    name: 'qwen3.8-max',
    account: 'dashscope',
    contextWindowTokens: {
      value: 1_000_000,
      since: '2026-08-03',
      source: 'https://github.com/theopenco/llmgateway/pull/3392',
    },
    prices: [
      {
        value: usd({ input: 2, cachedInput: 0.25, cacheWrite: 2.5, output: 6 }),
        since: '2026-08-03',
        source: 'https://github.com/theopenco/llmgateway/pull/3392',
      },
    ],
    quirks: THINKING,
  },
  {
    id: 'qwen-3.8-flash',
    provider: 'openai',
    name: 'qwen3.8-flash',
    account: 'dashscope',
    contextWindowTokens: {
      value: 1_000_000,
      since: '2026-08-26',
      source: 'https://github.com/LiveBench/LiveBench/pull/520',
    },
    prices: [
      {
        value: usd({ input: 0.15, cachedInput: 0.016, cacheWrite: 0.2, output: 0.47 }),
        since: '2026-09-02',
        source: PRICING,
        via: TABLES.modelPrices,
      },
    ],
    quirks: THINKING,
  },
  {
    id: 'qwen-4-max',
    provider: 'openai',
    name: 'qwen4-max',
    account: 'dashscope',
    contextWindowTokens: {
      value: 1_000_000,
      since: '2026-11-16',
      source: 'https://apidog.com/blog/qwen-4-max-api/',
    },
    prices: [
      {
        value: usd({ input: 1.5, cachedInput: 0.075, output: 4.5 }),
        since: '2026-11-17',
        source: 'https://docs.apiyi.com/en/live/2026-11/qwen4-max-launch.md',
      },
    ],
    quirks: {},
    note: 'its output limit counts thinking too; tools can be forced on it',
  },
];
