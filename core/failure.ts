/** Kinds of failure, shared by whoever throws and by the retry policies. A failure is never a score. */
export const FAILURE_TYPES = [
  'InvalidInput',
  'ConfigMissing',
  'ProviderAuth',
  'ModelUnknown',
  'ProviderQuota',
  'ProviderUnavailable',
  /** The provider fails on one request again and again while it serves others. */
  'ProviderFault',
  'StoreUnavailable',
  'DockerUnavailable',
  'SandboxLost',
  /** A worker died, was frozen, or does not take its work; what it works with may be all right. */
  'WorkerLost',
  'RenderUnavailable',
  'JudgeMalformed',
  'BudgetExhausted',
  'Superseded',
  /** A person has paused the lane and holds open runs too. */
  'Paused',
] as const;
export type FailureType = (typeof FAILURE_TYPES)[number];

/** Types for which trying the same thing again cannot help. */
export const NON_RETRYABLE_FAILURES: readonly FailureType[] = [
  'InvalidInput',
  'ConfigMissing',
  'ProviderAuth',
  'ModelUnknown',
  'ProviderQuota',
  'ProviderFault',
  'SandboxLost',
  'BudgetExhausted',
  'Superseded',
  'Paused',
];

/** Types that open a lane's breaker at the first report; the others open it at the fifth in a row. */
export const BREAKER_AT_ONCE: readonly FailureType[] = [
  'ProviderAuth',
  'ModelUnknown',
  'ProviderQuota',
];

/** Thrown by adapters; `*-activities.ts` turns it into an ApplicationFailure of the same type. */
export class Failure extends Error {
  constructor(
    readonly type: FailureType,
    message: string,
    readonly options: { readonly cause?: unknown; readonly retryAfterMs?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = type;
  }

  get retryable(): boolean {
    return !NON_RETRYABLE_FAILURES.includes(this.type);
  }
}
