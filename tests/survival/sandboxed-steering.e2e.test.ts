import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { command, taskFolder, writeRecordedSweep, writeRubric } from '../support/recorded-sweep';
import { waitUntil } from '../support/wait-until';
import { attempt, succeeded, sum } from './support/steady-stack';
import { type SteadySweep, startSteadySweep } from './support/steady-sweep';

const STEPS = 10;
const ITEMS = 3;
const RUNS = 2;
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

it('a Temporal database that is deleted among agents and while judging: nothing finished is repeated', async () => {
  await steady.setPace({ agentMs: 1_500, judgeMs: 1_000 });
  const moments = [
    ['agent', 3],
    ['agent', 11],
    ['judge', 1],
    ['judge', 4],
    ['judge', 8],
  ] as const;
  for (const [purpose, count] of moments) {
    const { ended } = await steady.launch('database-deleted');
    await steady.untilCalls(purpose, count);
    await steady.stack.signal('temporal', 'SIGKILL');
    for (const suffix of ['', '-wal', '-shm'])
      await rm(join(steady.stack.dataDir, `temporal.db${suffix}`), { force: true });
    await steady.stack.up();
    const { code, stderr } = await ended;
    expect({ code, stderr }).toMatchObject({ code: 1 });
    expect(stderr).toContain('run it again, finished runs are kept');
  }
  await steady.finish('database-deleted');
  expect(await steady.outcome()).toEqual(undisturbed);
  expect(sum(await steady.calls('agent'))).toBe(RUNS * AGENT_CALLS);
  for (const [key, count] of Object.entries(await steady.calls('judge')))
    expect({ key, tooMany: count > JUDGE_CALLS + moments.length }).toEqual({ key, tooMany: false });
});

it('a sandbox that others remove: a second attempt, the first is kept with its transcript and cost', async () => {
  await steady.setPace({ agentMs: 800 });
  const { ended } = await steady.launch('sandbox-removed');
  await steady.untilEachRunCalled(RUNS, 3);
  const [removed] = await steady.containers();
  await steady.docker.getContainer(removed!.id).remove({ force: true });
  await succeeded(ended);
  const { runs } = await steady.outcome();
  const listed = await steady.listed();
  const hit = listed.find(({ runKey }) => removed!.name.includes(runKey.slice(0, 16)))!;
  for (const { runId, runKey } of listed) {
    expect(runs[runId]).toEqual({
      ...undisturbed.runs[runId],
      attempts: runId === hit.runId ? [attempt('lost'), 'ended'] : ['ended'],
    });
    const [first] = await steady.attempts(runKey);
    expect(first!.traffic!.steps).toBeGreaterThanOrEqual(1);
    expect(first!.traffic!.costMicroUsd).toBe(0);
    const transcript = await steady.transcript(first!);
    expect(transcript.steps.length).toBeGreaterThanOrEqual(first!.traffic!.steps);
  }
  expect((await steady.attempts(hit.runKey))[0]!.failure).toMatchObject({ type: 'SandboxLost' });
});

it('a cancelled sweep leaves no container; run again, it ends like any other', async () => {
  await steady.setPace({});
  // Every agent hangs in its third call, so that all of them run when the word comes.
  await steady.stack.provider('POST', '/faults', {
    ...{ match: { purpose: 'agent', turn: 2 }, times: 1_000, stall: true },
  });
  const { ended } = await steady.launch('cancelled');
  await steady.untilCalls('agent', 2 * RUNS);
  expect(await steady.containers()).toHaveLength(RUNS);
  await succeeded(steady.stack.run('sweep', 'cancel', 'steady'));
  await waitUntil(async () => (await steady.containers()).length === 0);
  expect(await ended).toMatchObject({ code: 130 });
  for (const { runKey } of await steady.listed())
    expect(await steady.attempts(runKey)).toMatchObject([
      { outcome: 'cancelled', stopReason: 'cancelled', transcript: { path: 'transcript.json' } },
    ]);
  await steady.setPace({});
  await steady.finish('cancelled');
  const { rows, runs } = await steady.outcome();
  expect(rows).toEqual(undisturbed.rows);
  for (const [runId, outcome] of Object.entries(undisturbed.runs))
    expect(runs[runId]).toEqual({ ...outcome, attempts: [attempt('cancelled'), 'ended'] });
});

