import {
  CLOSED_BREAKER,
  FAILURES_TO_OPEN,
  PROBE_AFTER_MAX_MS,
  PROBE_AFTER_MS,
  PROBE_FOR_MS,
  openRunsAllowed,
  recordUnit,
  type BreakerState,
  type BreakerUnit,
} from '../../core/breaker';
import { BREAKER_AT_ONCE, type FailureType } from '../../core/failure';

const failed = (type: FailureType): BreakerUnit => ({ outcome: 'failed', type, message: 'why' });
const ended: BreakerUnit = { outcome: 'ended' };

function after(units: readonly BreakerUnit[], nowMs = 0): BreakerState {
  return units.reduce((state, unit) => recordUnit(state, unit, nowMs), CLOSED_BREAKER);
}

describe('a lane breaker', () => {
  it.each(BREAKER_AT_ONCE)('opens at the first %s and waits for a person', (type) => {
    const state = after([failed(type)]);
    expect(state.open).toMatchObject({ type, message: 'why', probes: 0 });
    expect(state.open?.probeAtMs).toBeUndefined();
    expect(openRunsAllowed(state, Number.MAX_SAFE_INTEGER)).toBe(0);
  });

  it('opens at the fifth other failure in a row, not at the fourth', () => {
    const four = Array.from({ length: FAILURES_TO_OPEN - 1 }, () => failed('SandboxLost'));
    expect(after(four).open).toBeUndefined();
    expect(openRunsAllowed(after(four), 0)).toBe(Number.POSITIVE_INFINITY);
    expect(after([...four, failed('DockerUnavailable')]).open?.type).toBe('DockerUnavailable');
  });

  it('starts to count again after any completed attempt', () => {
    const four = Array.from({ length: 4 }, () => failed('StoreUnavailable'));
    expect(after([...four, ended, ...four]).open).toBeUndefined();
    expect(after([failed('ProviderQuota'), ended])).toEqual(CLOSED_BREAKER);
  });

  it('lets one run try when the probe is due, and waits twice as long after each failure', () => {
    let state = after(Array.from({ length: 5 }, () => failed('ProviderUnavailable')));
    let nowMs = 0;
    for (const pauseMs of [1, 2, 4, 8, 15, 15].map((factor) => factor * PROBE_AFTER_MS)) {
      expect(state.open?.probeAtMs).toBe(nowMs + pauseMs);
      expect(openRunsAllowed(state, nowMs + pauseMs - 1)).toBe(0);
      nowMs += pauseMs;
      expect(openRunsAllowed(state, nowMs)).toBe(1);
      state = recordUnit(state, failed('ProviderUnavailable'), nowMs);
    }
    expect(recordUnit(state, ended, nowMs)).toEqual(CLOSED_BREAKER);
  });

  it('does not count late failures of runs that were open already as probes', () => {
    const opened = after(Array.from({ length: 5 }, () => failed('ProviderUnavailable')));
    const late = recordUnit(opened, failed('ProviderUnavailable'), 10);
    expect(late.open).toMatchObject({ probes: 0, sinceMs: 0, probeAtMs: 10 + PROBE_AFTER_MS });
  });

  it('stops probing after twelve hours', () => {
    let state = after(Array.from({ length: 5 }, () => failed('ProviderUnavailable')));
    let probes = 0;
    for (let nowMs = 0; state.open?.probeAtMs !== undefined; probes++) {
      nowMs = state.open.probeAtMs;
      state = recordUnit(state, failed('ProviderUnavailable'), nowMs);
      expect(nowMs).toBeLessThanOrEqual(PROBE_FOR_MS);
    }
    expect(probes).toBeGreaterThan(PROBE_FOR_MS / PROBE_AFTER_MAX_MS - 5);
    expect(openRunsAllowed(state, Number.MAX_SAFE_INTEGER)).toBe(0);
  });
});
