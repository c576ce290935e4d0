import { readFile, writeFile } from 'node:fs/promises';
import { RealStack, writeSimulatedSweep } from '../support/real-stack';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(300_000);

/** Longer than the reaper's first look and its second, many times. */
const STEPS = 20;
const LATENCY_MS = 1_500;
const SWEEP = {
  tasks: 1,
  items: 1,
  repetitions: 1,
  steps: STEPS,
  latencyMs: LATENCY_MS,
  window: 1,
};

let stack: RealStack;
beforeAll(async () => {
  stack = await RealStack.start(['--sandboxes', '1'], { STARTUPBENCH_REAP_AFTER: '3s' });
});
afterAll(() => stack.stop());

async function agentCalls(): Promise<number> {
  const { counts } = await stack.calls();
  const ofAgents = Object.entries(counts).filter(([key]) => key.startsWith('agent/'));
  return ofAgents.reduce((sum, [, count]) => sum + count, 0);
}

it.each(['minimal', 'simulated'])(
  'an attempt of %s that runs while its model gets another id goes on, on a host with one sandbox, and is paid once',
  async (harness) => {
    const sweep = `renamed-${harness}`;
    const file = await writeSimulatedSweep(stack.folder, { ...SWEEP, sweep, judgeTurns: 1 });
    const text = (await readFile(file, 'utf8')).replace('[simulated]', `[${harness}]`);
    await writeFile(file, text);
    await stack.provider('POST', '/calls/reset');
    await stack.run('sweep', 'run', file, '--yes', '--detach');
    await waitUntil(async () => (await agentCalls()) >= 3, 60_000);
    await writeFile(file, text.replaceAll('sim-1', 'renamed'));
    const { stderr } = await stack.run('sweep', 'run', file, '--yes');
    expect(stderr).toContain('sandboxes run on');
    expect(await agentCalls()).toBe(STEPS);
    await waitUntil(async () => (await stack.openAttempts()).length === 0, 30_000);
  },
);
