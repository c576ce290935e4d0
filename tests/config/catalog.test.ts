import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCOUNT_PRESETS } from '../../config/account-presets';
import {
  catalogPrices,
  catalogQuirks,
  createModelCatalog,
  MODEL_CATALOG,
} from '../../config/catalog';
import { costOf } from '../../core/money';

/** Names as the paper's tables print them. */
const PAPER_MODELS = [
  'Kimi-K3',
  'GPT-5.6-sol',
  'GPT-5.5',
  'Seed-2.1-Pro',
  'Kimi-K2.6',
  'GLM-5.1',
  'Qwen-3.6-Max',
  'DeepSeek-V4-Pro',
  'Gemini-3.1-Pro',
];

describe('the model catalog', () => {
  it('can name the nine models of the paper', () => {
    const catalog = createModelCatalog('2026-11-01');
    for (const model of PAPER_MODELS) expect(catalog.find(model.toLowerCase())).toBeDefined();
    expect(new Set(catalog.names()).size).toBe(catalog.names().length);
  });

  it('has no number without a day and a source', () => {
    for (const entry of MODEL_CATALOG)
      for (const sourced of [...entry.prices, entry.contextWindowTokens])
        if (sourced !== undefined) {
          for (const day of [sourced.since, sourced.until ?? sourced.since])
            expect(new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10)).toBe(day);
          expect(sourced.since <= (sourced.until ?? sourced.since)).toBe(true);
          expect(new URL(sourced.source).protocol).toBe('https:');
        }
  });

  it('knows where each model usually is, in which protocol, and where its key is kept', () => {
    for (const { account, provider } of MODEL_CATALOG) {
      expect(ACCOUNT_PRESETS[account]).toMatchObject({ protocol: provider });
      expect(ACCOUNT_PRESETS[account]?.keyEnv).toMatch(/^[A-Z]+_API_KEY$/u);
    }
  });

  it('has no price of zero: unknown is left out', () => {
    for (const { prices } of MODEL_CATALOG)
      for (const { value } of prices)
        for (const amount of [
          value.inputPerMillion,
          value.cachedInputPerMillion,
          value.outputPerMillion,
        ])
          expect(amount).toBeGreaterThan(0);
  });

  it('writes numbers only where they are sourced', () => {
    // Prices and windows outside a `value:` would have neither day nor source.
    const folder = join(__dirname, '../../config/catalog');
    for (const file of readdirSync(folder).filter((name) => name !== 'entry.ts')) {
      const text = readFileSync(join(folder, file), 'utf8');
      const outside = text
        .replaceAll(/\/\*[\s\S]*?\*\//gu, '')
        .replaceAll(/'[^']*'|`[^`]*`/gu, "''")
        .replaceAll(/(?:value:|const PRICES =) usd\([\s\S]*?\)(?=,\n\s+since|;)/gu, '')
        .replaceAll(/value: [\d_]+,(?= since|\n\s+since)/gu, '');
      expect([file, outside.match(/\d[\d_.]*/gu)]).toEqual([file, null]);
    }
  });

  it('knows only the prices whose day has come', () => {
    expect(createModelCatalog('2026-04-22').find('gpt-5.5')?.prices).toBeUndefined();
    expect(createModelCatalog('2026-04-23').find('gpt-5.5')?.prices?.inputPerMillion).toBe(
      5_000_000,
    );
    const glm = { provider: 'openai', name: 'glm-5.1' } as const;
    expect(catalogPrices(glm, '2026-08-18')).toBeUndefined();
    expect(catalogPrices(glm, '2026-08-19')?.cachedInputPerMillion).toBe(260_000);
    expect(catalogPrices({ provider: 'openai', name: 'never-heard-of' })).toBeUndefined();
    expect(catalogPrices({ provider: 'replay', name: 'recordings/strong' })?.outputPerMillion).toBe(
      0,
    );
  });

  it('forgets a price after the last day that its source vouches for', () => {
    const price = (day: string) =>
      catalogPrices({ provider: 'openai-responses', name: 'gpt-5.6-sol' }, day)?.inputPerMillion;
    expect(price('2026-08-20')).toBe(5_000_000);
    expect(price('2026-08-21')).toBe(4_000_000);
    expect(price('2026-11-21')).toBe(4_000_000);
    expect(price('2026-11-22')).toBeUndefined();
    expect(createModelCatalog('2026-11-22').find('gpt-5.6-sol')?.note).toContain('2026-11-21');
  });

  it.each([
    // 100,000 fresh x 2 + 150,000 cached x 0.1 + 20,000 written x 2.5 + 1,000 x 10
    ['gpt-6.2-sol', 270_000, 150_000, 20_000, 1_000, 200_000 + 15_000 + 50_000 + 10_000],
    // one token over the tier: the whole call at its prices
    ['gpt-6.2-sol', 272_001, 150_000, 20_000, 1_000, 408_004 + 30_000 + 100_000 + 15_000],
    // 10,000 x 4 + 80,000 x 0.2 + 10,000 x 5 + 2,000 x 20
    ['claude-opus-5-5', 100_000, 80_000, 10_000, 2_000, 40_000 + 16_000 + 50_000 + 40_000],
    ['claude-haiku-5-5', 100_000, 0, 100_000, 0, 12_500],
    ['claude-haiku-5-5', 100_001, 0, 100_001, 0, 62_501],
  ] as const)(
    'prices a call of %s with %i tokens in',
    (name, input, cached, written, output, cost) => {
      const prices = catalogPrices({ provider: 'anthropic', name }, '2026-11-30');
      const usage = {
        inputTokens: input,
        cachedInputTokens: cached,
        cacheWriteTokens: written,
        outputTokens: output,
      };
      expect(costOf(usage, prices)).toBe(cost);
    },
  );

  it('knows how a model wants its parameters spelled', () => {
    expect(catalogQuirks('gpt-5.5')).toMatchObject({ outputLimitField: 'max_completion_tokens' });
    expect(catalogQuirks('my-model')).toEqual({});
  });
});
