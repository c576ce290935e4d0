import { ActivityCancellationDetails } from '@temporalio/common';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
import { commandThenDone, exec, ScriptedGateway } from './support/scripted-gateway';

const worldOf = disposedWorlds();
const failure = (type: string) => expect.objectContaining({ type }) as unknown;

describe('an attempt of the minimal harness in a real sandbox', () => {
  it('ends with its deliverables, transcript, logs, changes and records in the store, and nothing on the host', async () => {
    const world = await worldOf({ harness: 'minimal', files: { 'data.csv': 'a,b\n' } });
    const gateway = new ScriptedGateway(
      commandThenDone(
        'cat query/task.md > results/hello.txt; mkdir tmp; touch tmp/x; echo c >> data.csv',
      ),
    );
    const host = await world.host(gateway);
    const reference = await reserveAndPrepare(host, world);
    expect(reference).toMatchObject({ attempt: 1, hostId: 'host-1' });
    expect(host.slots.free).toBe(1);
    const { end, stored } = await finish(host, reference);
    expect(end).toEqual({ stopReason: 'completed', steps: 2, costMicroUsd: 20 });
    expect(stored).toMatchObject({
      deliverableCount: 1,
      stopReason: 'completed',
      costMicroUsd: 20,
    });

    const result = await world.record<RunResult>(resultKey(world));
    const [file] = result!.deliverables.files;
    expect(file).toMatchObject({ path: 'hello.txt', bytes: 12 });
    expect(Buffer.from(await world.store.getBlob('open', file!.sha256)).toString()).toBe(
      'Write hello.',
    );
    const record = await world.record<AttemptRecord>(attemptKey(world, 1));
    expect(record).toMatchObject({
      outcome: 'ended',
      stopReason: 'completed',
      pollution: ['tmp/x'],
      alteredInputs: ['data.csv'],
      exit: { exitCode: 0 },
      transcript: { path: 'transcript.json' },
    });
    expect(record!.logs.map(({ path }) => path)).toEqual(['logs/stdout.log', 'logs/stderr.log']);
    expect(record!.imageDigest).toMatch(/^sha256:/u);
    expect(await world.containers()).toEqual([]);
    expect(existsSync(world.attemptDir(reference))).toBe(false);
    expect(host.slots.free).toBe(2);
    expect(new Set(gateway.deliveries.map(({ authorization }) => authorization)).size).toBe(1);
    expect(gateway.deliveries[0]!.authorization).toMatch(/^Bearer .{20,}/u);
  });

  it('is adopted by the next worker: the same container goes on, no step is repeated', async () => {
    const world = await worldOf({ harness: 'minimal' });
    const gateway = new ScriptedGateway(
      commandThenDone('echo run >> results/runs; while [ ! -e go ]; do sleep 0.05; done'),
    );
    const first = await world.host(gateway);
    const reference = await reserveAndPrepare(first, world);
    const call = activityCall(first.activities.executeAgent, reference);
    const workspace = join(world.attemptDir(reference), 'disk/workspace');
    await waitUntil(() => existsSync(join(workspace, 'results/runs')));
    call.stop(new ActivityCancellationDetails({ workerShutdown: true }), 'WORKER_SHUTDOWN');
    await expect(call.result).rejects.toThrow(/WORKER_SHUTDOWN/u);
    expect(await world.containers()).toHaveLength(1);

    const second = await world.host(gateway);
    expect(second.slots.free).toBe(1);
    await writeFile(join(workspace, 'go'), '');
    const { end, stored } = await finish(second, reference);
    expect(end).toMatchObject({ stopReason: 'completed', steps: 2 });
    expect(stored.deliverableCount).toBe(1);
    const runs = (await world.record<RunResult>(resultKey(world)))!.deliverables.files[0]!;
    expect(runs.bytes).toBe('run\n'.length);
    expect(new Set(gateway.deliveries.map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    ['timed out, even with a wish to cancel', { timedOut: true, cancelRequested: true }],
    ['not found, even with a wish to cancel', { notFound: true, cancelRequested: true }],
    ['paused', { paused: true }],
    ['reset', { reset: true }],
    ['shut down', { workerShutdown: true }],
  ])('runs on when its activity is %s', async (_why, details) => {
    const world = await worldOf({ harness: 'minimal' });
    const host = await world.host(
      new ScriptedGateway(commandThenDone('touch results/x; sleep 60')),
    );
    const reference = await reserveAndPrepare(host, world);
    const call = activityCall(host.activities.executeAgent, reference);
    await waitUntil(() =>
      existsSync(join(world.attemptDir(reference), 'disk/workspace/results/x')),
    );
    call.stop(new ActivityCancellationDetails(details), 'CANCELLED');
    await expect(call.result).rejects.toMatchObject({ name: 'CancelledFailure' });
    const container = world.docker.getContainer((await world.containers())[0]!);
    expect((await container.inspect()).State.Running).toBe(true);
  });

  it('is stopped when a person cancels; its record keeps transcript and cost', async () => {
    const world = await worldOf({ harness: 'minimal' });
    const gateway = new ScriptedGateway(commandThenDone('touch results/x; sleep 60'));
    const host = await world.host(gateway);
    const reference = await reserveAndPrepare(host, world);
    const call = activityCall(host.activities.executeAgent, reference);
    await waitUntil(() =>
      existsSync(join(world.attemptDir(reference), 'disk/workspace/results/x')),
    );
    call.stop(new ActivityCancellationDetails({ cancelRequested: true }), 'CANCELLED');
    await expect(call.result).rejects.toMatchObject({ name: 'CancelledFailure' });
    const container = world.docker.getContainer((await world.containers())[0]!);
    expect((await container.inspect()).State.Running).toBe(false);

    const lost = {
      ...reference,
      outcome: 'cancelled' as const,
      failure: { type: 'SandboxLost' as const, message: 'cancelled' },
    };
    expect(await step(host.activities.recordLostAttempt, lost)).toEqual({ costMicroUsd: 10 });
    await step(host.activities.cleanUpAttempt, reference);
    expect(await world.record<AttemptRecord>(attemptKey(world, 1))).toMatchObject({
      outcome: 'cancelled',
      stopReason: 'cancelled',
      traffic: { steps: 1 },
      transcript: { path: 'transcript.json' },
    });
    expect(await world.containers()).toEqual([]);
    await expect(step(host.activities.executeAgent, reference)).rejects.toEqual(
      failure('Superseded'),
    );
  });

  it('whose container others remove is lost: a second attempt is made, the first one stays with its cost', async () => {
    const world = await worldOf({ harness: 'minimal' });
    let slow = true;
    const gateway = new ScriptedGateway((_request, turn) =>
      turn === 1 ? exec(slow ? 'sleep 60' : 'echo 2 > results/second') : { text: 'done' },
    );
    const host = await world.host(gateway);
    const first = await reserveAndPrepare(host, world);
    const call = activityCall(host.activities.executeAgent, first);
    await waitUntil(() => gateway.deliveries.length === 1);
    await world.docker.getContainer((await world.containers())[0]!).remove({ force: true });
    await expect(call.result).rejects.toEqual(failure('SandboxLost'));
    await step(host.activities.recordLostAttempt, {
      ...first,
      outcome: 'lost',
      failure: { type: 'SandboxLost', message: 'its container was removed by others' },
    });
    await step(host.activities.cleanUpAttempt, first);

    slow = false;
    const next = new ScriptedGateway(commandThenDone('echo 2 > results/second'));
    const again = await world.host(next);
    const second = await reserveAndPrepare(again, world);
    expect(second.attempt).toBe(2);
    await finish(again, second);
    expect((await world.record<RunResult>(resultKey(world)))!.attempt).toBe(2);
    expect(await world.record<AttemptRecord>(attemptKey(world, 1))).toMatchObject({
      outcome: 'lost',
      traffic: { costMicroUsd: 10 },
      transcript: { path: 'transcript.json' },
    });
  });

  it.each([
    ['memory', 'exec python3 -c "x = bytearray(1 << 30)"', 'completed', ['memory']],
    [
      'disk',
      'for i in 1 2 3; do dd if=/dev/zero of=$i bs=1M count=30; done; true',
      'completed',
      ['disk'],
    ],
  ])('that exhausts its %s is an outcome', async (_limit, command, stopReason, limitsHit) => {
    const world = await worldOf({ harness: 'minimal' });
    const host = await world.host(new ScriptedGateway(commandThenDone(command)));
    const { end } = await finish(host, await reserveAndPrepare(host, world));
    expect(end.stopReason).toBe(stopReason);
    const record = await world.record<AttemptRecord>(attemptKey(world, 1));
    expect(record).toMatchObject({ outcome: 'ended', exit: { limitsHit } });
  });

  it('is stopped for its disk where that is only watched', async () => {
    const world = await worldOf({ harness: 'minimal' });
    const gateway = new ScriptedGateway(
      commandThenDone('for i in 1 2 3; do dd if=/dev/zero of=$i bs=1M count=30; done; sleep 60'),
    );
    const host = await world.host(gateway, { disk: { mayMount: false } });
    const { end } = await finish(host, await reserveAndPrepare(host, world));
    expect(end).toMatchObject({ stopReason: 'error', stopDetail: 'the workspace was full' });
    const record = await world.record<AttemptRecord>(attemptKey(world, 1));
    expect(record).toMatchObject({ outcome: 'ended', exit: { limitsHit: ['disk'] } });
  });

  it('is stopped at its limit of working time, which waiting for us does not use up', async () => {
    const world = await worldOf({ harness: 'minimal', limits: { workingTimeMs: 1_500 } });
    const gateway = new ScriptedGateway(commandThenDone('sleep 60'));
    // Long beside the start of a container, which is working time too.
    gateway.log = { waitedMs: 8_000 };
    const host = await world.host(gateway);
    const { end } = await finish(host, await reserveAndPrepare(host, world));
    expect(end.stopReason).toBe('timeout');
    const record = await world.record<AttemptRecord>(attemptKey(world, 1));
    expect(record!.exit!.durationMs).toBeGreaterThanOrEqual(2_000);
    expect(gateway.calls).toContain('close timeout');
  });

  it('that makes no model request for too long is stopped', async () => {
    const world = await worldOf({ harness: 'minimal' });
    const gateway = new ScriptedGateway(commandThenDone('sleep 60'));
    const host = await world.host(gateway, { watch: { progressDeadlineMs: 1_000 } });
    const { end } = await finish(host, await reserveAndPrepare(host, world));
    expect(end.stopReason).toBe('timeout');
  });

  it('that the provider left alone is no outcome and is not tried again by its activity', async () => {
    const world = await worldOf({ harness: 'minimal' });
    const gateway = new ScriptedGateway(() => ({ status: 502, text: 'the provider is down' }));
    gateway.log = { trouble: { type: 'ProviderQuota', message: 'quota used up' } };
    const host = await world.host(gateway);
    const reference = await reserveAndPrepare(host, world);
    await expect(step(host.activities.executeAgent, reference)).rejects.toMatchObject({
      type: 'ProviderQuota',
      nonRetryable: true,
      message: 'quota used up',
    });
  });

  it('waits in the sandbox while the gateway is away', async () => {
    const world = await worldOf({ harness: 'minimal' });
    let away: Promise<void> | undefined;
    let directory = '';
    const gateway: ScriptedGateway = new ScriptedGateway(async (_request, turn) => {
      if (turn > 1) return { text: 'done' };
      away = gateway.disappear(directory);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return exec('echo once >> results/log');
    });
    const host = await world.host(gateway);
    const reference = await reserveAndPrepare(host, world);
    directory = world.attemptDir(reference);
    const call = activityCall(host.activities.executeAgent, reference);
    await waitUntil(() => away !== undefined);
    await away;
    await gateway.open(directory);
    expect((await call.result).stopReason).toBe('completed');
    const ids = gateway.deliveries.map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(ids[0]).toBe(ids[1]);
  });
});
