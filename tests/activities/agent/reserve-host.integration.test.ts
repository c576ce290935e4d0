import { type AttemptRecord, type RunResult } from '../../../core/run';
import { waitUntil } from '../../support/wait-until';
import {
  activityCall,
  attemptKey,
  disposedWorlds,
  finish,
  reserveAndPrepare,
  resultKey,
  step,
} from './support/agent-world';
import { ScriptedGateway } from './support/scripted-gateway';

const worldOf = disposedWorlds();

describe('reserving a host', () => {
  it('gives an open claim back to the host that has it, and leaves it alone on others for a while', async () => {
    const world = await worldOf({ harness: 'nop', timings: { hostSilenceMs: 60_000 } });
    const gateway = new ScriptedGateway();
    const [left, right] = [
      await world.host(gateway),
      await world.host(gateway, { hostId: 'host-2' }),
    ];
    const reference = await step(left.activities.reserveHost, { run: world.run });
    expect(await step(left.activities.reserveHost, { run: world.run })).toEqual(reference);
    await expect(step(right.activities.reserveHost, { run: world.run })).rejects.toMatchObject({
      type: 'DockerUnavailable',
      nonRetryable: false,
      nextRetryDelay: 7_500,
    });
    const late = activityCall(
      right.activities.reserveHost,
      { run: world.run },
      {
        scheduledTimestampMs: Date.now() - 61_000,
      },
    );
    expect(await late.result).toMatchObject({ attempt: 2, hostId: 'host-2' });
    expect(await world.record<AttemptRecord>(attemptKey(world, 1))).toMatchObject({
      outcome: 'lost',
      hostId: 'host-1',
      failure: { type: 'SandboxLost' },
    });
  });

  it('takes no attempt away from the try that took the place of a frozen one', async () => {
    const world = await worldOf({ harness: 'minimal', timings: { hostSilenceMs: 60_000 } });
    const gateway = new ScriptedGateway();
    let aheadMs = 0;
    const now = () => new Date(Date.now() + aheadMs);
    const frozen = await world.host(gateway, { hostId: 'host-2', capacity: 1, now });
    frozen.slots.take('somebody-else');
    const queuedForLong = { scheduledTimestampMs: Date.now() - 61_000, heartbeatTimeoutMs: 15_000 };
    const older = activityCall(frozen.activities.reserveHost, { run: world.run }, queuedForLong);
    await waitUntil(() => older.heartbeats.length > 2);
    const left = await world.host(gateway);
    const newer = await step(left.activities.reserveHost, { run: world.run });
    aheadMs = 20_000;
    frozen.slots.release('somebody-else');
    await expect(older.result).rejects.toMatchObject({ type: 'WorkerLost', nonRetryable: false });
    expect(await world.record(attemptKey(world, newer.attempt))).toBeUndefined();
    expect(frozen.slots.free).toBe(1);
  });

  it('answers the question about a silent host: the same host the same attempt, another one the next', async () => {
    const world = await worldOf({ harness: 'nop' });
    const gateway = new ScriptedGateway();
    const [left, right] = [
      await world.host(gateway),
      await world.host(gateway, { hostId: 'host-2' }),
    ];
    const previous = await step(left.activities.reserveHost, { run: world.run });
    expect(await step(left.activities.reserveHost, { run: world.run, previous })).toEqual(previous);
    expect(await step(right.activities.reserveHost, { run: world.run, previous })).toMatchObject({
      attempt: 2,
      hostId: 'host-2',
    });
  });

  it('waits until a slot is free', async () => {
    const world = await worldOf({ harness: 'minimal' });
    const host = await world.host(new ScriptedGateway(), { capacity: 1 });
    host.slots.take('somebody-else');
    const call = activityCall(host.activities.reserveHost, { run: world.run });
    expect(
      await Promise.race([
        call.result,
        new Promise((resolve) => setTimeout(resolve, 200, 'waits')),
      ]),
    ).toBe('waits');
    host.slots.release('somebody-else');
    expect((await call.result).attempt).toBe(1);
  });
});

describe('harnesses without a container', () => {
  it('oracle delivers the reference, nop nothing; both cost nothing and need no gateway', async () => {
    for (const harness of ['oracle', 'nop'] as const) {
      const world = await worldOf({ harness, reference: { 'deep/plan.md': 'perfect' } });
      const gateway = new ScriptedGateway();
      const host = await world.host(gateway);
      const { end, stored } = await finish(host, await reserveAndPrepare(host, world));
      expect(end).toEqual({ stopReason: 'completed', steps: 0, costMicroUsd: 0 });
      const { files } = (await world.record<RunResult>(resultKey(world)))!.deliverables;
      expect(files.map(({ path }) => path)).toEqual(harness === 'oracle' ? ['deep/plan.md'] : []);
      expect(stored.deliverableCount).toBe(files.length);
      expect(gateway.calls).toEqual([]);
    }
  });

  it('simulated drives the gateway; tried again it asks under the same delivery ids', async () => {
    const world = await worldOf({ harness: 'simulated' });
    const gateway = new ScriptedGateway((_request, turn) =>
      turn < 4 ? { tool: { name: 'work', arguments: {} } } : { text: 'that is all' },
    );
    const host = await world.host(gateway);
    const reference = await reserveAndPrepare(host, world);
    const { end } = await finish(host, reference);
    expect(end).toEqual({ stopReason: 'completed', steps: 4, costMicroUsd: 40 });
    expect(gateway.deliveries.map(({ id }) => id)).toEqual(
      [1, 2, 3, 4].map((n) => `simulated-${n}`),
    );
    const [file] = (await world.record<RunResult>(resultKey(world)))!.deliverables.files;
    expect(file!.path).toBe('report.md');
    const text = Buffer.from(await world.store.getBlob('open', file!.sha256)).toString();
    expect(text.split('\n')[0]).toBe('Simulated report');
  });
});
