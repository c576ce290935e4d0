import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  catalogPrices,
  catalogQuirks,
  createModelCatalog,
  MODEL_CATALOG,
} from '../../config/catalog';

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
          expect(sourced.since).toMatch(/^\d{4}-\d{2}-\d{2}$/u);
          expect(new URL(sourced.source).protocol).toBe('https:');
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
    const text = readFileSync(join(__dirname, '../../config/catalog.ts'), 'utf8');
    const table = text.slice(text.indexOf('MODEL_CATALOG'), text.indexOf('];'));
    const outside = table
      .replaceAll(/value: usd\([\s\S]*?\),\n\s+since/gu, '')
      .replaceAll(/value: [\d_]+,/gu, '')
      .replaceAll(/'[^']*'/gu, '');
    expect(outside).not.toMatch(/\d/u);
  });

  it('knows only the prices whose day has come', () => {
    expect(createModelCatalog('2026-04-22').find('gpt-5.5')?.prices).toBeUndefined();
    expect(createModelCatalog('2026-04-23').find('gpt-5.5')?.prices?.inputPerMillion).toBe(
      5_000_000,
    );
    expect(catalogPrices({ provider: 'openai', name: 'glm-5.1' })).toBeUndefined();
    expect(catalogPrices({ provider: 'openai', name: 'never-heard-of' })).toBeUndefined();
    expect(catalogPrices({ provider: 'replay', name: 'recordings/strong' })?.outputPerMillion).toBe(
      0,
    );
  });

  it('knows how a model wants its parameters spelled', () => {
    expect(catalogQuirks('gpt-5.5')).toMatchObject({ outputLimitField: 'max_completion_tokens' });
    expect(catalogQuirks('my-model')).toEqual({});
  });
});
