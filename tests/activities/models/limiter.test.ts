import { AdaptiveLimiter } from '../../../activities/models/limiter';

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
}

describe('calls at once for one account', () => {
  it('admits as many as the limit says and the rest in order', async () => {
    const limiter = new AdaptiveLimiter({ maxConcurrency: 2, now: () => 0 });
    const order: number[] = [];
    for (let call = 0; call < 4; call++)
      void limiter.acquire(limiter.ticket()).then(() => order.push(call));
    await settled();
    expect(order).toEqual([0, 1]);
    limiter.release();
    await settled();
    expect(order).toEqual([0, 1, 2]);
  });

  it('lets a call that is tried again go before later ones', async () => {
    const limiter = new AdaptiveLimiter({ maxConcurrency: 1, now: () => 0 });
    const early = limiter.ticket();
    await limiter.acquire(early);
    const order: string[] = [];
    void limiter.acquire(limiter.ticket()).then(() => order.push('late'));
    void limiter.acquire(early).then(() => order.push('early'));
    limiter.release();
    await settled();
    expect(order).toEqual(['early']);
  });

  it('falls under refusals, once per burst, never below one, and recovers', () => {
    let now = 0;
    const limiter = new AdaptiveLimiter({ maxConcurrency: 10, now: () => now });
    for (let call = 0; call < 5; call++) limiter.overloaded();
    expect(limiter.currentLimit).toBe(7);
    for (let burst = 0; burst < 20; burst++) {
      now += 1_000;
      limiter.overloaded();
    }
    expect(limiter.currentLimit).toBe(1);
    for (let call = 0; call < 200; call++) limiter.succeeded();
    expect(limiter.currentLimit).toBe(10);
  });

  it('gives no place to a call that was aborted while it waited', async () => {
    const limiter = new AdaptiveLimiter({ maxConcurrency: 1, now: () => 0 });
    await limiter.acquire(limiter.ticket());
    const controller = new AbortController();
    const waiting = limiter.acquire(limiter.ticket(), controller.signal);
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    limiter.release();
    await limiter.acquire(limiter.ticket());
    expect(limiter.waiting).toBe(0);
  });
});
