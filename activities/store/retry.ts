import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../core/failure';

export interface RetryPolicy {
  readonly attempts: number;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
}

/** About 6 s in all; longer outages are the callers' (activity retries). */
export const STORE_RETRIES: RetryPolicy = { attempts: 6, initialDelayMs: 100, maxDelayMs: 2_000 };

/** What to do about an error of a store operation. */
export type Judgement =
  { readonly kind: 'retry' } | { readonly kind: 'fail'; readonly failure: Failure };

/**
 * Runs `operation`, again after faults that `judge` calls passing, with doubling delays of half random length.
 * Throws `Failure('StoreUnavailable')` when the attempts are used up.
 */
export async function withRetries<Result>(
  what: string,
  operation: () => Promise<Result>,
  judge: (error: unknown) => Judgement,
  policy: RetryPolicy = STORE_RETRIES,
  random: () => number = Math.random,
): Promise<Result> {
  let delayMs = policy.initialDelayMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation();
    } catch (error) {
      if (error instanceof Failure) throw error;
      const judgement = judge(error);
      if (judgement.kind === 'fail') throw judgement.failure;
      if (attempt >= policy.attempts)
        throw new Failure(
          'StoreUnavailable',
          `${what} failed ${attempt} times, last: ${messageOf(error)}`,
          { cause: error },
        );
      await sleep(delayMs * (0.5 + random() / 2));
      delayMs = Math.min(delayMs * 2, policy.maxDelayMs);
    }
  }
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  const text = error.message === '' ? error.name : error.message;
  return typeof code === 'string' && !text.includes(code) ? `${code}: ${text}` : text;
}
