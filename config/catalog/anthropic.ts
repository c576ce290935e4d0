import { type ParameterQuirks } from '../../core/account';
import { type CatalogEntry, usd } from './entry';
import { TABLES } from './tables';

/** Sampling that is not the default is an error (https://platform.claude.com/docs/en/models/haiku-5-5/whats-new-haiku-5-5). */
const NO_SAMPLING: ParameterQuirks = { refusedFields: ['temperature', 'top_p', 'top_k'] };
/**
 * No tool can be forced on them either: Fable and Opus think always, and Sonnet refuses it too
 * (https://platform.claude.com/docs/en/models/sonnet-5-5/whats-new-sonnet-5-5).
 */
const NO_FORCED_TOOLS: ParameterQuirks = { ...NO_SAMPLING, forcedTools: false };
const PRICING = 'https://platform.claude.com/docs/en/about-claude/pricing';
const LINEUP = 'https://platform.claude.com/docs/about-claude/models/whats-new-opus-5';
const HAIKU = 'https://github.com/TheKrush/PromptFuel/releases/tag/v1.0.23';

/** Cache writes are priced for five minutes, which is what the gateway's marks ask for. */
export const ANTHROPIC: readonly CatalogEntry[] = [
  {
    id: 'claude-fable-5.2',
    provider: 'anthropic',
    name: 'claude-fable-5-2',
    account: 'anthropic',
    contextWindowTokens: {
      value: 1_000_000,
      since: '2026-11-10',
      source: 'https://platform.claude.com/docs/en/models/fable-5-2/overview',
      via: TABLES.genaiPrices,
    },
    prices: [
      {
        value: usd({ input: 8, cachedInput: 0.2, cacheWrite: 10, output: 40 }),
        since: '2026-11-10',
        source: PRICING,
        via: TABLES.genaiPrices,
      },
    ],
    quirks: NO_FORCED_TOOLS,
  },
  {
    id: 'claude-fable-5.1',
    provider: 'anthropic',
    name: 'claude-fable-5-1',
    account: 'anthropic',
    contextWindowTokens: { value: 1_000_000, since: '2026-10-24', source: LINEUP },
    prices: [
      {
        value: usd({ input: 10, cachedInput: 0.25, cacheWrite: 12.5, output: 50 }),
        since: '2026-10-24',
        source: PRICING,
      },
    ],
    quirks: NO_FORCED_TOOLS,
  },
  {
    id: 'claude-opus-5.5',
    provider: 'anthropic',
    name: 'claude-opus-5-5',
    account: 'anthropic',
    contextWindowTokens: { value: 1_000_000, since: '2026-10-24', source: LINEUP },
    prices: [
      {
        value: usd({ input: 4, cachedInput: 0.2, cacheWrite: 5, output: 20 }),
        since: '2026-10-24',
        source: 'https://platform.claude.com/docs/es/models/opus-5-5/overview',
      },
    ],
    quirks: NO_FORCED_TOOLS,
  },
  {
    id: 'claude-sonnet-5.5',
    provider: 'anthropic',
    name: 'claude-sonnet-5-5',
    account: 'anthropic',
    contextWindowTokens: { value: 1_000_000, since: '2026-10-24', source: LINEUP },
    prices: [
      {
        value: usd({ input: 2, cachedInput: 0.1, cacheWrite: 2.5, output: 10 }),
        since: '2026-10-24',
        source: 'https://github.com/kurofune/claudit/releases/tag/v1.9.2',
      },
    ],
    quirks: NO_FORCED_TOOLS,
  },
  {
    id: 'claude-haiku-5.5',
    provider: 'anthropic',
    name: 'claude-haiku-5-5',
    account: 'anthropic',
    contextWindowTokens: { value: 1_000_000, since: '2026-10-24', source: LINEUP },
    prices: [
      {
        value: usd(
          { input: 0.1, cachedInput: 0.01, cacheWrite: 0.125, output: 0.5 },
          {
            aboveInputTokens: 100_000,
            input: 0.5,
            cachedInput: 0.05,
            cacheWrite: 0.625,
            output: 2.5,
          },
        ),
        since: '2026-10-07',
        source: HAIKU,
      },
    ],
    quirks: NO_SAMPLING,
    note: 'a prompt over 100,000 tokens is priced higher as a whole',
  },
];
