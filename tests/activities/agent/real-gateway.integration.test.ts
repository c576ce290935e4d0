import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGatewayControl } from '../../../activities/gateway/gateway-control';
import { type RunningProvider, startProvider } from '../../../activities/models/provider-server';
import { type AttemptRecord, type RunResult } from '../../../core/run';
import {
  type AgentWorld,
  attemptKey,
  disposedWorlds,
  finish,
  reserveAndPrepare,
  resultKey,
  step,
} from './support/agent-world';

const worldOf = disposedWorlds();
const providers: RunningProvider[] = [];
afterAll(() => Promise.all(providers.map((provider) => provider.close())));

const MODEL = {
  id: 'model',
  provider: 'replay' as const,
  name: 'model',
  parameters: {},
  account: 'replay',
  recordings: { name: 'set', digest: 'd' },
};
const exec = (command: string) => ({ tools: [{ name: 'exec', arguments: { command } }] });

/** A host of the world with the shipped gateway process, and a provider that plays these turns. */
async function hostWithProvider(world: AgentWorld, turns: readonly object[], loop = false) {
  const recordingsDir = join(world.folder, 'recordings');
  await mkdir(join(recordingsDir, 'set', 'task'), { recursive: true });
  await writeFile(join(recordingsDir, 'set', 'task', 'all.yaml'), JSON.stringify({ turns, loop }));
  const provider = await startProvider({ port: 0, recordingsDir });
  providers.push(provider);
  const dataDir = join(world.folder, 'host-1');
  await mkdir(dataDir, { recursive: true });
  const address = { url: provider.url, pid: process.pid };
  await writeFile(join(dataDir, 'provider.json'), JSON.stringify(address));
  const gateway = createGatewayControl({ dataDir });
  const calls = async () => {
    const response = await fetch(`${provider.url}/calls`);
    return await response.json();
  };
  return { host: await world.host(gateway), calls };
}

describe('an attempt with the shipped gateway and provider', () => {
  it.each(['minimal', 'nanobot'] as const)(
    '%s: its steps are counted and its transcript is whole',
    async (harness) => {
      const world = await worldOf({ harness, model: MODEL });
      const { host } = await hostWithProvider(world, [
        exec('echo one > results/one.txt'),
        exec('echo two > results/two.txt'),
        { text: 'two files' },
      ]);
      const { end, stored } = await finish(host, await reserveAndPrepare(host, world));
      expect(end).toMatchObject({ stopReason: 'completed', steps: 3 });
      expect(stored.deliverableCount).toBe(2);
      const record = await world.record<AttemptRecord>(attemptKey(world, 1));
      expect(record!.traffic).toMatchObject({ steps: 3, auxiliaryRequests: 0, incomplete: false });
      const blob = await world.store.getBlob('open', record!.transcript!.sha256);
      const transcript = JSON.parse(Buffer.from(blob).toString()) as {
        steps: { source: string; tool_calls?: unknown[] }[];
      };
      const agentSteps = transcript.steps.filter(({ source }) => source === 'agent');
      expect(agentSteps).toHaveLength(3);
      expect(agentSteps.flatMap(({ tool_calls }) => tool_calls ?? [])).toHaveLength(2);
    },
  );

  it('nanobot ends at the step cap; the step count is exactly the cap', async () => {
    const world = await worldOf({ harness: 'nanobot', model: MODEL, limits: { maxSteps: 3 } });
    const { host } = await hostWithProvider(world, [exec('echo x >> results/x')], true);
    const { end } = await finish(host, await reserveAndPrepare(host, world));
    expect(end).toMatchObject({ stopReason: 'step_cap', steps: 3 });
    const x = (await world.record<RunResult>(resultKey(world)))!.deliverables.files[0]!;
    expect(x.bytes).toBe(6);
  });

  it('read again after a kill between the end and its record, the end is the same and nothing is asked again', async () => {
    const world = await worldOf({ harness: 'minimal', model: MODEL });
    const { host, calls } = await hostWithProvider(world, [exec('true'), { text: 'done' }]);
    const reference = await reserveAndPrepare(host, world);
    const end = await step(host.activities.executeAgent, reference);
    const before = await calls();
    await rm(join(world.attemptDir(reference), 'control', 'agent-end.json'));
    expect(await step(host.activities.executeAgent, reference)).toEqual(end);
    expect(await calls()).toEqual(before);
  });
});
