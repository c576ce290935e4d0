import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
const failure = (type: string) => expect.objectContaining({ type }) as unknown;

describe('an executor that was frozen', () => {
  it('lets go when it wakes up behind its successor, and stops nothing', async () => {
    const world = await worldOf({ harness: 'minimal' });
    const gateway = new ScriptedGateway(commandThenDone('while [ ! -e go ]; do sleep 0.05; done'));
    const host = await world.host(gateway);
    const reference = await reserveAndPrepare(host, world);
    const older = activityCall(host.activities.executeAgent, reference);
    await waitUntil(() => gateway.deliveries.length === 1);
    const newer = activityCall((await world.host(gateway)).activities.executeAgent, reference);
    await expect(older.result).rejects.toEqual(failure('Superseded'));
    await writeFile(join(world.attemptDir(reference), 'disk/workspace/go'), '');
    expect((await newer.result).stopReason).toBe('completed');
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
