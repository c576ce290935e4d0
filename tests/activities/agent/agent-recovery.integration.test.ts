import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunResult } from '../../../core/run';
import { waitUntil } from '../../support/wait-until';
import {
  activityCall,
  disposedWorlds,
  reserveAndPrepare,
  resultKey,
  step,
} from './support/agent-world';
import { commandThenDone, ScriptedGateway } from './support/scripted-gateway';

const worldOf = disposedWorlds();
describe('an executor that was frozen', () => {
  it('lets go when it wakes up behind its successor, and stops nothing', async () => {
    const world = await worldOf({ harness: 'minimal' });
    const gateway = new ScriptedGateway(commandThenDone('while [ ! -e go ]; do sleep 0.05; done'));
    const host = await world.host(gateway);
    const reference = await reserveAndPrepare(host, world);
    const older = activityCall(host.activities.executeAgent, reference);
    await waitUntil(() => gateway.deliveries.length === 1);
    const newer = activityCall((await world.host(gateway)).activities.executeAgent, reference);
    // Retried, since this may be the one that Temporal waits for: then it has the attempt back.
    await expect(older.result).rejects.toMatchObject({ type: 'WorkerLost', nonRetryable: false });
    const again = activityCall(host.activities.executeAgent, reference);
    await expect(newer.result).rejects.toMatchObject({ type: 'WorkerLost', nonRetryable: false });
    await writeFile(join(world.attemptDir(reference), 'disk/workspace/go'), '');
    expect((await again.result).stopReason).toBe('completed');
    expect(gateway.deliveries).toHaveLength(2);
  });
});

describe('a worker that was frozen while it prepared an attempt', () => {
  it('prepares it once when its old try wakes up beside the new one', async () => {
    const world = await worldOf({ harness: 'minimal' });
    const gateway = new ScriptedGateway(commandThenDone('cp query/task.md results/copy.md'));
    const host = await world.host(gateway);
    const reference = await step(host.activities.reserveHost, { run: world.run });
    const getBlobToFile = world.store.getBlobToFile.bind(world.store);
    let wakeUp = () => {};
    const frozen = new Promise<void>((resolve) => (wakeUp = resolve));
    const reading = jest
      .spyOn(world.store, 'getBlobToFile')
      .mockImplementationOnce((...given) => frozen.then(() => getBlobToFile(...given)));
    const older = activityCall(host.activities.prepareWorkspace, reference);
    await waitUntil(() => reading.mock.calls.length === 1);
    const newer = activityCall(host.activities.prepareWorkspace, reference);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(reading).toHaveBeenCalledTimes(1);
    wakeUp();
    await Promise.all([older.result, newer.result]);
    expect(reading).toHaveBeenCalledTimes(1);
    jest.restoreAllMocks();
    const end = await step(host.activities.executeAgent, reference);
    expect(end.stopReason).toBe('completed');
  });
});

describe('a worker that was frozen while it was the agent itself', () => {
  /** Two tries of a simulated attempt: the first one waits for its second turn. */
  async function simulated() {
    const world = await worldOf({ harness: 'simulated' });
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const gateway = new ScriptedGateway(async (_request, turn) => {
      if (turn === 1) return { tool: { name: 'work', arguments: {} } };
      await answered;
      return { text: 'that is all' };
    });
    let aheadMs = 0;
    const host = await world.host(gateway, { now: () => new Date(Date.now() + aheadMs) });
    const reference = await reserveAndPrepare(host, world);
    const { executeAgent } = host.activities;
    const older = activityCall(executeAgent, reference, { heartbeatTimeoutMs: 15_000 });
    await waitUntil(() => gateway.deliveries.length === 2);
    const sleep = () => (aheadMs += 20_000);
    return { world, gateway, host, reference, older, answer: () => answer(), sleep };
  }

  it('asks once, and neither try writes over what the other has delivered', async () => {
    const { world, gateway, host, reference, older, answer } = await simulated();
    const newer = activityCall(host.activities.executeAgent, reference);
    const storing = older.result.then((end) =>
      step(host.activities.storeDeliverables, { ...reference, end }),
    );
    await waitUntil(() => newer.heartbeats.length > 2);
    answer();
    expect(await newer.result).toEqual(await older.result);
    await storing;
    expect(gateway.deliveries.map(({ id }) => id)).toEqual(['simulated-1', 'simulated-2']);
    const { files } = (await world.record<RunResult>(resultKey(world)))!.deliverables;
    const report = await world.store.getBlob('open', files[0]!.sha256);
    expect(Buffer.from(report).toString()).toContain('that is all');
  });

  it('lets go on waking up, before it has anything renewed; tried again it goes on', async () => {
    const { gateway, host, reference, older, answer, sleep } = await simulated();
    const renewed = () => gateway.calls.filter((call) => call === 'renewLease').length;
    const before = renewed();
    sleep();
    await expect(older.result).rejects.toMatchObject({ type: 'WorkerLost', nonRetryable: false });
    expect(renewed()).toBe(before);
    const again = activityCall(host.activities.executeAgent, reference);
    answer();
    expect((await again.result).stopReason).toBe('completed');
  });
});

describe('a step of an attempt that is over', () => {
  it('takes no slot and makes no folder that nobody would give back', async () => {
    const world = await worldOf({ harness: 'minimal' });
    const host = await world.host(new ScriptedGateway());
    const reference = await reserveAndPrepare(host, world);
    await step(host.activities.cleanUpAttempt, reference);
    await step(host.activities.prepareWorkspace, reference);
    await expect(step(host.activities.executeAgent, reference)).rejects.toMatchObject({
      type: 'Superseded',
    });
    expect(host.slots.free).toBe(host.slots.capacity);
    expect(existsSync(world.attemptDir(reference))).toBe(false);
  });
});

describe('killed between two writes', () => {
  it('storing again adopts the records, and the folder is not needed for the last of them', async () => {
    const world = await worldOf({ harness: 'minimal' });
    const host = await world.host(new ScriptedGateway(commandThenDone('echo x > results/x')));
    const reference = await reserveAndPrepare(host, world);
    const end = await step(host.activities.executeAgent, reference);
    const putRecord = world.store.putRecord.bind(world.store);
    jest
      .spyOn(world.store, 'putRecord')
      .mockImplementation((key, content) =>
        key === resultKey(world) ? Promise.reject(new Error('killed')) : putRecord(key, content),
      );
    await expect(step(host.activities.storeDeliverables, { ...reference, end })).rejects.toThrow(
      'killed',
    );
    jest.restoreAllMocks();
    await step(host.activities.cleanUpAttempt, reference);

    // Temporal's database is lost: a new workflow asks for a host and gets the same attempt.
    const again = await step(host.activities.reserveHost, { run: world.run });
    expect(again).toEqual(reference);
    expect(await step(host.activities.executeAgent, again)).toEqual(end);
    const stored = await step(host.activities.storeDeliverables, { ...again, end });
    expect(stored.deliverableCount).toBe(1);
    expect(await step(host.activities.storeDeliverables, { ...again, end })).toEqual(stored);
  });
});