it('Ctrl-C detaches the command; two SIGINTs end the worker at once; nothing is lost', async () => {
  await steady.setPace({ agentMs: 1_500, judgeMs: 500 });
  const launched = await steady.launch('interrupted');
  launched.command.kill('SIGINT');
  const { code, stderr } = await launched.ended;
  expect(code).toBe(130);
  expect(stderr).toContain('goes on without this command');
  expect(stderr).toContain('startupbench sweep cancel steady');

  const twice = async () => {
    const pid = await steady.stack.pid('worker');
    await steady.stack.signal('worker', 'SIGINT');
    await sleep(100);
    await steady.stack.signal('worker', 'SIGINT').catch(() => undefined);
    await waitUntil(async () => (await steady.stack.pid('worker')) !== pid);
  };
  for (const moment of [2, 6]) {
    await steady.untilEachRunCalled(RUNS, moment);
    const containers = await steady.containers();
    expect(containers).toHaveLength(RUNS);
    await twice();
    expect(await steady.containers()).toEqual(containers);
    await steady.stack.up();
  }
  const again = await steady.launch('interrupted');
  for (const moment of [1, 4, 8]) {
    await steady.untilCalls('judge', moment);
    await twice();
    await steady.stack.up();
  }
  await succeeded(again.ended);
  expect(await steady.outcome()).toEqual(undisturbed);
  expect(sum(await steady.calls('agent'))).toBe(RUNS * AGENT_CALLS);
});

it('an agent that exhausts memory, disk or processes is an outcome: one attempt, judged', async () => {
  const report = 'printf "fact 1\\nfact 2\\nfact 3\\n" > results/report.md';
  const greedy = (text: string) => [command(report), command(text), { text: 'Finished.' }];
  const agents = {
    memory: greedy('python3 -c "x = bytearray(1 << 30)"'),
    // Until what was written is on the disk, the file system holds blocks back and lets them go later.
    disk: greedy('for i in 1 2 3 4 5; do head -c 30000000 /dev/zero > $i; sync -f .; done'),
    pids: greedy('python3 -c "import os, time\nwhile True: os.fork() or time.sleep(60)"'),
  };
  // With a full disk the harness cannot write its own result either.
  const stopReasons: Record<string, string> = {
    memory: 'completed',
    disk: 'error',
    pids: 'completed',
  };
  const file = await writeRecordedSweep(steady.folder, {
    sweep: 'greedy',
    agents,
    harness: 'minimal',
    items: ITEMS,
    limits: { memory: '128MiB', processes: 32, workspaceSize: '64MiB', cpus: 1 },
  });
  await steady.setPace({});
  await succeeded(steady.stack.run('sweep', 'run', file, '--yes'));
  for (const { runId, runKey } of await steady.listed('greedy')) {
    const limit = runId.split('/')[1]!;
    expect(await steady.attempts(runKey)).toMatchObject([
      {
        outcome: 'ended',
        stopReason: stopReasons[limit],
        exit: { limitsHit: expect.arrayContaining([limit]) as unknown },
      },
    ]);
  }
  const rows = await steady.stack.tidyRows('greedy');
  expect(rows.filter((row) => row.includes(',scored,'))).toHaveLength(3 * ITEMS);
});

it('one reworded item is judged again, and nothing else', async () => {
  await writeRubric(taskFolder(steady.folder, 'steady', 'task-1'), ITEMS, {
    'item-2': 'The report states fact 2 in a line of its own.',
  });
  await steady.setPace({});
  await steady.finish('undisturbed');
  expect(await steady.calls('agent')).toEqual({});
  expect(await steady.calls('judge')).toEqual({ 'judge/task-1/r1/item-2': JUDGE_CALLS });
  expect(await steady.outcome()).toEqual(undisturbed);
});
