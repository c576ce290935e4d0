import { type AttemptRecord } from '../../core/run';
import { OwnDockerDaemon } from '../support/own-docker-daemon';
import { steadyAgent } from '../support/recorded-sweep';
import { attempt, type SweepOutcome, SteadyStack, succeeded, sum } from './support/steady-stack';

const STEPS = 10;
const RUNS = 2;
const ITEMS = 2;
const AGENT_CALLS = STEPS + 1;
const JUDGE_CALLS = 2;

/**
 * Calls of each agent that are answered when the daemon is killed. Without live-restore each kill among agents costs
 * both of them an attempt: the first attempts stop in turn 2, the second ones in turn 7.
 */
const CASES = [
  { liveRestore: true, agentMs: 1_000, agentMoments: [1, 4, 8], stopIn: [], attempts: ['ended'] },
  {
    ...{ liveRestore: false, agentMs: 0, agentMoments: [2, 2 + 7], stopIn: [2, 7] },
    attempts: ['lost', 'lost', 'ended'],
  },
] satisfies {
  liveRestore: boolean;
  agentMs: number;
  agentMoments: number[];
  stopIn: number[];
  attempts: AttemptRecord['outcome'][];
}[];

let daemon: OwnDockerDaemon;
let steady: SteadyStack;
let undisturbed: SweepOutcome;

beforeAll(async () => {
  daemon = await OwnDockerDaemon.start(true);
  await daemon.importImage('agent');
  await daemon.importImage('renderer');
  steady = await SteadyStack.start(
    {
      sweep: 'steady',
      agents: { 'task-1': steadyAgent(STEPS, 0.05), 'task-2': steadyAgent(STEPS, 0.05) },
      harness: 'minimal',
      items: ITEMS,
    },
    { docker: daemon.docker, environment: { DOCKER_HOST: daemon.host } },
  );
  await steady.finish('undisturbed');
  undisturbed = await steady.outcome();
});
afterAll(async () => {
  try {
    await daemon.restart();
    await steady.stop();
  } finally {
    await daemon.stop();
  }
});
afterEach(async () => {
  await daemon.restart();
  await steady.expectTidy();
});

describe.each(CASES)(
  'SIGKILL of the Docker daemon among agents and while judging (live-restore: $liveRestore)',
  ({ liveRestore, agentMs, agentMoments, stopIn, attempts }) => {
    beforeAll(() => daemon.changeTo(liveRestore));

    it(`every run ends scored after the attempts ${attempts.join(', ')}`, async () => {
      await steady.setPace({ agentMs, judgeMs: 1_000 });
      const stops = stopIn.map((turn) => ({ match: { purpose: 'agent', turn }, times: RUNS }));
      await steady.stack.provider(
        'POST',
        '/faults',
        stops.map((stop) => ({ ...stop, stall: true })),
      );
      const { ended } = await steady.launch(`live-restore-${String(liveRestore)}`);
      const killAndRestart = async () => {
        await daemon.kill();
        await daemon.restart();
      };
      for (const [index, moment] of agentMoments.entries()) {
        await steady.untilEachRunCalled(RUNS, moment);
        // Both stand: the next attempts find no stop that these have left.
        if (stopIn.length > 0) await steady.untilStopped(RUNS * (index + 1));
        await killAndRestart();
      }
      for (const moment of [1, 4]) {
        await steady.untilCalls('judge', moment);
        await killAndRestart();
      }
      await succeeded(ended);
      const { rows, runs } = await steady.outcome();
      expect(rows).toEqual(undisturbed.rows);
      for (const [runId, outcome] of Object.entries(undisturbed.runs))
        expect(runs[runId]).toEqual({ ...outcome, attempts: attempts.map(attempt) });
      // Agents' replies are paid again only for new attempts, judges' not at all.
      const agentCalls = sum(await steady.calls('agent'));
      if (liveRestore) expect(agentCalls).toBe(RUNS * AGENT_CALLS);
      else expect(agentCalls).toBeLessThanOrEqual(RUNS * AGENT_CALLS * attempts.length);
      expect(sum(await steady.calls('judge'))).toBe(RUNS * ITEMS * JUDGE_CALLS);
    });
  },
);
