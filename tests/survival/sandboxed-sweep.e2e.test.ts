import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../support/wait-until';
import { succeeded, sum } from './support/steady-stack';
import { type SteadySweep, startSteadySweep } from './support/steady-sweep';

const STEPS = 12;
const ITEMS = 3;
const RUNS = 2;
/** Replies: one a step, and the one that says that it is finished. */
const AGENT_CALLS = STEPS + 1;
const JUDGE_CALLS = 2;

let steady: SteadySweep['steady'];
let undisturbed: SteadySweep['undisturbed'];

beforeAll(async () => {
  ({ steady, undisturbed } = await startSteadySweep(STEPS, ITEMS));
});
afterAll(() => steady.stop());
// What an earlier test killed and did not come to start again.
beforeEach(() => steady.stack.upIfNeeded());
afterEach(() => steady.expectTidy());

/** Rows, deliverables, transcripts and attempts are those of the undisturbed sweep. */
async function expectSameOutcome(): Promise<void> {
  expect(await steady.outcome()).toEqual(undisturbed);
}

/** Answered judge turns are not paid twice: at most the calls in flight at each of `kills` are asked again. */
async function expectJudgeCalls(kills: number): Promise<void> {
  const judged = await steady.calls('judge');
  expect(Object.keys(judged)).toHaveLength(RUNS * ITEMS);
  for (const [key, count] of Object.entries(judged)) {
    expect({ key, enough: count >= JUDGE_CALLS }).toEqual({ key, enough: true });
    expect({ key, tooMany: count > JUDGE_CALLS + kills }).toEqual({ key, tooMany: false });
  }
}

it('an undisturbed sweep makes each call once and scores every run', async () => {
  const agents = await steady.calls('agent');
  const judges = await steady.calls('judge');
  expect(agents).toEqual({ 'agent/task-1/r1': AGENT_CALLS, 'agent/task-2/r1': AGENT_CALLS });
  expect(Object.values(judges)).toEqual(Array(RUNS * ITEMS).fill(JUDGE_CALLS));
  expect(undisturbed.rows).toHaveLength(1 + RUNS * ITEMS);
  for (const row of undisturbed.rows.slice(1)) expect(row).toContain(',scored,');
  expect(Object.values(undisturbed.runs).map(({ attempts }) => attempts)).toEqual([
    ['ended'],
    ['ended'],
  ]);
});

it('SIGKILL of the worker among agents, between store and judge, and while judging', async () => {
  await steady.setPace({ agentMs: 1_500, judgeMs: 1_000 });
  const stored = await steady.results();
  const { ended } = await steady.launch('worker-killed');
  const killAndUp = async () => {
    await steady.stack.signal('worker', 'SIGKILL');
    await steady.stack.up();
  };
  await steady.untilCalls('agent', 1);
  const containers = new Set((await steady.containers()).map(({ id }) => id));
  for (const moment of [2, 7, 13]) {
    await steady.untilCalls('agent', moment);
    await killAndUp();
    // The same containers go on.
    for (const { id } of await steady.containers()) containers.add(id);
  }
  await waitUntil(async () => (await steady.results()) > stored, 300_000);
  await killAndUp();
  for (const moment of [1, 5]) {
    await steady.untilCalls('judge', moment);
    await killAndUp();
  }
  await succeeded(ended);
  expect(containers.size).toBeLessThanOrEqual(RUNS);
  await expectSameOutcome();
  // Agents' calls go through the gateway, which lives on: not one is repeated.
  expect(await steady.calls('agent')).toEqual({
    'agent/task-1/r1': AGENT_CALLS,
    'agent/task-2/r1': AGENT_CALLS,
  });
  await expectJudgeCalls(6);
});

it('SIGKILL of the gateway at five moments', async () => {
  await steady.setPace({ agentMs: 300 });
  const { ended } = await steady.launch('gateway-killed');
  for (const moment of [1, 6, 11, 15, 20]) {
    await steady.untilCalls('agent', moment);
    await steady.stack.signal('gateway', 'SIGKILL');
    // The worker misses it and starts it again.
    await waitUntil(async () => (await steady.stack.pid('gateway')) !== undefined);
  }
  await succeeded(ended);
  await expectSameOutcome();
  for (const [key, count] of Object.entries(await steady.calls('agent'))) {
    expect({ key, enough: count >= AGENT_CALLS }).toEqual({ key, enough: true });
    // At most the one in flight is paid again, each time.
    expect({ key, tooMany: count > AGENT_CALLS + 5 }).toEqual({ key, tooMany: false });
  }
  await expectJudgeCalls(0);
});

it('SIGKILL of the Temporal server at five moments', async () => {
  await steady.setPace({ agentMs: 700, judgeMs: 1_000 });
  const { ended } = await steady.launch('temporal-killed');
  const killAndUp = async () => {
    await steady.stack.signal('temporal', 'SIGKILL');
    await steady.stack.up();
  };
  for (const moment of [2, 9, 18]) {
    await steady.untilCalls('agent', moment);
    await killAndUp();
  }
  for (const moment of [1, 6]) {
    await steady.untilCalls('judge', moment);
    await killAndUp();
  }
  await succeeded(ended);
  await expectSameOutcome();
  expect(sum(await steady.calls('agent'))).toBe(RUNS * AGENT_CALLS);
  await expectJudgeCalls(5);
});

it('SIGSTOP of the worker beyond its heartbeat timeout, then SIGCONT, at five moments', async () => {
  await steady.setPace({ agentMs: 2_000, judgeMs: 500 });
  const { ended } = await steady.launch('worker-stopped');
  for (const moment of [1, 7, 13, 19]) {
    await steady.untilCalls('agent', moment);
    await steady.stack.signal('worker', 'SIGSTOP');
    await sleep(6_500);
    await steady.stack.signal('worker', 'SIGCONT');
  }
  await steady.untilCalls('judge', 3);
  await steady.stack.signal('worker', 'SIGSTOP');
  await sleep(6_500);
  await steady.stack.signal('worker', 'SIGCONT');
  await succeeded(ended);
  await expectSameOutcome();
  expect(sum(await steady.calls('agent'))).toBe(RUNS * AGENT_CALLS);
  await expectJudgeCalls(5);
});
