import { slotsWhileFree } from '../../workers/slot-supplier';

class Places {
  private readonly listeners = new Set<() => void>();
  constructor(public free: number) {}

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  set(free: number): void {
    this.free = free;
    for (const listener of [...this.listeners]) listener();
  }

  get listening(): number {
    return this.listeners.size;
  }
}

const context = {} as never;
const never = new AbortController().signal;

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  const later = new Promise((resolve) => setImmediate(() => resolve(pending)));
  return (await Promise.race([promise, later])) === pending;
}

describe('slots of a host', () => {
  it('are given while places are free, and no more than those', async () => {
    const supplier = slotsWhileFree(new Places(2));
    await supplier.reserveSlot(context, never);
    await supplier.reserveSlot(context, never);
    const stop = new AbortController();
    const third = supplier.reserveSlot(context, stop.signal);
    expect(await isPending(third)).toBe(true);
    stop.abort();
    await expect(third).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('are given again when a sandbox ends', async () => {
    const places = new Places(0);
    const waiting = slotsWhileFree(places).reserveSlot(context, never);
    expect(await isPending(waiting)).toBe(true);
    places.set(1);
    await expect(waiting).resolves.toEqual({});
    expect(places.listening).toBe(0);
  });

  it('are given again when a permit comes back unused', async () => {
    const supplier = slotsWhileFree(new Places(1));
    await supplier.reserveSlot(context, never);
    expect(supplier.tryReserveSlot(context)).toBeNull();
    supplier.releaseSlot(context);
    expect(supplier.tryReserveSlot(context)).toEqual({});
  });

  it('are not waited for by a worker that ends', async () => {
    const places = new Places(0);
    const stop = new AbortController();
    const waiting = slotsWhileFree(places).reserveSlot(context, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    expect(places.listening).toBe(0);
  });
});
