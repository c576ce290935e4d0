import { TroubledSweep } from '../support/troubled-sweep';

jest.setTimeout(600_000);

const SWEEP = {
  sweep: 'outage',
  tasks: 3,
  items: 2,
  repetitions: 2,
  steps: 30,
  judgeTurns: 1,
  latencyMs: 100,
  window: 3,
};
const RUNS = 6;

let trouble: TroubledSweep;

beforeAll(async () => {
  // Trouble is held after one second instead of sixty, and tried again after half a second instead of five.
  trouble = await TroubledSweep.start(SWEEP, 'holdAfter: 1s, holdProbe: 500ms');
});
afterAll(() => trouble.stack.stop());
beforeEach(() => trouble.reset());

/** Every run made every step once, in its first attempt. */
async function expectNothingLost(begunBefore: number): Promise<void> {
  const { lanes } = await trouble.status();
  expect(lanes[0]).toMatchObject({ planned: RUNS, scored: RUNS, failed: 0, incomplete: 0 });
  expect(await trouble.attempts()).toBe(begunBefore + RUNS);
  expect(await trouble.answered('agent')).toEqual(Array.from({ length: RUNS }, () => SWEEP.steps));
}

describe('a sweep whose provider is away for a while', () => {
  it('shows that it holds and why, starts nothing more, and goes on by itself', async () => {
    const begun = await trouble.attempts();
    const ended = trouble.launch('away');
    await trouble.untilCalls(40);
    await trouble.breakFor('agent', { status: 503 });
    await trouble.untilHolding();
    const held = await trouble.status();
    expect(held.state).toBe('running');
    expect(held.lanes[0]?.reason).toContain('ProviderUnavailable');
    const { stdout } = await trouble.stack.run('sweep', 'status', SWEEP.sweep);
    expect(stdout).toMatch(/holding [1-3]/u);
    await trouble.repair();
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr });
    await expectNothingLost(begun);
  });

  it('waits for a person where the key is refused, with nothing lost when it is taken again', async () => {
    const begun = await trouble.attempts();
    const ended = trouble.launch('locked');
    await trouble.untilCalls(40);
    await trouble.breakFor('agent', { status: 401 });
    // Nothing gets on before a person helps, so whoever follows is told, and the sweep stays open.
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 3, stderr });
    expect(stderr).toContain('ProviderAuth');
    expect(await trouble.status()).toMatchObject({ state: 'blocked' });
    await trouble.repair();
    await trouble.stack.run('sweep', 'resume', SWEEP.sweep);
    const again = await trouble.launch('locked');
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: again.stderr });
    await expectNothingLost(begun);
  });

  it('holds open runs too when it is paused with --hold, over a killed worker, until it is resumed', async () => {
    const begun = await trouble.attempts();
    const ended = trouble.launch('paused');
    await trouble.untilCalls(40);
    // No agent is done before the pause has reached it, however long it takes.
    await trouble.breakFor('agent', { untilCleared: true });
    const reason = 'the office closes';
    const paused = await trouble.stack.run(
      'sweep',
      'pause',
      SWEEP.sweep,
      '--hold',
      '--reason',
      reason,
    );
    expect(paused.stdout + paused.stderr).toContain('open runs wait at their next model request');
    await trouble.untilAgentsPaused();
    await trouble.repair();
    const before = await trouble.untilStill(3_000);
    await trouble.stack.signal('worker', 'SIGKILL');
    await trouble.stack.up();
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect((await trouble.stack.calls()).total).toBe(before);
    expect((await trouble.status()).lanes[0]).toMatchObject({ reason });
    await trouble.stack.run('sweep', 'resume', SWEEP.sweep);
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr });
    await expectNothingLost(begun);
  });
});
