import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeSimulatedSweep, type ProviderCounts } from '../support/real-stack';
import { type SimulatedStack, startSimulatedStack } from '../support/simulated-stack';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(600_000);

const SWEEP = {
  sweep: 'steered',
  tasks: 3,
  items: 6,
  repetitions: 2,
  steps: 10,
  judgeTurns: 3,
  latencyMs: 80,
  window: 6,
};
const AGENT_CALLS = 6 * 10;
const CALLS = AGENT_CALLS + 6 * 6 * 3;
/** Every judge session of every run. */
const MOST_IN_FLIGHT = 6 * 6;

let stack: SimulatedStack['stack'];
let file: string;
let undisturbed: SimulatedStack['undisturbed'];

beforeAll(async () => {
  // Longer than a busy machine takes from the end of one launch to the runs of the next, which take attempts over.
  ({ stack, file, undisturbed } = await startSimulatedStack(SWEEP, '30s'));
});
afterAll(() => stack.stop());
beforeEach(async () => {
  await stack.provider('DELETE', '/faults');
  await stack.provider('POST', '/calls/reset');
});

function launch(cohort: string) {
  const sweep = stack.spawn('sweep', 'run', file, '--yes', '--cohort', cohort);
  return { sweep, ended: stack.output(sweep) };
}
const untilCalls = (count: number) =>
  waitUntil(async () => (await stack.calls()).total >= count, 200_000);
const COMMANDS_TO_OPEN_SWEEPS = [
  ['resume'],
  ['pause', '--reason', 'test'],
  ['cancel'],
  ['cancel', 'task-2/r1'],
  ['window', 'sim@simulated', '2'],
];
const runAgain = (cohort: string) => stack.run('sweep', 'run', file, '--yes', '--cohort', cohort);

const agentCalls = ({ counts }: ProviderCounts) =>
  Object.entries(counts).filter(([key]) => key.startsWith('agent/'));

