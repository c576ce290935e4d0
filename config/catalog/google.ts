import { type CatalogEntry } from './entry';

export const GOOGLE: readonly CatalogEntry[] = [
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
  {
    id: 'gemini-3.8-flash',
    provider: 'openai',
    name: 'gemini-3.8-flash',
    account: 'gemini',
    prices: [],
    quirks: {},
    note: 'the price of cached input was not found; state the prices in providers.yaml',
  },
];
