import { CLOSED_BREAKER, recordUnit } from '../../core/breaker';
import { chooseStarts, type LaneSchedule } from '../../core/scheduling';
import { plannedRuns } from '../../core/sweep';

const waiting = plannedRuns({ tasks: Array.from({ length: 10 }), repetitions: 1 } as never);
const idle: LaneSchedule = {
  waiting,
  open: 0,
  window: 4,
  pausedBecause: undefined,
  draining: false,
  breaker: CLOSED_BREAKER,
  money: {
    spentMicroUsd: undefined,
    ends: 0,
    endsCostMicroUsd: 0,
    reserveMicroUsd: undefined,
    allotmentMicroUsd: undefined,
  },
};
const quota = recordUnit(
  CLOSED_BREAKER,
  { outcome: 'failed', type: 'ProviderQuota', message: 'used up' },
  0,
);

describe('choosing what a lane starts', () => {
  it('fills the window from the head of the queue', () => {
    expect(chooseStarts({ ...idle, open: 1 }, 0)).toEqual({
      start: waiting.slice(0, 3),
      blockedBy: undefined,
      finished: false,
      chooseAgainAtMs: undefined,
    });
  });

  it.each([
    ['paused', { pausedBecause: 'lunch' }],
    ['draining', { draining: true }],
    ['breaker', { breaker: quota }],
    ['budget', { money: { ...idle.money, allotmentMicroUsd: 0 } }],
  ] as const)('starts nothing while %s, and says so', (blockedBy, change) => {
    const actions = chooseStarts({ ...idle, ...change }, 1e9);
    expect(actions).toMatchObject({ start: [], blockedBy, finished: false });
  });

  it('is not blocked by anything when the window is full or nothing waits', () => {
    expect(chooseStarts({ ...idle, open: 4, pausedBecause: 'lunch' }, 0).blockedBy).toBeUndefined();
    expect(chooseStarts({ ...idle, waiting: [], breaker: quota }, 0).blockedBy).toBeUndefined();
  });

  it('opens no more than the budget allows', () => {
    const money = { ...idle.money, spentMicroUsd: 0, reserveMicroUsd: 10, allotmentMicroUsd: 25 };
    const actions = chooseStarts({ ...idle, money }, 0);
    expect(actions.start).toEqual(waiting.slice(0, 2));
    expect(actions.blockedBy).toBe('budget');
  });

  it('starts one run, and only one, when an open breaker lets it try', () => {
    const breaker = {
      failuresInARow: 5,
      open: { type: 'StoreUnavailable', message: '', sinceMs: 0, probeAtMs: 100, probes: 0 },
    } as const;
    expect(chooseStarts({ ...idle, breaker }, 99)).toMatchObject({
      start: [],
      chooseAgainAtMs: 100,
    });
    expect(chooseStarts({ ...idle, breaker }, 100).start).toEqual(waiting.slice(0, 1));
    expect(chooseStarts({ ...idle, breaker, open: 1 }, 100).start).toEqual([]);
  });

  it('closes surplus runs never: a smaller window only starts less', () => {
    expect(chooseStarts({ ...idle, window: 2, open: 4 }, 0).start).toEqual([]);
  });

  it('is finished when nothing is open and nothing waits', () => {
    expect(chooseStarts({ ...idle, waiting: [] }, 0).finished).toBe(true);
    expect(chooseStarts({ ...idle, waiting: [], open: 1 }, 0).finished).toBe(false);
  });
});
