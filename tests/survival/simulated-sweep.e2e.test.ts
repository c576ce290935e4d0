import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProviderCounts, type StackProcess } from '../support/real-stack';
import { type SimulatedStack, startSimulatedStack } from '../support/simulated-stack';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(600_000);

/** 12 runs of 12 steps and 6 items, two turns each: 144 agent and 144 judge calls. */
const SWEEP = {
  sweep: 'survive',
  tasks: 3,
  items: 6,
  repetitions: 2,
  steps: 12,
  judgeTurns: 2,
  latencyMs: 60,
  window: 3,
  lanes: 2,
};
const EXPECTED_CALLS = 12 * 12 + 12 * 6 * 2;
/** Moments by calls answered so far: three among agents, the others among judges as well. */
const MOMENTS = [0.11, 0.27, 0.46, 0.63, 0.82].map((share) => Math.floor(share * EXPECTED_CALLS));

let stack: SimulatedStack['stack'];
let file: string;
let undisturbed: SimulatedStack['undisturbed'];

beforeAll(async () => {
  ({ stack, file, undisturbed } = await startSimulatedStack(SWEEP));
});
afterAll(() => stack.stop());

beforeEach(() => stack.provider('POST', '/calls/reset'));

/** Starts the sweep in a cohort of its own, disturbs it at each moment, and waits for its end. */
async function disturbedSweep(
  cohort: string,
  disturb: (moment: number) => Promise<void>,
): Promise<{ code: number | null; stderr: string }> {
  const sweep = stack.spawn('sweep', 'run', file, '--yes', '--cohort', cohort);
  const ended = stack.output(sweep);
  for (const [index, calls] of MOMENTS.entries()) {
    await waitUntil(async () => (await stack.calls()).total >= calls, 300_000);
    await disturb(index);
  }
  return ended;
}

/** What one more disturbance may cost at most: every call that was in flight. */
async function expectSameResults(disturbances: number, inFlight: number): Promise<void> {
  expect(await stack.tidyRows(SWEEP.sweep)).toEqual(undisturbed.rows);
  const { counts, total } = await stack.calls();
  for (const [key, count] of Object.entries(undisturbed.counts.counts)) {
    expect(counts[key]).toBeGreaterThanOrEqual(count);
    // One in flight a lane and disturbance, both lanes counted together.
    expect(counts[key]).toBeLessThanOrEqual(count + 2 * disturbances);
  }
  expect(total).toBeLessThanOrEqual(undisturbed.counts.total + disturbances * inFlight);
  // A clean-up that was cut off is finished by the reaper.
  const left = () => readdir(join(stack.dataDir, 'sandboxes'), { recursive: true });
  await waitUntil(async () => (await left()).length === 0, 120_000).catch(() => undefined);
  expect(await left()).toEqual([]);
}

async function killAndUp(name: StackProcess): Promise<void> {
  await stack.signal(name, 'SIGKILL');
  await stack.up();
}

describe('a simulated sweep', () => {
  it('makes the calls that its plan says, and no other', () => {
    expect(undisturbed.counts.total).toBe(EXPECTED_CALLS);
    expect(undisturbed.rows).toHaveLength(1 + 12 * 6);
  });

  it('ends with the same results when its worker is killed five times', async () => {
    const { code, stderr } = await disturbedSweep('worker-killed', () => killAndUp('worker'));
    expect({ code, stderr }).toEqual({ code: 0, stderr });
    // Agents' calls go through the gateway, which lives on: only judge calls are lost.
    await expectSameResults(MOMENTS.length, 2 * SWEEP.window * SWEEP.items);
    const { counts } = await stack.calls();
    const agents = (of: ProviderCounts['counts']) =>
      Object.entries(of).filter(([key]) => key.startsWith('agent/'));
    expect(agents(counts)).toEqual(agents(undisturbed.counts.counts));
  });

  it('ends with the same results when its gateway is killed five times', async () => {
    const { code, stderr } = await disturbedSweep('gateway-killed', () => killAndUp('gateway'));
    expect({ code, stderr }).toEqual({ code: 0, stderr });
    await expectSameResults(MOMENTS.length, 2 * SWEEP.window);
  });

  it('ends with the same results when the Temporal server is killed five times', async () => {
    const { code, stderr } = await disturbedSweep('temporal-killed', () => killAndUp('temporal'));
    expect({ code, stderr }).toEqual({ code: 0, stderr });
    // A model call that is answered while the server is away is journaled: nothing is asked twice.
    await expectSameResults(MOMENTS.length, 2 * SWEEP.window * SWEEP.items);
  });
});
