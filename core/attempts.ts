import { MAX_ATTEMPTS } from './limits';
import { type FailureType } from './failure';

/** What follows an infrastructure failure: another attempt, back to the lane's queue, or the run has failed. */
export type AfterFailure = 'again' | 'give-back' | 'give-up';

/** The provider's side of a lane: the lane's breaker decides when its runs start again, and no attempt is counted. */
const PROVIDER_TROUBLE: readonly FailureType[] = [
  'ProviderAuth',
  'ModelUnknown',
  'ProviderQuota',
  'ProviderUnavailable',
];
/** The same input fails the same way. */
const HOPELESS: readonly FailureType[] = ['InvalidInput', 'ConfigMissing', 'BudgetExhausted'];

export function isProviderTrouble(type: FailureType): boolean {
  return PROVIDER_TROUBLE.includes(type);
}

/** Trouble that a person or time can end without touching the request: exchanges wait for it. */
export function isHeldTrouble(type: FailureType): boolean {
  return isProviderTrouble(type) || type === 'ConfigMissing';
}

/**
 * `attempts` = those made in this launch, the failed one included. `ProviderFault` is counted: an agent whose requests
 * break its provider would otherwise come back for ever.
 */
export function afterAttemptFailure(type: FailureType, attempts: number): AfterFailure {
  if (isProviderTrouble(type)) return 'give-back';
  if (HOPELESS.includes(type)) return 'give-up';
  return attempts < MAX_ATTEMPTS ? 'again' : 'give-up';
}
