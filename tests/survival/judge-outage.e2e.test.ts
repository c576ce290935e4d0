import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SweepStatus } from '../../workers/sweep-progress';
import { type ProviderCounts, RealStack, writeSimulatedSweep } from '../support/real-stack';
import { waitUntil } from '../support/wait-until';

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

let stack: RealStack;
let file: string;

beforeAll(async () => {
  stack = await RealStack.start();
  file = await writeSimulatedSweep(stack.folder, SWEEP);
  // Sixty times as fast: trouble is held after one second, and tried again after 0.1 to 1 s; 40 minutes are 40 s.
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('timings: {', 'timings: { holdAfter: 1s, holdProbe: 100ms,'));
});
afterAll(() => stack.stop());
beforeEach(async () => {
  await stack.provider('DELETE', '/faults');
  await stack.provider('POST', '/calls/reset');
});

async function lane(): Promise<SweepStatus['lanes'][number] | undefined> {
  const { stdout } = await stack.run('sweep', 'status', SWEEP.sweep, '--json');
  return (JSON.parse(stdout) as SweepStatus).lanes[0];
}

function launch(cohort: string) {
  const sweep = stack.spawn('sweep', 'run', file, '--yes', '--cohort', cohort);
  return stack.output(sweep);
}

const breakJudges = (fault: object) =>
  stack.provider('POST', '/faults', { match: { purpose: 'judge' }, times: 1_000_000, ...fault });
const repair = () => stack.provider('DELETE', '/faults');
const untilJudging = () =>
  waitUntil(async () => (await stack.calls()).total >= AGENT_CALLS + 8, 200_000);
const untilHolding = () => waitUntil(async () => ((await lane())?.holding?.runs ?? 0) > 0, 100_000);
const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function attempts(): Promise<number> {
  const names = await readdir(join(stack.dataDir, 'store'), { recursive: true });
  return names.filter((name) => name.endsWith('claim.json')).length;
}

/** Every run has its score from its first attempt, and every turn of every judge was answered once. */
async function expectNothingLost(begunBefore: number): Promise<void> {
  expect(await lane()).toMatchObject({ planned: RUNS, scored: RUNS, failed: 0, incomplete: 0 });
  expect(await attempts()).toBe(begunBefore + RUNS);
  const { counts } = await stack.calls();
  expect(judgeTurns(counts)).toEqual(
    Array.from({ length: RUNS * SWEEP.items }, () => SWEEP.judgeTurns),
  );
}

function judgeTurns(counts: ProviderCounts['counts']): number[] {
  return Object.entries(counts)
    .filter(([key]) => key.startsWith('judge/'))
    .map(([, count]) => count);
}

describe('a sweep whose judges’ provider is away for a while', () => {
  it('holds for 40 minutes (here 40 s) over a killed worker, says so, and goes on by itself', async () => {
    const begun = await attempts();
    const ended = launch('away');
    await untilJudging();
    await breakJudges({ status: 503 });
    await untilHolding();
    const held = await lane();
    expect(held?.reason).toMatch(/^ProviderUnavailable: judges wait: /u);
    const { stdout } = await stack.run('sweep', 'status', SWEEP.sweep);
    expect(stdout).toMatch(/holding [1-3]/u);
    await pass(20_000);
    await stack.signal('worker', 'SIGKILL');
    await stack.up();
    await pass(20_000);
    expect((await lane())?.holding?.runs).toBeGreaterThan(0);
    await repair();
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr });
    await expectNothingLost(begun);
  });

  it.each([
    ['ProviderAuth', { status: 401 }],
    [
      'ProviderQuota',
      { status: 429, body: { error: { message: 'no', code: 'insufficient_quota' } } },
    ],
  ])('waits for a person on %s, with nothing lost when it is over', async (type, fault) => {
    const begun = await attempts();
    const ended = launch(type.toLowerCase());
    await untilJudging();
    await breakJudges(fault);
    // Nothing gets on before a person helps, so whoever follows is told, and the sweep stays open.
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 3, stderr });
    expect(stderr).toContain(type);
    const { failed } = (await stack.calls()) as ProviderCounts & { readonly failed: number };
    await repair();
    await stack.run('sweep', 'resume', SWEEP.sweep);
    const again = await launch(type.toLowerCase());
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: again.stderr });
    await expectNothingLost(begun);
    // One at a time has tried, not every judge of every run.
    expect(failed).toBeLessThan(200);
  });

  it('holds its judges too when it is paused with --hold, until it is resumed', async () => {
    const begun = await attempts();
    // Slow enough for a pause in the middle of it, however long the command takes.
    await breakJudges({ delayMs: 2_000 });
    const ended = launch('paused');
    await untilJudging();
    const reason = 'the office closes';
    await stack.run('sweep', 'pause', SWEEP.sweep, '--hold', '--reason', reason);
    // Calls that are out are answered; then there are no more.
    let before = -1;
    await waitUntil(async () => {
      const { total } = await stack.calls();
      const isStill = total === before;
      before = total;
      await pass(6_000);
      return isStill;
    }, 100_000);
    expect(before).toBeLessThan(AGENT_CALLS + RUNS * SWEEP.items * SWEEP.judgeTurns);
    expect(await lane()).toMatchObject({ reason });
    await repair();
    await stack.run('sweep', 'resume', SWEEP.sweep);
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr });
    await expectNothingLost(begun);
  });
});
