import {
  createModelClient,
  type ModelClientOptions,
} from '../../../../activities/models/model-client';
import { type ModelClient } from '../../../../activities/models/port';
import { type Account } from '../../../../core/account';
import { Failure } from '../../../../core/failure';

export interface Seen {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
}

/** An account at a provider that is only a function. */
export function scriptedAccount(
  given: Pick<Account, 'name' | 'protocol'> & { apiKey: string },
): Account {
  return {
    baseUrl: 'https://provider.invalid/v1/',
    models: [],
    maxConcurrency: 4,
    allowPrivateAddresses: false,
    prices: {},
    ...given,
  };
}

/** Answers in order, the last one again and again. */
export function provider(answers: readonly (() => Response)[]): {
  fetch: typeof fetch;
  seen: Seen[];
} {
  const seen: Seen[] = [];
  return {
    seen,
    fetch: async (url, init) => {
      seen.push({
        url: url instanceof Request ? url.url : url.toString(),
        headers: init?.headers as Record<string, string>,
        body: JSON.parse(init?.body as string) as Record<string, unknown>,
      });
      return answers[Math.min(seen.length, answers.length) - 1]!();
    },
  };
}

/** A client whose waits take no time, and how long they would have been. */
export function clientOf(
  fetchFunction: typeof fetch,
  account: Account,
  options: Pick<ModelClientOptions, 'quirks'> = {},
): { client: ModelClient; slept: number[] } {
  let now = 0;
  const slept: number[] = [];
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      slept.push(ms);
      now += ms;
    },
  };
  const client = createModelClient({
    accounts: [account],
    fetch: fetchFunction,
    clock,
    ...options,
  });
  return { client, slept };
}

export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Failure)) throw new Error(`no failure: ${String(error)}`);
  return error;
}
