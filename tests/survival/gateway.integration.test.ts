import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processFiles } from '../../activities/gateway/attempt-files';
import { controlRequest } from '../../activities/gateway/control-request';
import { createGatewayControl } from '../../activities/gateway/gateway-control';
import { transcriptSchema } from '../../activities/gateway/transcript-schema';
import { type RunningProvider, startProvider } from '../../activities/models/provider-server';
import { type AttemptRecord, type RunResult } from '../../core/run';
import {
  type AgentWorld,
  attemptKey,
  disposedWorlds,
  finish,
  reserveAndPrepare,
  resultKey,
} from '../activities/agent/support/agent-world';
import { command, steadyAgent, steadyReport } from '../support/recorded-sweep';
import { story } from './support/steady-stack';

const worldOf = disposedWorlds();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const STEPS = 6;
const CALLS = STEPS + 1;
const MODEL = {
  id: 'model',
  provider: 'replay' as const,
  name: 'model',
  parameters: {},
  account: 'replay',
  recordings: { name: 'set', digest: 'd' },
};

interface Bench {
  readonly world: AgentWorld;
  readonly provider: RunningProvider;
  readonly dataDir: string;
  gatewayPid(): Promise<number | undefined>;
  /** Gateway processes that have served so far. */
  gateways(): Promise<number>;
}

/** nanobot with the shipped gateway process; each gateway that is started gets `fault`. */
async function benchOf(turns: readonly object[], loop: boolean, maxSteps: number): Promise<Bench> {
  const world = await worldOf({ harness: 'nanobot', model: MODEL, limits: { maxSteps } });
  const recordingsDir = join(world.folder, 'recordings');
  await mkdir(join(recordingsDir, 'set', 'task'), { recursive: true });
  await writeFile(join(recordingsDir, 'set', 'task', 'all.yaml'), JSON.stringify({ turns, loop }));
  const provider = await startProvider({ port: 0, recordingsDir });
  closing.push(() => provider.close());
  const dataDir = join(world.folder, 'host-1');
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, 'provider.json'), JSON.stringify({ url: provider.url }));
  const { controlSocket, log } = processFiles(dataDir);
  const gatewayPid = async () => {
    const status = await controlRequest(controlSocket, 'GET', '/status', undefined, 5_000).catch(
      () => undefined,
    );
    return (status as { pid: number } | undefined)?.pid;
  };
  closing.push(async () => {
    const pid = await gatewayPid();
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  });
  const gateways = async () => (await readFile(log, 'utf8')).split('gateway serves').length - 1;
  return { world, provider, dataDir, gatewayPid, gateways };
}

async function runAttempt({ world, dataDir }: Bench, fault?: string) {
  const gateway = createGatewayControl({
    dataDir,
    environment: { ...process.env, ...(fault !== undefined && { STARTUPBENCH_FAULT: fault }) },
  });
  const host = await world.host(gateway);
  const { end } = await finish(host, await reserveAndPrepare(host, world));
  const record = (await world.record<AttemptRecord>(attemptKey(world, 1)))!;
  const blob = await world.store.getBlob('open', record.transcript!.sha256);
  const transcript = transcriptSchema.parse(JSON.parse(Buffer.from(blob).toString('utf8')));
  const [report] = (await world.record<RunResult>(resultKey(world)))!.deliverables.files;
  const text = Buffer.from(await world.store.getBlob('open', report!.sha256)).toString('utf8');
  return { end, record, steps: story(transcript), report: text };
}

describe('nanobot in its sandbox, and a gateway that dies again and again', () => {
  let undisturbed: Awaited<ReturnType<typeof runAttempt>>;

  beforeAll(async () => {
    const bench = await benchOf(steadyAgent(STEPS, 0), false, 20);
    undisturbed = await runAttempt(bench);
    expect(undisturbed.report).toBe(steadyReport(STEPS));
    expect(undisturbed.end).toMatchObject({ stopReason: 'completed', steps: CALLS });
    expect(bench.provider.calls().total).toBe(CALLS);
    expect(await bench.gateways()).toBe(1);
  });

  it.each([
    // Every gateway dies at its n-th exchange; whether that one's reply was paid for in vain.
    ['before-upstream', 3, false],
    ['after-upstream', 4, true],
    ['torn-journal', 3, true],
    ['after-journal', 2, false],
    ['after-journal', 5, false],
  ] as const)('%s in its exchange %i', async (moment, exchange, paidInVain) => {
    const bench = await benchOf(steadyAgent(STEPS, 0), false, 20);
    const { end, record, report, steps } = await runAttempt(bench, `gateway:${moment}:${exchange}`);
    expect(end).toEqual(undisturbed.end);
    expect(report).toBe(undisturbed.report);
    expect(steps).toEqual(undisturbed.steps);
    expect(record.traffic!.steps).toBe(CALLS);
    const deaths = (await bench.gateways()) - 1;
    expect(deaths).toBeGreaterThanOrEqual(1);
    const { total } = bench.provider.calls();
    if (paidInVain) expect(total).toBeLessThanOrEqual(CALLS + deaths);
    else expect(total).toBe(CALLS);
  });

  it('by SIGKILL at five moments of one run: at most the call in flight is paid again', async () => {
    const steps = 12;
    const bench = await benchOf(steadyAgent(steps, 0.3), false, 20);
    const running = runAttempt(bench);
    let kills = 0;
    const killer = (async () => {
      for (const calls of [1, 3, 5, 8, 11]) {
        while (bench.provider.calls().total < calls) await sleep(5);
        // Seeded by the moment: while the reply is journaled, handed over, or the next command runs.
        await sleep((calls * 37) % 250);
        const pid = await bench.gatewayPid();
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
        kills++;
      }
    })();
    const { end, report } = await running;
    await killer;
    expect(kills).toBe(5);
    expect(end).toMatchObject({ stopReason: 'completed', steps: steps + 1 });
    expect(report).toBe(steadyReport(steps));
    const { total } = bench.provider.calls();
    expect(total).toBeGreaterThanOrEqual(steps + 1);
    expect(total).toBeLessThanOrEqual(steps + 1 + kills);
  });

  it('the step cap stays exact: its replies, and the one request without tools', async () => {
    const maxSteps = 4;
    const bench = await benchOf([command('echo step >> results/report.md')], true, maxSteps);
    const { end, report } = await runAttempt(bench, 'gateway:after-journal:3');
    expect(end).toMatchObject({ stopReason: 'step_cap', steps: maxSteps });
    expect(report).toBe('step\n'.repeat(maxSteps));
    expect(bench.provider.calls().total).toBe(maxSteps + 1);
    expect(await bench.gateways()).toBeGreaterThanOrEqual(2);
  });
});
