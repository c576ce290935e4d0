import { type ParameterQuirks } from '../../core/account';
import { type CatalogEntry, usd } from './entry';
import { TABLES } from './tables';

/** Models of this family refuse sampling fields and take the output limit under another name. */
const REASONING: ParameterQuirks = {
  outputLimitField: 'max_completion_tokens',
  refusedFields: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
};
const MODELS = 'https://developers.openai.com/api/docs/models';
const PRICING = 'https://developers.openai.com/api/docs/pricing';

/**
 * They are asked over Responses: in Chat Completions they take function tools only without reasoning
 * (https://github.com/openai/openai-openapi/issues/541, https://github.com/robocurve/inspect-robots/issues/131).
 */
export const OPENAI: readonly CatalogEntry[] = [
  {
    id: 'gpt-5.5',
    provider: 'openai-responses',
    name: 'gpt-5.5',
    account: 'openai',
    contextWindowTokens: {
      value: 1_050_000,
      since: '2026-11-20',
      source: PRICING,
      via: TABLES.liteLlm,
    },
    prices: [
      {
        value: usd(
          { input: 5, cachedInput: 0.5, output: 30 },
          { aboveInputTokens: 272_000, input: 10, cachedInput: 1, output: 45 },
        ),
        since: '2026-04-23',
        source: 'https://www.benchr.org/articles/gpt-5-5-pricing-explained',
      },
    ],
    quirks: REASONING,
    note: 'a prompt over 272,000 tokens is priced higher as a whole',
  },
  {
    id: 'gpt-5.6-sol',
    provider: 'openai-responses',
    name: 'gpt-5.6-sol',
    account: 'openai',
    contextWindowTokens: {
      value: 1_050_000,
      since: '2026-07-09',
      source: `${MODELS}/gpt-5.6-sol`,
    },
    prices: [
      {
        value: usd(
          { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 30 },
          { aboveInputTokens: 272_000, input: 10, cachedInput: 1, cacheWrite: 12.5, output: 45 },
        ),
        since: '2026-07-09',
        source: 'https://github.com/TheKrush/PromptFuel/releases/tag/v1.0.17',
      },
      {
        value: usd(
          { input: 4, cachedInput: 0.4, cacheWrite: 5, output: 20 },
          { aboveInputTokens: 272_000, input: 8, cachedInput: 0.8, cacheWrite: 10, output: 30 },
        ),
        since: '2026-08-21',
        until: '2026-11-21',
        source: `${MODELS}/gpt-5.6-sol`,
      },
    ],
    quirks: REASONING,
    note: 'the promotional price was promised until 2026-11-21; state the current one in providers.yaml',
  },
  {
    id: 'gpt-6.2-sol',
    provider: 'openai-responses',
    name: 'gpt-6.2-sol',
    account: 'openai',
    contextWindowTokens: {
      value: 1_050_000,
      since: '2026-11-17',
      source: `${MODELS}/gpt-6.2-sol`,
    },
    prices: [
      {
        value: usd(
          { input: 2, cachedInput: 0.1, cacheWrite: 2.5, output: 10 },
          { aboveInputTokens: 272_000, input: 4, cachedInput: 0.2, cacheWrite: 5, output: 15 },
        ),
        since: '2026-11-17',
        source: `${MODELS}/gpt-6.2-sol`,
      },
    ],
    quirks: REASONING,
    note: 'refuses reasoning_effort none; cache writes are priced for 30 minutes',
  },
  {
    id: 'gpt-6.2-astra',
    provider: 'openai-responses',
    name: 'gpt-6.2-astra',
    account: 'openai',
    contextWindowTokens: {
      value: 1_050_000,
      since: '2026-11-18',
      source: 'https://docs.laozhang.ai/en/announcements/gpt-6-2-2026-11.md',
    },
    prices: [
      {
        value: usd(
          { input: 8, cachedInput: 0.4, cacheWrite: 10, output: 40 },
          { aboveInputTokens: 272_000, input: 16, cachedInput: 0.8, cacheWrite: 20, output: 60 },
        ),
        since: '2026-11-20',
        source: PRICING,
        via: TABLES.piAi,
      },
    ],
    quirks: REASONING,
    note: 'refuses reasoning_effort none; cache writes are priced for 30 minutes',
  },
  {
    id: 'gpt-6.1-terra',
    provider: 'openai-responses',
    name: 'gpt-6.1-terra',
    account: 'openai',
    contextWindowTokens: {
      value: 1_050_000,
      since: '2026-10-26',
      source: `${MODELS}/gpt-6.1-terra`,
      via: TABLES.genaiPrices,
    },
    prices: [
      {
        value: usd(
          { input: 1, cachedInput: 0.05, cacheWrite: 1.25, output: 5 },
          { aboveInputTokens: 272_000, input: 2, cachedInput: 0.1, cacheWrite: 2.5, output: 7.5 },
        ),
        since: '2026-10-26',
        source: PRICING,
        via: TABLES.modelPrices,
      },
    ],
    quirks: REASONING,
    note: 'cache writes are priced for 30 minutes',
  },
  {
    id: 'gpt-6-luna',
    provider: 'openai-responses',
    name: 'gpt-6-luna',
    account: 'openai',
    contextWindowTokens: {
      value: 1_050_000,
      since: '2026-09-22',
      source: 'https://docs.litellm.ai/blog/gpt_6_sol_luna',
    },
    prices: [
      {
        value: usd(
          { input: 0.1, cachedInput: 0.01, cacheWrite: 0.125, output: 0.5 },
          {
            aboveInputTokens: 272_000,
            input: 0.2,
            cachedInput: 0.02,
            cacheWrite: 0.25,
            output: 0.75,
          },
        ),
        since: '2026-09-22',
        source: PRICING,
        via: TABLES.modelPrices,
      },
    ],
    quirks: REASONING,
    note: 'cache writes are priced for 30 minutes',
  },
];
