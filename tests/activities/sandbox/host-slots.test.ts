import { join } from 'node:path';
import { AttemptState } from '../../../activities/sandbox/attempt-state';
import { HostSlots } from '../../../activities/sandbox/host-slots';
import { ReaperWorld } from './support/reaper-world';

const world = ReaperWorld.ofThisFile();

describe('slots of a host', () => {
  it('are found again by a new worker where a container exists, and only there', async () => {
    const running = await world.attempt('running');
    await world.attempt('reserved-only');
    await new AttemptState(world.controlOf(running)).write('created', {
      containerId: 'c',
      at: 'now',
    });
    const slots = await HostSlots.load(world.folder, 3);
    expect(slots.free).toBe(2);
    expect(slots.tryTake(running)).toBe(true);
    expect(slots.free).toBe(2);
  });

  it('are handed to who waits, in time and once', async () => {
    const slots = await HostSlots.load(join(world.folder, 'absent'), 1);
    const { signal } = new AbortController();
    expect(slots.tryTake('a')).toBe(true);
    expect(slots.tryTake('b')).toBe(false);
    const order: string[] = [];
    const waiting = ['b', 'c'].map(async (id) => {
      await slots.takeWhenFree(id, signal);
      order.push(id);
      slots.release(id);
    });
    slots.release('a');
    await Promise.all(waiting);
    expect(order).toEqual(['b', 'c']);
    expect(slots.free).toBe(1);
  });

  it('are not waited for after an abort', async () => {
    const slots = await HostSlots.load(join(world.folder, 'absent'), 0);
    const abort = new AbortController();
    const waiting = slots.takeWhenFree('a', abort.signal);
    abort.abort();
    await expect(waiting).rejects.toThrow(/abort/u);
  });
});
