import { TroubledSweep } from '../support/troubled-sweep';

jest.setTimeout(600_000);

const SWEEP = {
  sweep: 'judges-away',
  tasks: 2,
  items: 5,
  repetitions: 2,
  steps: 3,
  judgeTurns: 4,
  latencyMs: 150,
  window: 3,
};
const RUNS = 4;
const AGENT_CALLS = RUNS * SWEEP.steps;
/** Where it is missing, all that was said is shown. */
const SAYS_DONE = expect.stringContaining('sweep judges-away is done') as string;
/** Launched again after a resume, a sweep may be done before the command has made its plan. */
const SAYS_DONE_BY_NOW = expect.stringMatching(/is done|has a score already/u) as string;

let trouble: TroubledSweep;

beforeAll(async () => {
  // Sixty times as fast: trouble is held after one second, and tried again after 0.1 to 1 s.
  trouble = await TroubledSweep.start(SWEEP, 'holdAfter: 1s, holdProbe: 100ms');
});
afterAll(() => trouble.stack.stop());
beforeEach(() => trouble.reset());

const lane = async () => (await trouble.status()).lanes[0];
const untilJudging = () => trouble.untilCalls(AGENT_CALLS + 8);

/** Every run has its score from its first attempt, and every turn of every judge was answered once. */
async function expectNothingLost(begunBefore: number): Promise<void> {
  expect(await lane()).toMatchObject({ planned: RUNS, scored: RUNS, failed: 0, incomplete: 0 });
  expect(await trouble.attempts()).toBe(begunBefore + RUNS);
  expect(await trouble.answered('judge')).toEqual(
    Array.from({ length: RUNS * SWEEP.items }, () => SWEEP.judgeTurns),
  );
}

describe('a sweep whose judges’ provider is away for a while', () => {
  it('holds over many tries in vain and a killed worker, says so, and goes on by itself', async () => {
    const begun = await trouble.attempts();
    const ended = trouble.launch('away');
    await untilJudging();
    await trouble.breakFor('judge', { status: 503 });
    await trouble.untilHolding();
    const held = await lane();
    expect(held?.reason).toMatch(/^ProviderUnavailable: judges wait: /u);
    const { stdout } = await trouble.stack.run('sweep', 'status', SWEEP.sweep);
    expect(stdout).toMatch(/holding [1-3]/u);
    await trouble.untilFailed((await trouble.failed()) + 8);
    await trouble.stack.signal('worker', 'SIGKILL');
    await trouble.stack.up();
    await trouble.untilFailed((await trouble.failed()) + 8);
    expect((await lane())?.holding?.runs).toBeGreaterThan(0);
    await trouble.repair();
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: SAYS_DONE });
    await expectNothingLost(begun);
  });

  it.each([
    ['ProviderAuth', { status: 401 }],
    [
      'ProviderQuota',
      { status: 429, body: { error: { message: 'no', code: 'insufficient_quota' } } },
    ],
  ])('waits for a person on %s, with nothing lost when it is over', async (type, fault) => {
    const begun = await trouble.attempts();
    const ended = trouble.launch(type.toLowerCase());
    await untilJudging();
    await trouble.breakFor('judge', fault);
    // Nothing gets on before a person helps, so whoever follows is told, and the sweep stays open.
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 3, stderr });
    expect(stderr).toContain(type);
    const failed = await trouble.failed();
    await trouble.repair();
    await trouble.stack.run('sweep', 'resume', SWEEP.sweep);
    const again = await trouble.launch(type.toLowerCase());
    expect({ code: again.code, stderr: again.stderr }).toEqual({
      code: 0,
      stderr: SAYS_DONE_BY_NOW,
    });
    await expectNothingLost(begun);
    // One at a time has tried, not every judge of every run.
    expect(failed).toBeLessThan(200);
  });

  it('holds its judges too when it is paused with --hold, until it is resumed', async () => {
    const begun = await trouble.attempts();
    const ended = trouble.launch('paused');
    await untilJudging();
    // No judge is done before the pause has reached it, however long it takes.
    await trouble.breakFor('judge', { untilCleared: true });
    const reason = 'the office closes';
    await trouble.stack.run('sweep', 'pause', SWEEP.sweep, '--hold', '--reason', reason);
    // Longer than judges take a lane's last word for its present one.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    // Calls that are out are answered; then there are no more.
    await trouble.repair();
    const before = await trouble.untilStill(3_000);
    expect(before).toBeLessThan(AGENT_CALLS + RUNS * SWEEP.items * SWEEP.judgeTurns);
    expect(await lane()).toMatchObject({ reason });
    await trouble.stack.run('sweep', 'resume', SWEEP.sweep);
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: SAYS_DONE });
    await expectNothingLost(begun);
  });
});
