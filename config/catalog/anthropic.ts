import { type ParameterQuirks } from '../../core/account';
import { type CatalogEntry, usd } from './entry';

/** Anthropic's SDK has had no sampling fields since these models: they refuse them. */
const NO_SAMPLING: ParameterQuirks = { refusedFields: ['temperature', 'top_p'] };
/** These think always, and no tool can be forced on them. */
const ALWAYS_THINKING: ParameterQuirks = { ...NO_SAMPLING, forcedTools: false };
const PRICING = 'https://platform.claude.com/docs/en/about-claude/pricing';
const LINEUP = 'https://platform.claude.com/docs/about-claude/models/whats-new-opus-5';
const HAIKU = 'https://github.com/TheKrush/PromptFuel/releases/tag/v1.0.23';

/** Cache writes are priced for five minutes, which is what the gateway's marks ask for. */
export const ANTHROPIC: readonly CatalogEntry[] = [
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
    quirks: ALWAYS_THINKING,
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
    quirks: ALWAYS_THINKING,
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
    quirks: NO_SAMPLING,
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
