import { type ParameterQuirks } from '../../core/account';
import { type CatalogEntry, type Sourced, usd } from './entry';
import { TABLES } from './tables';

const PRICING = 'https://ai.google.dev/gemini-api/docs/pricing';
const FAMILY = 'https://github.com/TrazumAPP/Trazum/releases/tag/v2.7.9';
const ARGON = 'https://github.com/BerriAI/litellm/discussions/46238';
/** Input, thinking and output share it. */
const WINDOW: Sourced<number> = {
  value: 1_048_576,
  since: '2026-11-20',
  source: PRICING,
  via: TABLES.liteLlm,
};
/**
 * Google deprecated sampling fields on 2026-07-21 (https://ai.google.dev/gemini-api/docs/changelog): newer models
 * ignore them, and later ones were announced to refuse them (https://github.com/TypeWhisper/typewhisper-win/pull/406).
 */
const NO_SAMPLING: ParameterQuirks = { refusedFields: ['temperature', 'top_p', 'top_k'] };
const DOUBLES =
  'the introductory price ends on 2026-11-30, as Google announced; it doubles on 2026-12-01';

/** Caching is automatic and writing costs no more than fresh input. */
export const GOOGLE: readonly CatalogEntry[] = [
  {
    id: 'gemini-3.1-pro',
    provider: 'openai',
    name: 'gemini-3.1-pro-preview',
    account: 'gemini',
    contextWindowTokens: WINDOW,
    prices: [
      {
        value: usd(
          { input: 2, cachedInput: 0.2, output: 12 },
          { aboveInputTokens: 200_000, input: 4, cachedInput: 0.4, output: 18 },
        ),
        since: '2026-02-19',
        source: PRICING,
        via: TABLES.modelPrices,
      },
    ],
    quirks: {},
    note: 'a prompt over 200,000 tokens is priced higher as a whole',
  },
  {
    id: 'gemini-3.8-flash',
    provider: 'openai',
    name: 'gemini-3.8-flash',
    account: 'gemini',
    contextWindowTokens: WINDOW,
    prices: [
      {
        value: usd({ input: 0.75, cachedInput: 0.075, output: 3.75 }),
        since: '2026-09-02',
        until: '2026-12-31',
        source: 'https://github.com/BerriAI/litellm/discussions/39357',
      },
      {
        value: usd({ input: 1.5, cachedInput: 0.15, output: 7.5 }),
        since: '2027-01-01',
        source: 'https://github.com/anchpop/tysm/pull/60',
      },
    ],
    quirks: NO_SAMPLING,
    note: 'the introductory price ends on 2026-12-31, as Google announced; it doubles on 2027-01-01',
  },
  {
    id: 'gemini-4-argon',
    provider: 'openai',
    name: 'gemini-4-argon',
    account: 'gemini',
    contextWindowTokens: WINDOW,
    prices: [
      {
        value: usd({ input: 2, cachedInput: 0.1, output: 10 }),
        since: '2026-10-13',
        until: '2026-11-30',
        source: ARGON,
      },
      {
        value: usd({ input: 4, cachedInput: 0.2, output: 20 }),
        since: '2026-12-01',
        source: ARGON,
      },
    ],
    quirks: NO_SAMPLING,
    note: DOUBLES,
  },
  {
    id: 'gemini-4-carbon',
    provider: 'openai',
    name: 'gemini-4-carbon',
    account: 'gemini',
    contextWindowTokens: WINDOW,
    prices: [
      {
        value: usd({ input: 2, cachedInput: 0.1, output: 10 }),
        since: '2026-11-16',
        until: '2026-11-30',
        source: FAMILY,
      },
      {
        value: usd({ input: 4, cachedInput: 0.2, output: 20 }),
        since: '2026-12-01',
        source: FAMILY,
      },
    ],
    quirks: NO_SAMPLING,
    note: DOUBLES,
  },
  {
    id: 'gemini-4-neon',
    provider: 'openai',
    name: 'gemini-4-neon',
    account: 'gemini',
    contextWindowTokens: { ...WINDOW, via: TABLES.piAi },
    prices: [
      {
        value: usd({ input: 3, cachedInput: 0.15, output: 15 }),
        since: '2026-11-20',
        source: PRICING,
        via: TABLES.piAi,
      },
    ],
    quirks: NO_SAMPLING,
  },
  {
    id: 'gemini-4-hydrogen',
    provider: 'openai',
    name: 'gemini-4-hydrogen',
    account: 'gemini',
    contextWindowTokens: WINDOW,
    prices: [
      {
        value: usd({ input: 1.5, cachedInput: 0.075, output: 7.5 }),
        since: '2026-11-16',
        source: FAMILY,
      },
    ],
    quirks: NO_SAMPLING,
  },
];
