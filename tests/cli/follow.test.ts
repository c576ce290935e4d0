import { endOfProgress, hasTerminatedRun, progressLine } from '../../cli/follow';
import { type LaneProgress, type SweepProgress } from '../../workflows/messages';

const lane: LaneProgress = {
  ...{ lane: 'a@b', planned: 10, waiting: 4, running: 2, scored: 3, incomplete: 0, failed: 1 },
  ...{ cancelled: 0, notSelected: 0, costMicroUsd: 1_500_000, window: 2, ends: 4 },
};
const progress: SweepProgress = {
  ...{ sweep: 's', planKey: 'p', state: 'running', lanes: [lane], costMicroUsd: 1_500_000 },
  budgetMicroUsd: undefined,
};
const start = new Date(0);
const afterMinutes = (minutes: number) => new Date(minutes * 60_000);

describe('the end of a sweep', () => {
  it('whose lane was terminated is the doing of another launch or an operator', () => {
    const ended = (reason: string) => ({
      ...progress,
      state: 'done' as const,
      lanes: [{ ...lane, endedLane: 'failed' as const, reason }],
    });
    expect(endOfProgress(ended('Terminated'))).toEqual({ kind: 'terminated' });
    expect(endOfProgress(ended('the plan is not loaded')).kind).toBe('closed');
    expect(endOfProgress(progress)).toEqual({ kind: 'closed', progress });
  });
});

describe('a sweep that came to its own end', () => {
  it('may have been ended by another launch where a run of it was terminated', () => {
    const ended = (lastFailure: string) => ({
      ...progress,
      lanes: [lane, { ...lane, lastFailure }],
    });
    expect(hasTerminatedRun(ended('SandboxLost: Terminated'))).toBe(true);
    expect(hasTerminatedRun(ended('ProviderQuota: empty'))).toBe(false);
    expect(hasTerminatedRun(progress)).toBe(false);
  });
});

describe('the live line', () => {
  it('says counts, rate, time left and cost', () => {
    expect(progressLine(progress, start, afterMinutes(2))).toBe(
      '3/10 scored, 1 failed, 2 running; 2.0 runs/min; 3 min left; $1.50',
    );
  });

  it('makes up no rate and no time left where the clock was set back since the start', () => {
    const line = '3/10 scored, 1 failed, 2 running; $1.50';
    expect(progressLine(progress, start, afterMinutes(-60))).toBe(line);
    expect(progressLine(progress, start, start)).toBe(line);
  });

  it('says why nothing goes on, and makes up no time left', () => {
    const blocked = { ...progress, state: 'blocked' as const, reason: 'ProviderQuota: empty' };
    expect(progressLine(blocked, start, afterMinutes(2))).toBe(
      '3/10 scored, 1 failed, 2 running; 2.0 runs/min; $1.50; blocked (ProviderQuota: empty)',
    );
  });

  it('counts against what was asked for, and says unknown where the cost is unknown', () => {
    const part = {
      ...progress,
      lanes: [{ ...lane, failed: 0, waiting: 0, notSelected: 5, ends: 0 }],
      costMicroUsd: undefined,
    };
    expect(progressLine(part, start, afterMinutes(1))).toBe('3/5 scored, 2 running; unknown');
  });
});
