import { AwakeTime } from '../../../activities/models/awake-time';

describe('the time that a call took', () => {
  beforeEach(() => jest.useFakeTimers({ now: 0 }));
  afterEach(() => jest.useRealTimers());

  it('is all that passed while the process was at work', () => {
    const time = new AwakeTime({ now: () => Date.now() });
    jest.advanceTimersByTime(600_500);
    expect(time.stop()).toBe(600_500);
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each(['and looked again before the reply was read', 'and read the reply at once'])(
    'leaves out that it stood still %s',
    (order) => {
      const time = new AwakeTime({ now: () => Date.now() });
      jest.advanceTimersByTime(3_000);
      // No timer runs meanwhile.
      jest.setSystemTime(Date.now() + 1_200_000);
      if (order.startsWith('and looked')) jest.advanceTimersByTime(2_000);
      expect(time.stop()).toBe(order.startsWith('and looked') ? 4_000 : 3_000);
    },
  );
});
