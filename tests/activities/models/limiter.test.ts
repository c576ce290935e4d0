import { type Clock } from '../../../activities/models/clock';
import { AdaptiveLimiter, type Grant } from '../../../activities/models/limiter';

const FAILED = { kind: 'failed' } as const;
const SUCCEEDED = { kind: 'succeeded' } as const;
const OVERLOADED = { kind: 'overloaded', retryAfterMs: undefined } as const;
const caller = (lane: string, party = 'one') => ({ lane, party });

/** A clock that stands still until it is told to go on. */
function handClock(): Clock & { pass(ms: number): Promise<void> } {
  let now = 0;
  let sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];
  return {
    now: () => now,
    sleep: (ms) => new Promise((wake) => sleepers.push({ atMs: now + ms, wake })),
    pass: async (ms) => {
      now += ms;
      for (const { atMs, wake } of sleepers) if (atMs <= now) wake();
      sleepers = sleepers.filter(({ atMs }) => atMs > now);
      await settled();
    },
  };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await Promise.resolve();
}

describe('calls at once for one account', () => {
  it.each([2, 32])('admits %i at once and the rest in order', async (maxConcurrency) => {
    const limiter = new AdaptiveLimiter({ maxConcurrency, clock: handClock() });
    const order: number[] = [];
    const grants: Grant[] = [];
    for (let call = 0; call < maxConcurrency + 2; call++)
      void limiter.acquire(caller('a')).then((grant) => {
        grants.push(grant);
        order.push(call);
      });
    await settled();
    expect(order).toHaveLength(maxConcurrency);
    limiter.release(grants[0]!, FAILED);
    await settled();
    expect(order.at(-1)).toBe(maxConcurrency);
    expect(order).toEqual([...order].sort((left, right) => left - right));
  });

  it('gives lanes, and the attempts of a lane, places in turns', async () => {
    const limiter = new AdaptiveLimiter({ maxConcurrency: 1, clock: handClock() });
    let grant = await limiter.acquire(caller('busy'));
    const order: string[] = [];
    const ask = (lane: string, party: string, again = false) =>
      void limiter.acquire({ lane, party, again }).then((given) => {
        order.push(`${lane} ${party}${again ? ' again' : ''}`);
        grant = given;
      });
    for (let call = 0; call < 4; call++) ask('busy', 'first');
    ask('busy', 'second');
    ask('quiet', 'third');
    ask('busy', 'first', true);
    for (let call = 0; call < 7; call++) {
      limiter.release(grant, FAILED);
      await settled();
    }
    expect(order).toEqual([
      'busy first again',
      'quiet third',
      'busy second',
      'busy first',
      'busy first',
      'busy first',
      'busy first',
    ]);
  });

  it('falls once for each burst of refusals, never below one, and recovers to the full limit', async () => {
    const limiter = new AdaptiveLimiter({ maxConcurrency: 32, clock: handClock() });
    const burst = async (outcome: typeof OVERLOADED | typeof SUCCEEDED) => {
      const grants: Grant[] = [];
      const open = limiter.currentLimit;
      for (let call = 0; call < open; call++) grants.push(await limiter.acquire(caller('a')));
      for (const grant of grants) limiter.release(grant, outcome);
    };
    await burst(OVERLOADED);
    expect(limiter.currentLimit).toBe(22);
    for (let round = 0; round < 20; round++) await burst(OVERLOADED);
    expect(limiter.currentLimit).toBe(1);
    let rounds = 0;
    for (; limiter.currentLimit < 32; rounds++) await burst(SUCCEEDED);
    // Doubling up to half of where it fell from, then one a round.
    expect(rounds).toBeLessThan(25);
  });

  it('waits as long as the provider asks, but not for a day', async () => {
    const clock = handClock();
    const limiter = new AdaptiveLimiter({ maxConcurrency: 2, clock });
    const refuse = async (retryAfterMs: number) => {
      const grant = await limiter.acquire(caller('a'));
      limiter.release(grant, { kind: 'overloaded', retryAfterMs });
      let given: Grant | undefined;
      void limiter.acquire(caller('a')).then((grant) => (given = grant));
      return () => given;
    };
    const first = await refuse(10_000);
    await clock.pass(9_999);
    expect(first()).toBeUndefined();
    await clock.pass(1);
    limiter.release(first()!, FAILED);
    const second = await refuse(24 * 3_600_000);
    await clock.pass(5 * 60_000);
    expect(second()).toBeDefined();
  });

  it('gives no place to a call that was aborted while it waited', async () => {
    const limiter = new AdaptiveLimiter({ maxConcurrency: 1, clock: handClock() });
    const grant = await limiter.acquire(caller('a'));
    const controller = new AbortController();
    const waiting = limiter.acquire(caller('a'), controller.signal);
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    limiter.release(grant, FAILED);
    await limiter.acquire(caller('a'));
    expect(limiter.waiting).toBe(0);
  });

  it('follows the operator’s limit while calls are open', async () => {
    const limiter = new AdaptiveLimiter({ maxConcurrency: 1, clock: handClock() });
    await limiter.acquire(caller('a'));
    const second = limiter.acquire(caller('a'));
    limiter.setMaximum(2);
    await second;
    expect(limiter.open).toBe(2);
    limiter.setMaximum(1);
    expect(limiter.currentLimit).toBe(1);
  });
});