describe('a simulated sweep', () => {
  it('makes exactly the calls of its plan', () => {
    expect(undisturbed.counts.total).toBe(CALLS);
  });

  it("repeats nothing finished when Temporal's database is deleted in the middle of the judging", async () => {
    const { sweep, ended } = launch('amnesia');
    await untilCalls(AGENT_CALLS + 40);
    await stack.signal('temporal', 'SIGKILL');
    for (const suffix of ['', '-wal', '-shm'])
      await rm(join(stack.dataDir, `temporal.db${suffix}`), { force: true });
    await stack.up();
    sweep.kill('SIGINT');
    await ended;
    const { code, stderr } = await runAgain('amnesia');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(await stack.tidyRows(SWEEP.sweep)).toEqual(undisturbed.rows);
    const calls = await stack.calls();
    expect(agentCalls(calls)).toEqual(agentCalls(undisturbed.counts));
    expect(calls.total).toBeLessThanOrEqual(CALLS + MOST_IN_FLIGHT);
  });

  it('is cancelled with every attempt removed, and finishes when it is run again', async () => {
    // Every agent hangs in its sixth call, so that all of them run when the word comes.
    await stack.provider('POST', '/faults', {
      ...{ match: { purpose: 'agent', turn: 5 }, times: 1_000, stall: true },
    });
    const { ended } = launch('cancelled');
    await untilCalls(AGENT_CALLS / 2);
    const cancelled = await stack.run('sweep', 'cancel', SWEEP.sweep);
    expect(cancelled).toMatchObject({ code: 0 });
    expect(await ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('was cancelled; finished runs are kept') as string,
    });
    await waitUntil(async () => (await stack.openAttempts()).length === 0, 120_000);
    const status = await stack.run('sweep', 'status', SWEEP.sweep, '--json');
    expect(JSON.parse(status.stdout)).toMatchObject({ state: 'cancelled' });
    await stack.provider('DELETE', '/faults');
    for (const [command = '', ...parameters] of COMMANDS_TO_OPEN_SWEEPS) {
      const refused = await stack.run('sweep', command, SWEEP.sweep, ...parameters);
      expect({ command, ...refused }).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/is not open \(cancelled\); .* sweep run FILE/u) as string,
      });
    }
    expect(await stack.openAttempts()).toEqual([]);
    expect(await runAgain('cancelled')).toMatchObject({ code: 0 });
    expect(await stack.tidyRows(SWEEP.sweep)).toEqual(undisturbed.rows);
  });

  it('goes on without the command that Ctrl-C detached, and can be attached to again', async () => {
    const { sweep, ended } = launch('detached');
    await untilCalls(20);
    sweep.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain(`sweep ${SWEEP.sweep} goes on without this command`);
    expect(stderr).toContain(`startupbench sweep cancel ${SWEEP.sweep}`);
    expect(await runAgain('detached')).toMatchObject({ code: 0 });
    expect(await stack.tidyRows(SWEEP.sweep)).toEqual(undisturbed.rows);
    expect((await stack.calls()).total).toBe(CALLS);
  });

  it('goes on from where it was when it is launched again with more repetitions while it is open', async () => {
    // Every agent is in its sixth call while the second launch makes its plan.
    await stack.provider('POST', '/faults', {
      ...{ match: { purpose: 'agent', turn: 5 }, times: 6, delayMs: 20_000 },
    });
    const { ended } = launch('extended');
    await untilCalls(30);
    const more = await writeSimulatedSweep(stack.folder, { ...SWEEP, repetitions: 3 });
    const { code, stderr } = await stack.run('sweep', 'run', more, '--yes', '--cohort', 'extended');
    await writeSimulatedSweep(stack.folder, SWEEP);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('is open with another plan');
    expect((await ended).stderr).toContain('was ended by another launch');
    const rows = await stack.tidyRows(SWEEP.sweep);
    expect(rows.filter((row) => !row.includes(',3,'))).toEqual(
      undisturbed.rows.filter((row) => !row.includes(',3,')),
    );
    const { counts } = await stack.calls();
    for (const [key, calls] of Object.entries(counts))
      if (key.startsWith('agent/')) expect({ key, calls }).toEqual({ key, calls: 10 });
  });

  it('loses nothing when its worker is told twice to end at once', async () => {
    const { ended } = launch('impatient');
    await untilCalls(30);
    await stack.signal('worker', 'SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 100));
    await stack.signal('worker', 'SIGINT').catch(() => undefined);
    await waitUntil(async () => (await stack.pid('worker')) === undefined);
    await stack.up();
    expect(await ended).toMatchObject({ code: 0 });
    expect(await stack.tidyRows(SWEEP.sweep)).toEqual(undisturbed.rows);
    expect(agentCalls(await stack.calls())).toEqual(agentCalls(undisturbed.counts));
  });

  it('has one record of each run when its worker was frozen beyond its heartbeat timeout', async () => {
    const { ended } = launch('frozen');
    await untilCalls(25);
    await stack.signal('worker', 'SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    await stack.signal('worker', 'SIGCONT');
    expect(await ended).toMatchObject({ code: 0 });
    expect(await stack.tidyRows(SWEEP.sweep)).toEqual(undisturbed.rows);
    expect(agentCalls(await stack.calls())).toEqual(agentCalls(undisturbed.counts));
  });

  it('does one run again on request when it is closed, and touches no other', async () => {
    expect(await runAgain('again')).toMatchObject({ code: 0 });
    await stack.provider('POST', '/calls/reset');
    const refused = await stack.run('sweep', 'rerun', SWEEP.sweep, 'task-2/r1', '--reason', 'test');
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--force') as string,
    });
    const rerun = await stack.run(
      'sweep',
      'rerun',
      SWEEP.sweep,
      'task-2/r1',
      '--reason',
      'test',
      '--force',
    );
    expect(rerun).toMatchObject({ code: 0 });
    expect(await runAgain('again')).toMatchObject({ code: 0 });
    const { counts } = await stack.calls();
    expect(Object.keys(counts).filter((key) => !key.includes('/task-2/r1'))).toEqual([]);
    expect(counts['agent/task-2/r1']).toBe(10);
    expect(await stack.tidyRows(SWEEP.sweep)).toEqual(undisturbed.rows);
  });

  it('refuses a budget where it has none with code 2, and changes nothing', async () => {
    const refused = await stack.run('sweep', 'budget', SWEEP.sweep, '5');
    expect(refused).toMatchObject({
      code: 2,
      stderr: 'startupbench: the sweep has no budget, so nothing limits it\n',
    });
  });

  it('has nothing to do when every run is scored', async () => {
    const { code, stderr } = await runAgain('again');
    expect(code).toBe(0);
    expect(stderr).toContain('nothing to do');
    expect(await stack.calls()).toMatchObject({ total: 0, counts: {} });
  });
});
