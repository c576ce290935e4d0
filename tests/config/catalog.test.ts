import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCOUNT_PRESETS } from '../../config/account-presets';
import {
  catalogPrices,
  catalogQuirks,
  createModelCatalog,
  MODEL_CATALOG,
} from '../../config/catalog';
import { TABLES } from '../../config/catalog/tables';
import { costOf, type ModelPrices } from '../../core/money';

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

/** Prices of a model at the account that usually serves it. */
function usualPrices(name: string, day: string): ModelPrices | undefined {
  const entry = MODEL_CATALOG.find((candidate) => candidate.name === name);
  if (entry === undefined) throw new Error(`${name} is not in the catalog`);
  return catalogPrices(entry, day);
}

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

  it('names the day of every public table that a number was read through', () => {
    const tables: string[] = Object.values(TABLES);
    for (const table of tables) expect(table).toMatch(/ \d+\.\d+\.\d+.* \d{4}-\d\d-\d\d\)$/u);
    for (const { prices, contextWindowTokens } of MODEL_CATALOG)
      for (const { via, since } of [
        ...prices,
        ...(contextWindowTokens ? [contextWindowTokens] : []),
      ])
        if (via !== undefined) {
          expect(tables).toContain(via);
          // A table cannot vouch for a day after its own.
          expect(since <= (/\d{4}-\d\d-\d\d/u.exec(via)?.[0] ?? '')).toBe(true);
        }
  });

  it('knows what every model costs and holds, but for those whose sources ended', () => {
    const catalog = createModelCatalog('2026-11-30');
    const without = (fact: 'prices' | 'contextWindowTokens'): string[] =>
      catalog.names().filter((name) => catalog.find(name)?.[fact] === undefined);
    expect(without('prices')).toEqual(['gpt-5.6-sol']);
    expect(without('contextWindowTokens')).toEqual(['qwen-3.6-max']);
  });

  it('has prices in order: of days, of kinds of tokens, of tiers', () => {
    for (const { id, prices } of MODEL_CATALOG)
      prices.forEach(({ value, since, until }, index) => {
        const next = prices[index + 1];
        expect([id, next === undefined || (until ?? since) < next.since]).toEqual([id, true]);
        const { longContext, ...flat } = value;
        const tiers: Omit<ModelPrices, 'longContext'>[] =
          longContext === undefined ? [flat] : [flat, longContext];
        for (const tier of tiers) {
          expect(tier.cachedInputPerMillion).toBeLessThan(tier.inputPerMillion);
          expect(tier.inputPerMillion).toBeLessThan(tier.outputPerMillion);
          expect(tier.cacheWritePerMillion).toBeGreaterThanOrEqual(tier.inputPerMillion);
        }
        if (longContext !== undefined)
          for (const kind of Object.keys(flat) as (keyof typeof flat)[])
            expect([id, longContext[kind] > flat[kind]]).toEqual([id, true]);
      });
  });

  it('is found by its provider’s name for it too', () => {
    const catalog = createModelCatalog('2026-11-30');
    for (const { id, name } of MODEL_CATALOG) expect(catalog.find(name)).toEqual(catalog.find(id));
  });

  it('names a model at its provider once', () => {
    const names = MODEL_CATALOG.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
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
    const glm = { provider: 'openai', name: 'glm-5.1', account: 'zai' } as const;
    expect(catalogPrices(glm, '2026-04-07')).toBeUndefined();
    expect(catalogPrices(glm, '2026-04-08')?.cachedInputPerMillion).toBe(260_000);
    expect(catalogPrices({ ...glm, name: 'never-heard-of' })).toBeUndefined();
    const replay = { provider: 'replay', name: 'recordings/strong', account: 'replay' } as const;
    expect(catalogPrices(replay)?.outputPerMillion).toBe(0);
  });

  it('knows no price of a model at another account than its usual one', () => {
    const relayed = { provider: 'openai', name: 'deepseek-v4-pro', account: 'a-relay' } as const;
    expect(catalogPrices(relayed, '2026-11-30')).toBeUndefined();
    expect(catalogPrices({ ...relayed, account: 'deepseek' }, '2026-11-30')).toBeDefined();
  });

  it('forgets a price after the last day that its source vouches for', () => {
    const price = (day: string) => usualPrices('gpt-5.6-sol', day)?.inputPerMillion;
    expect(price('2026-08-20')).toBe(5_000_000);
    expect(price('2026-08-21')).toBe(4_000_000);
    expect(price('2026-11-21')).toBe(4_000_000);
    expect(price('2026-11-22')).toBeUndefined();
    expect(createModelCatalog('2026-11-22').find('gpt-5.6-sol')?.note).toContain('2026-11-21');
  });

  it.each([
    ['gemini-4-carbon', '2026-11-30', 2_000_000],
    ['gemini-4-carbon', '2026-12-01', 4_000_000],
    ['gemini-3.8-flash', '2026-12-31', 750_000],
    ['gemini-3.8-flash', '2027-01-01', 1_500_000],
  ])('takes %s up on the day that was announced: %s', (name, day, input) => {
    expect(usualPrices(name, day)?.inputPerMillion).toBe(input);
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
    // 50,000 x 2 + 150,000 x 0.2 + 1,000 x 12, and one token over the tier
    ['gemini-3.1-pro-preview', 200_000, 150_000, 0, 1_000, 100_000 + 30_000 + 12_000],
    ['gemini-3.1-pro-preview', 200_001, 150_000, 0, 1_000, 200_004 + 60_000 + 18_000],
    ['qwen3.6-max-preview', 128_001, 0, 0, 1_000, 256_002 + 12_000],
    // 10,000 x 1.32 + 90,000 x 0.044 + 1,000 x 3.96: at peak hours
    ['deepseek-v4-pro', 100_000, 90_000, 0, 1_000, 13_200 + 3_960 + 3_960],
    ['kimi-k2.6', 100_000, 90_000, 0, 1_000, 9_500 + 14_400 + 4_000],
    ['doubao-seed-2-1-pro-260915', 100_000, 90_000, 0, 1_000, 8_625 + 15_525 + 4_313],
  ] as const)(
    'prices a call of %s with %i tokens in',
    (name, input, cached, written, output, cost) => {
      const prices = usualPrices(name, '2026-11-30');
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

  it.each([
    ['claude-fable-5-2', ['temperature', 'top_p', 'top_k'], false],
    ['claude-sonnet-5-5', ['temperature', 'top_p', 'top_k'], false],
    ['claude-haiku-5-5', ['temperature', 'top_p', 'top_k'], undefined],
    ['kimi-k3.1-pro', ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'], false],
    ['deepseek-flash', undefined, false],
    ['qwen3.8-max', undefined, false],
    ['qwen4-max', undefined, undefined],
    ['glm-5.1', undefined, false],
    ['gemini-3.1-pro-preview', undefined, undefined],
    ['gemini-4-argon', ['temperature', 'top_p', 'top_k'], undefined],
  ])('knows what %s refuses', (name, refusedFields, forcedTools) => {
    const { refusedFields: fields, forcedTools: forced } = catalogQuirks(name);
    expect([fields, forced]).toEqual([refusedFields, forcedTools]);
  });

  it('says of prices that are an upper bound that they are', () => {
    const catalog = createModelCatalog('2026-11-30');
    for (const name of ['deepseek-v4-pro', 'deepseek-flash'])
      expect(catalog.find(name)?.note).toContain('upper bound');
  });
});
