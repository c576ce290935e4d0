import { type ParameterQuirks } from '../../core/account';
import { type CatalogEntry, usd } from './entry';
import { TABLES } from './tables';

/**
 * Their sampling is fixed: any other value is an error
 * (https://dev.to/aihubmix/kimi-k31-pro-migration-guide-five-400s-one-404-and-the-claude-code-codex-config-13k,
 * https://java.agentscope.io/v2/en/integration/model/kimi). While they think, which they do unless told not to, they
 * refuse a tool forced by name, the older ones any forced tool (https://github.com/UKGovernmentBEIS/inspect_ai/pull/5152).
 */
const KIMI: ParameterQuirks = {
  refusedFields: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
  forcedTools: false,
};

/** Cache writes are priced for five minutes, where they are priced apart. */
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
    quirks: KIMI,
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
    prices: [
      {
        value: usd({ input: 0.95, cachedInput: 0.16, output: 4 }),
        since: '2026-04-21',
        source: 'https://platform.kimi.ai/docs/pricing/chat-k26',
        via: TABLES.modelPrices,
      },
    ],
    quirks: KIMI,
    note: 'Moonshot announced to retire it at the end of December 2026; accounts made since 2026-10-31 do not have it',
  },
  {
    id: 'kimi-k3.1-pro',
    provider: 'openai',
    name: 'kimi-k3.1-pro',
    account: 'moonshot',
    contextWindowTokens: {
      value: 1_048_576,
      since: '2026-11-20',
      source: 'https://platform.kimi.ai/docs/pricing/chat',
      via: TABLES.liteLlm,
    },
    prices: [
      {
        value: usd({ input: 2, cachedInput: 0.2, cacheWrite: 2, output: 10 }),
        since: '2026-10-25',
        source: 'https://docs.apiyi.com/en/api-capabilities/kimi-k3-1/overview',
      },
    ],
    quirks: KIMI,
  },
];
