import { isHeldTrouble } from './attempts';
import { Failure, type FailureType } from './failure';

/** Why an account does not answer, where a person or time ends it. */
export interface Trouble {
  readonly type: FailureType;
  readonly message: string;
  /** What the provider asked for, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** Failures of one request between which the account served others: then the request is at fault. */
export const STRIKES = 3;
/** "Too many" says nothing about the request until this long after its first one. */
export const OVERLOAD_PATIENCE_MS = 3_600_000;
/** Rounds without any other's success before the account itself is asked. */
export const ROUNDS_BEFORE_ASKING = 2;
const OVERLOADED: readonly unknown[] = [429, 503, 529];
const LONGEST_FACTOR = 12;

/** The smallest request that shows whether an account answers at all. */
export const ACCOUNT_CHECK = {
  messages: [{ role: 'user', content: 'Reply with the word: ok' }],
  max_tokens: 64,
} as const;

/** Undefined for a request that the provider refused. Whatever is no failure of ours is a fault on the way. */
export function troubleOf(error: unknown): Trouble | undefined {
  if (!(error instanceof Failure)) return { type: 'ProviderUnavailable', message: String(error) };
  if (!isHeldTrouble(error.type)) return undefined;
  const { retryAfterMs } = error.options;
  return {
    type: error.type,
    message: error.message,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** A request that fails while the account serves others. */
export function requestAtFault({ message }: Trouble, cause: unknown): Failure {
  const text = `the provider fails on this request while it answers others: ${message}`;
  return new Failure('ProviderFault', text, { cause });
}

/** True where the provider said "too many", by the status that the failure's cause keeps. */
export function isOverloaded(error: unknown): boolean {
  const cause = error instanceof Failure ? error.options.cause : undefined;
  return (
    typeof cause === 'object' &&
    cause !== null &&
    'status' in cause &&
    OVERLOADED.includes(cause.status)
  );
}

/** Milliseconds before the next try: doubled at each one since the trouble began, up to twelve times `probeMs`. */
export function probeDelayMs(probeMs: number, tries: number): number {
  return probeMs * Math.min(2 ** tries, LONGEST_FACTOR);
}
