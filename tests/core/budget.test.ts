import * as fc from 'fast-check';
import {
  affordableStarts,
  firstAllotments,
  moveAllotments,
  reservationMicroUsd,
  type LaneMoney,
  type LaneShare,
} from '../../core/budget';

const money: LaneMoney = {
  spentMicroUsd: 0,
  ends: 0,
  endsCostMicroUsd: 0,
  reserveMicroUsd: 100,
  allotmentMicroUsd: 1_000,
};

describe('reservation', () => {
  it('is the worst case before five runs ended', () => {
    expect(reservationMicroUsd({ ...money, ends: 4, endsCostMicroUsd: 8 })).toBe(100);
  });
  it('is 1.5 x the observed mean from the fifth end on', () => {
    expect(reservationMicroUsd({ ...money, ends: 5, endsCostMicroUsd: 100 })).toBe(30);
  });
  it('stays the worst case while the cost of an ended run is unknown', () => {
    expect(reservationMicroUsd({ ...money, ends: 9, endsCostMicroUsd: undefined })).toBe(100);
  });
});

describe('affordable starts', () => {
  it('are unlimited without a budget', () => {
    expect(affordableStarts({ ...money, allotmentMicroUsd: undefined }, 7)).toBe(Infinity);
  });
  it('leave room for what open runs have reserved', () => {
    expect(affordableStarts({ ...money, spentMicroUsd: 250 }, 3)).toBe(4);
    expect(affordableStarts({ ...money, spentMicroUsd: 950 }, 0)).toBe(0);
  });
  it('are none where money is unknown', () => {
    expect(affordableStarts({ ...money, spentMicroUsd: undefined }, 0)).toBe(0);
    expect(affordableStarts({ ...money, reserveMicroUsd: undefined }, 0)).toBe(0);
  });
  it('are unlimited for runs that cost nothing, until the allotment is overdrawn', () => {
    expect(affordableStarts({ ...money, reserveMicroUsd: 0 }, 50)).toBe(Infinity);
    expect(affordableStarts({ ...money, reserveMicroUsd: 0, spentMicroUsd: 1_001 }, 0)).toBe(0);
  });
});

const lane = (change: Partial<LaneShare>): LaneShare => ({
  laneId: 'a@x',
  spentMicroUsd: 0,
  reservationMicroUsd: 10,
  allotmentMicroUsd: 100,
  open: 0,
  waiting: 5,
  blocked: false,
  ...change,
});

describe('shares of a budget', () => {
  it('begin equal among the lanes that have work', () => {
    const shares = firstAllotments(1_000, [
      lane({ laneId: 'a', spentMicroUsd: 100 }),
      lane({ laneId: 'b' }),
      lane({ laneId: 'done', spentMicroUsd: 300, waiting: 0 }),
    ]);
    expect(Object.fromEntries(shares)).toEqual({ a: 400, b: 300, done: 300 });
  });

  it('move from a lane that is done to the one that is blocked', () => {
    const moved = moveAllotments(200, [
      lane({ laneId: 'done', spentMicroUsd: 40, waiting: 0 }),
      lane({ laneId: 'short', spentMicroUsd: 95, blocked: true, open: 0, waiting: 9 }),
    ]);
    expect(Object.fromEntries(moved)).toEqual({ done: 40, short: 155 });
  });

  it('stay with a lane that has not answered its newest share, whatever it said before', () => {
    const moved = moveAllotments(200, [
      lane({ laneId: 'told', spentMicroUsd: 0, blocked: true, open: 0, unanswered: true }),
      lane({ laneId: 'short', spentMicroUsd: 95, blocked: true, open: 0, waiting: 9 }),
    ]);
    expect(Object.fromEntries(moved)).toEqual({ short: 95 });
  });

  it('move to one lane when two idle lanes hold half a reservation each', () => {
    const moved = moveAllotments(200, [
      lane({ laneId: 'a', spentMicroUsd: 95, blocked: true }),
      lane({ laneId: 'b', spentMicroUsd: 95, blocked: true }),
    ]);
    expect(Object.fromEntries(moved)).toEqual({ a: 105, b: 95 });
  });

  it('never add up to more than the budget, and never go below what a lane with open runs may count on', () => {
    const shares = fc.array(
      fc.record({
        spentMicroUsd: fc.nat(100),
        reservationMicroUsd: fc.nat(30),
        extra: fc.nat(100),
        open: fc.nat(3),
        waiting: fc.nat(5),
        blocked: fc.boolean(),
        unanswered: fc.boolean(),
      }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(shares, fc.nat(100), (entries, spare) => {
        const lanes = entries.map(({ extra, ...entry }, index) =>
          lane({ ...entry, laneId: `l${index}`, allotmentMicroUsd: entry.spentMicroUsd + extra }),
        );
        const budget = lanes.reduce((sum, each) => sum + each.allotmentMicroUsd, spare);
        const moved = moveAllotments(budget, lanes);
        const after = lanes.map((each) => moved.get(each.laneId) ?? each.allotmentMicroUsd);
        expect(after.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(budget);
        lanes.forEach((each, index) => {
          if (each.open > 0 || each.unanswered === true)
            expect(after[index]).toBeGreaterThanOrEqual(each.allotmentMicroUsd);
        });
      }),
    );
  });
});
