import { BREAKER_AT_ONCE, type FailureType } from './failure';

/** Infrastructure failures in a row that open a lane's breaker, where one alone does not. */
export const FAILURES_TO_OPEN = 5;
/** Time after which an open breaker lets one run through, doubled at each failure, and its longest value. */
export const PROBE_AFTER_MS = 60_000;
export const PROBE_AFTER_MAX_MS = 900_000;
/** An open breaker stops probing after this time; `resume` closes it. */
export const PROBE_FOR_MS = 12 * 3_600_000;

/** An ended attempt or a trouble report, in the order the lane receives them. */
export type BreakerUnit =
  | { readonly outcome: 'ended' }
  | { readonly outcome: 'failed'; readonly type: FailureType; readonly message: string };

/** A lane's circuit breaker. Plain data: it goes through continue-as-new. */
export interface BreakerState {
  readonly failuresInARow: number;
  readonly open?: {
    readonly type: FailureType;
    readonly message: string;
    readonly sinceMs: number;
    /** When one run may try again; absent = only `resume` closes it. */
    readonly probeAtMs?: number;
    readonly probes: number;
  };
}

export const CLOSED_BREAKER: BreakerState = { failuresInARow: 0 };

/** The state after one more unit; `nowMs` is the workflow's clock. A completed attempt resets everything. */
export function recordUnit(state: BreakerState, unit: BreakerUnit, nowMs: number): BreakerState {
  if (unit.outcome === 'ended') return CLOSED_BREAKER;
  const failuresInARow = state.failuresInARow + 1;
  if (state.open !== undefined) {
    const { sinceMs, probeAtMs, probes } = state.open;
    const probed = probeAtMs !== undefined && nowMs >= probeAtMs;
    const open = { type: unit.type, message: unit.message, sinceMs };
    return {
      failuresInARow,
      open: { ...open, ...nextProbe(unit.type, sinceMs, nowMs, probed ? probes + 1 : probes) },
    };
  }
  const opens = BREAKER_AT_ONCE.includes(unit.type) || failuresInARow >= FAILURES_TO_OPEN;
  if (!opens) return { failuresInARow };
  return {
    failuresInARow,
    open: {
      type: unit.type,
      message: unit.message,
      sinceMs: nowMs,
      ...nextProbe(unit.type, nowMs, nowMs, 0),
    },
  };
}

/** How many runs may be open: all while closed; one when a probe is due; none otherwise. */
export function openRunsAllowed(state: BreakerState, nowMs: number): number {
  if (state.open === undefined) return Number.POSITIVE_INFINITY;
  const { probeAtMs } = state.open;
  return probeAtMs !== undefined && nowMs >= probeAtMs ? 1 : 0;
}

/** Bad credentials, an unknown model and a used-up quota do not heal by waiting a minute: a person resumes. */
function nextProbe(
  type: FailureType,
  sinceMs: number,
  nowMs: number,
  probes: number,
): { probes: number; probeAtMs?: number } {
  const delay = Math.min(PROBE_AFTER_MS * 2 ** probes, PROBE_AFTER_MAX_MS);
  const heals = !BREAKER_AT_ONCE.includes(type) && nowMs + delay - sinceMs <= PROBE_FOR_MS;
  return heals ? { probes, probeAtMs: nowMs + delay } : { probes };
}
