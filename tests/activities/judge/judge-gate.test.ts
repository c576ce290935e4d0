import { HeldCall, JudgeGate } from '../../../activities/judge/judge-gate';
import { Failure } from '../../../core/failure';

const TIMINGS = { retryForMs: 60_000, probeMs: 5_000 };
const START_MS = 1_000_000;
const away = (status = 500) =>
  new Failure('ProviderUnavailable', 'no reply', { cause: { status } });
const never = async () => {
  throw new Error('the account was asked');
};

/** A gate under a clock of its own, and sessions that meet what the test says. */
function world(accountAnswers: () => Promise<boolean> = never) {
  let nowMs = START_MS;
  const gate = new JudgeGate(() => nowMs);
  const made: number[] = [];
  return {
    gate,
    /** When calls went out, in seconds. */
    made,
    pass: (ms: number) => (nowMs += ms),
    /** What a session's call comes to: a reply, or what is thrown. */
    call: async (session: string, error?: Error): Promise<string> => {
      try {
        const entry = gate.enter(session, TIMINGS);
        made.push((nowMs - START_MS) / 1_000);
        if (error !== undefined) throw await gate.failed(entry, error, TIMINGS, accountAnswers);
        gate.works(session);
        return entry.isProbe ? 'answered a probe' : 'answered';
      } catch (thrown) {
        if (!(thrown instanceof Failure)) throw thrown;
        return `${thrown instanceof HeldCall ? 'held' : 'failed'}: ${thrown.type}`;
      }
    },
  };
}

describe('a judge’s account in trouble', () => {
  it.each(['ProviderQuota', 'ProviderAuth', 'ModelUnknown', 'ConfigMissing'] as const)(
    'holds a session at once for %s, and refuses all others unmade',
    async (type) => {
      const { call } = world();
      expect(await call('a', new Failure(type, 'no'))).toBe(`held: ${type}`);
      expect(await call('b')).toBe(`held: ${type}`);
    },
  );

  it('is tried by one call at a time, ever more rarely up to a minute, and serves all when it answers', async () => {
    const { call, pass, made } = world();
    const quota = new Failure('ProviderQuota', 'no credit');
    await call('a', quota);
    made.length = 0;
    for (let second = 1; second <= 200; second++) {
      pass(1_000);
      for (const session of ['a', 'b'])
        expect(await call(session, quota)).toBe('held: ProviderQuota');
    }
    expect(made).toEqual([5, 15, 35, 75, 135, 195]);
    pass(60_000);
    expect(await call('b')).toBe('answered a probe');
    expect(await call('a')).toBe('answered');
  });

  it('leaves what the provider says of a request to the session', async () => {
    const { call } = world();
    expect(await call('a', new Failure('InvalidInput', 'too long'))).toBe('failed: InvalidInput');
    expect(await call('b')).toBe('answered');
  });

  it('takes an error that is no failure of ours for a fault on the way', async () => {
    expect(await world().call('a', new TypeError('odd'))).toBe('held: ProviderUnavailable');
  });
});

describe('a request that fails', () => {
  it('while the account answers others is found out, and stops nobody', async () => {
    const { call, pass, gate } = world();
    const types: string[] = [];
    for (let round = 0; round < 3; round++) {
      const entry = gate.enter('bad', TIMINGS);
      pass(60_000);
      expect(await call('good')).toBe('answered');
      const end = await gate.failed(entry, away(), TIMINGS, never);
      types.push((end as Failure).type);
      expect(await call('good')).toBe('answered');
    }
    expect(types).toEqual(['ProviderUnavailable', 'ProviderUnavailable', 'ProviderFault']);
  });

  it('is found out too where the provider calls it forbidden', async () => {
    const { call, pass } = world(async () => true);
    const ends: string[] = [];
    for (let round = 0; round < 4; round++) {
      ends.push(await call('bad', new Failure('ProviderAuth', 'status 403')));
      pass(60_000);
    }
    expect(ends.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => 'held: ProviderAuth'));
    expect(ends[3]).toBe('failed: ProviderFault');
  });

  it('is not blamed for a quota, however long it lasts', async () => {
    const { call, pass } = world();
    for (let round = 0; round < 40; round++) {
      expect(await call('a', new Failure('ProviderQuota', 'no'))).toBe('held: ProviderQuota');
      pass(60_000);
    }
  });

  it('is no suspect for replies from before the trouble began', async () => {
    const { call, pass, gate } = world();
    const entry = gate.enter('a', TIMINGS);
    await call('b');
    pass(60_000);
    const end = await gate.failed(entry, away(), TIMINGS, never);
    expect(end).toBeInstanceOf(HeldCall);
    expect(await call('c')).toBe('held: ProviderUnavailable');
  });

  it('has its account asked where nobody else uses it', async () => {
    let asked = 0;
    const { call, pass } = world(async () => {
      asked++;
      return true;
    });
    const ends: string[] = [];
    for (let round = 0; round < 4; round++) {
      ends.push(await call('bad', away()));
      pass(60_000);
    }
    expect(ends.at(-1)).toBe('failed: ProviderFault');
    expect(asked).toBe(3);
  });

  it('is not blamed while the account answers nobody', async () => {
    const { call, pass } = world(async () => false);
    for (let round = 0; round < 40; round++) {
      expect(await call('bad', away())).toBe('held: ProviderUnavailable');
      pass(60_000);
    }
  });

  it('is not blamed for "too many requests" before an hour, and keeps nobody else waiting', async () => {
    const { call, pass } = world();
    let rounds = 0;
    for (let end = ''; end !== 'failed: ProviderFault'; rounds++) {
      await call('good');
      end = await call('large', away(429));
      pass(60_000);
      expect(rounds).toBeLessThan(70);
    }
    expect(rounds).toBeGreaterThan(60);
  });
});
