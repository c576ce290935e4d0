import { type TokenUsage } from '../../core/money';

type Json = Readonly<Record<string, unknown>>;

/** No reply has as many: what a provider says beyond is no count, and sums of it could not be written down. */
const MOST_TOKENS = 1e9;

function count(...values: readonly unknown[]): number | undefined {
  for (const value of values)
    if (typeof value === 'number' && value >= 0 && value <= MOST_TOKENS) return Math.round(value);
  return undefined;
}

function member(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

/**
 * Tokens of a reply, from the names that the known providers use for them. `undefined` when the provider gave no
 * counts: unknown is not zero. Cached tokens are part of the input; more of them than input is cut to the input.
 */
export function tokenUsage(usage: unknown): TokenUsage | undefined {
  const given = member(usage);
  const inputTokens = count(given['prompt_tokens'], given['input_tokens']);
  const outputTokens = count(given['completion_tokens'], given['output_tokens']);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const details = member(given['prompt_tokens_details']);
  const cached = count(
    details['cached_tokens'],
    given['cached_tokens'],
    given['prompt_cache_hit_tokens'],
  );
  const written = count(
    details['cache_write_tokens'],
    details['cache_creation_tokens'],
    given['cache_creation_input_tokens'],
  );
  const cachedInputTokens = Math.min(inputTokens, cached ?? 0);
  return {
    inputTokens,
    cachedInputTokens,
    cacheWriteTokens: Math.min(inputTokens - cachedInputTokens, written ?? 0),
    outputTokens,
  };
}
