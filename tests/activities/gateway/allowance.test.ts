import { Allowance } from '../../../activities/gateway/allowance';

describe('requests that call no model', () => {
  it('may come in a burst, then at a rate, and a large one counts for many', () => {
    let nowMs = 0;
    const allowance = new Allowance({ burst: 5, perSecond: 2, now: () => nowMs });
    for (let request = 0; request < 5; request++) {
      expect(allowance.waitMs).toBe(0);
      allowance.charge(0);
    }
    expect(allowance.waitMs).toBe(500);
    nowMs += 500;
    expect(allowance.waitMs).toBe(0);
    allowance.charge(64 * 1024 ** 2);
    expect(allowance.waitMs).toBe(32_500);
    nowMs += 3_600_000;
    expect(allowance.waitMs).toBe(0);
  });
});
