import { ENDS_TO_TRUST_MEAN, RESERVATION_FACTOR, reservationMicroUsd } from '../core/budget';
import { formatUsd } from '../core/money';
import { type BlockedBy, type LaneSchedule } from '../core/scheduling';

/** Why a lane starts nothing, in words; `undefined` where the block says it all. */
export function blockReason(
  blockedBy: BlockedBy | undefined,
  schedule: Pick<LaneSchedule, 'pausedBecause' | 'breaker' | 'money'>,
): string | undefined {
  switch (blockedBy) {
    case 'paused':
      return schedule.pausedBecause;
    case 'breaker': {
      const { open } = schedule.breaker;
      return open === undefined ? undefined : `${open.type}: ${open.message}`;
    }
    case 'budget':
      return budgetReason(schedule.money);
    case 'holding':
    case 'draining':
    case undefined:
      return undefined;
  }
}

function budgetReason(money: LaneSchedule['money']): string {
  const reservation = reservationMicroUsd(money);
  if (money.spentMicroUsd === undefined) return 'what was spent is unknown';
  if (reservation === undefined) return 'the cost of a run is unknown: set limits.maxCostUsd';
  const basis =
    money.ends >= ENDS_TO_TRUST_MEAN
      ? `${RESERVATION_FACTOR} x the mean`
      : "its agent's cap and its judges at most";
  return (
    `a run reserves ${formatUsd(reservation)} (${basis}); this lane has spent ` +
    `${formatUsd(money.spentMicroUsd)} of ${formatUsd(money.allotmentMicroUsd)}, its share of the budget now`
  );
}
