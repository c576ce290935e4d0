import { join } from 'node:path';
import { RealStack, writeSimulatedSweep } from '../support/real-stack';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(600_000);

const SWEEP = {
  ...{ tasks: 3, items: 2, repetitions: 1, steps: 6, judgeTurns: 2, latencyMs: 150, window: 3 },
};
/** Of one task's run. */
const CALLS_OF_RUN = SWEEP.steps + SWEEP.items * SWEEP.judgeTurns;

let stack: RealStack;
beforeAll(async () => {
  stack = await RealStack.start([], { STARTUPBENCH_REAP_AFTER: '30s' });
});
afterAll(() => stack.stop());
beforeEach(async () => {
  await stack.provider('DELETE', '/faults');
  await stack.provider('POST', '/calls/reset');
});

/** Agents hang in their third call, so that a sweep stays open. */
const stall = (which: RealStack) =>
  which.provider('POST', '/faults', {
    ...{ match: { purpose: 'agent', turn: 2 }, times: 1_000, stall: true },
  });

const fileOf = (sweep: string, folder = stack.folder) =>
  writeSimulatedSweep(folder, { ...SWEEP, sweep });
const run = (file: string, ...flags: string[]) =>
  stack.run('sweep', 'run', file, '--yes', ...flags);

it('of two sweeps of one cohort that are launched at one moment one is made, once', async () => {
  const files = [await fileOf('left'), await fileOf('right')];
  const ended = await Promise.all(files.map((file) => run(file, '--cohort', 'both')));
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 1]);
  const refused = ended.find(({ code }) => code === 1)!;
  expect(refused.stderr).toContain('cohort both is being run by sweep/');
  expect((await stack.calls()).total).toBe(3 * CALLS_OF_RUN);
});

it('a closed sweep is neither run nor rerun while another one has its cohort', async () => {
  const [first, second] = [await fileOf('early'), await fileOf('late')];
  const started = ['--cohort', 'taken', '--detach'];
  await stall(stack);
  expect(await run(first, ...started)).toMatchObject({ code: 0 });
  expect(await stack.run('sweep', 'cancel', 'early')).toMatchObject({ code: 0 });
  expect(await run(second, ...started)).toMatchObject({ code: 0 });
  const rerun = ['sweep', 'rerun', 'early', 'task-1/r1', '--reason', 'test'];
  for (const refused of [await stack.run(...rerun), await run(first, ...started)])
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cohort taken is being run by sweep/late') as string,
    });
  expect(await stack.run('sweep', 'cancel', 'late')).toMatchObject({ code: 0 });
});

it('of launches of one sweep with different tasks each says what became of its own', async () => {
  const file = await fileOf('chosen');
  const tasks = ['task-1', 'task-2', 'task-3'];
  const ended = await Promise.all(tasks.map((task) => run(file, '--tasks', task, '--json')));
  const [done, ...others] = [...ended].sort((left, right) => left.code! - right.code!);
  expect(done).toMatchObject({ code: 0 });
  for (const other of others.filter(({ code }) => code !== 0)) {
    expect(other.code).toBe(130);
    expect(other.stderr).toMatch(/ended by another launch|launched with another plan meanwhile/u);
  }
  // Who says `done` has the score of its own task in the store.
  const rows = await Promise.all(
    tasks.map((task) => stack.run('sweep', 'plan', file, '--tasks', task, '--json')),
  );
  for (const [index, { code }] of ended.entries())
    if (code === 0)
      expect(JSON.parse(rows[index]!.stdout)).toMatchObject({ counts: { toRun: 0, toJudge: 0 } });
});

it('goes on elsewhere with a cancelled sweep, and with one whose stack is gone where that is said', async () => {
  const shared = { STARTUPBENCH_STORE: `file:${join(stack.folder, 'shared-store')}` };
  const old = await RealStack.start([], shared);
  const file = await fileOf('moved');
  const launch = ['sweep', 'run', file, '--yes'];
  let next: RealStack | undefined;
  try {
    await stall(old);
    expect(await old.run(...launch, '--detach')).toMatchObject({ code: 0 });
    expect(await old.run('sweep', 'cancel', 'moved')).toMatchObject({ code: 0 });
    next = await RealStack.start([], shared);
    await stall(next);
    expect(await next.run(...launch, '--detach')).toMatchObject({ code: 0 });
    const refused = await old.run(...launch);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--take-cohort') as string,
    });
    await next.stop();
    await old.provider('DELETE', '/faults');
    expect(await old.run(...launch, '--take-cohort')).toMatchObject({ code: 0 });
    await waitUntil(async () => (await old.openAttempts()).length === 0);
  } finally {
    await next?.stop();
    await old.stop();
  }
});
