import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SweepStatus } from '../../workers/sweep-progress';
import { type ProviderCounts, RealStack, writeSimulatedSweep } from '../support/real-stack';
import { waitUntil } from '../support/wait-until';

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

let stack: RealStack;
let file: string;

beforeAll(async () => {
  stack = await RealStack.start();
  file = await writeSimulatedSweep(stack.folder, SWEEP);
  // Trouble is held after one second instead of sixty, and tried again after half a second instead of five.
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('timings: {', 'timings: { holdAfter: 1s, holdProbe: 500ms,'));
});
afterAll(() => stack.stop());
beforeEach(async () => {
  await stack.provider('DELETE', '/faults');
  await stack.provider('POST', '/calls/reset');
});

async function status(): Promise<SweepStatus> {
  const { stdout } = await stack.run('sweep', 'status', SWEEP.sweep, '--json');
  return JSON.parse(stdout) as SweepStatus;
}

function launch(cohort: string) {
  const sweep = stack.spawn('sweep', 'run', file, '--yes', '--cohort', cohort);
  return stack.output(sweep);
}

const breakAgents = (fault: object) =>
  stack.provider('POST', '/faults', { match: { purpose: 'agent' }, times: 1_000_000, ...fault });
const repair = () => stack.provider('DELETE', '/faults');
const untilCalls = (count: number) =>
  waitUntil(async () => (await stack.calls()).total >= count, 200_000);
const untilHolding = () =>
  waitUntil(async () => ((await status()).lanes[0]?.holding?.runs ?? 0) > 0, 100_000);

/** Numbers under which attempts were begun, over all runs of all cohorts so far. */
async function attempts(): Promise<string[]> {
  const names = await readdir(join(stack.dataDir, 'store'), { recursive: true });
  return names.filter((name) => name.endsWith('claim.json'));
}

/** Every run made every step once, in its first attempt. */
async function expectNothingLost(begunBefore: number): Promise<void> {
  const { lanes } = await status();
  expect(lanes[0]).toMatchObject({ planned: RUNS, scored: RUNS, failed: 0, incomplete: 0 });
  expect(await attempts()).toHaveLength(begunBefore + RUNS);
  const { counts } = await stack.calls();
  expect(agentSteps(counts)).toEqual(Array.from({ length: RUNS }, () => SWEEP.steps));
}

function agentSteps(counts: ProviderCounts['counts']): number[] {
  return Object.entries(counts)
    .filter(([key]) => key.startsWith('agent/'))
    .map(([, count]) => count);
}

describe('a sweep whose provider is away for a while', () => {
  it('shows that it holds and why, starts nothing more, and goes on by itself', async () => {
    const begun = (await attempts()).length;
    const ended = launch('away');
    await untilCalls(40);
    await breakAgents({ status: 503 });
    await untilHolding();
    const held = await status();
    expect(held.state).toBe('running');
    expect(held.lanes[0]?.reason).toContain('ProviderUnavailable');
    const { stdout } = await stack.run('sweep', 'status', SWEEP.sweep);
    expect(stdout).toMatch(/holding [1-3]/u);
    await repair();
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr });
    await expectNothingLost(begun);
  });

  it('waits for a person where the key is refused, with nothing lost when it is taken again', async () => {
    const begun = (await attempts()).length;
    const ended = launch('locked');
    await untilCalls(40);
    await breakAgents({ status: 401 });
    // Nothing gets on before a person helps, so whoever follows is told, and the sweep stays open.
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 3, stderr });
    expect(stderr).toContain('ProviderAuth');
    expect(await status()).toMatchObject({ state: 'blocked' });
    await repair();
    await stack.run('sweep', 'resume', SWEEP.sweep);
    const again = await launch('locked');
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: again.stderr });
    await expectNothingLost(begun);
  });

  it('holds open runs too when it is paused with --hold, over a killed worker, until it is resumed', async () => {
    const begun = (await attempts()).length;
    const ended = launch('paused');
    await untilCalls(40);
    // The agents must not be done before the command has started.
    await breakAgents({ delayMs: 1_500 });
    const reason = 'the office closes';
    const paused = await stack.run('sweep', 'pause', SWEEP.sweep, '--hold', '--reason', reason);
    await repair();
    expect(paused.stdout + paused.stderr).toContain('open runs wait at their next model request');
    let before = -1;
    await waitUntil(async () => {
      const { total } = await stack.calls();
      const still = total === before;
      before = total;
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return still;
    }, 100_000);
    await stack.signal('worker', 'SIGKILL');
    await stack.up();
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect((await stack.calls()).total).toBe(before);
    expect((await status()).lanes[0]).toMatchObject({ reason });
    await stack.run('sweep', 'resume', SWEEP.sweep);
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr });
    await expectNothingLost(begun);
  });
});
