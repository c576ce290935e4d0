/** Public price tables through which vendors' own pages were read, with the day of the edition that was read. */
export const TABLES = {
  genaiPrices: 'genai-prices 0.2.3 (PyPI, 2026-11-10)',
  liteLlm: 'LiteLLM 1.110.2, model_prices_and_context_window (PyPI, 2026-11-20)',
  modelPrices: 'model-prices 0.0.5 (PyPI, 2026-10-26)',
  piAi: '@earendil-works/pi-ai 1.6.0 (npm, 2026-11-20)',
} as const;
