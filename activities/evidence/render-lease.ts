import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalJson } from '../../core/ids';
import { type ObjectStore } from '../store/port';

export interface LeaseTimings {
  /** A holder that lives says so this often. */
  readonly beatMs: number;
  readonly pollMs: number;
  /** A holder that has said nothing for so many looks is taken for dead. Looks, not a clock: a waiter that was stopped has not looked. */
  readonly silentPolls: number;
}

const TIMINGS: LeaseTimings = { beatMs: 5_000, pollMs: 500, silentPolls: 50 };

export interface LeasedWork<Result> {
  /** The store's folder of this work's claims. */
  readonly folder: string;
  /** What the work leaves in the store, where it is done. */
  find(): Promise<Result | undefined>;
  make(): Promise<Result>;
}

/**
 * Does a piece of work once among all processes that share a store: who claims it first does it, the others wait for
 * what it leaves, or for the claim to end or to fall silent, and then claim it themselves. Claims are numbered records
 * `<n>.json` with beats `<n>-beat-<k>.json` behind them, and `<n>-ended.json` where the work failed. A holder that was
 * stopped for longer than a claim may be silent can still do the work a second time.
 *
 * Rejects with what `find`, `make` or the store reject with, and with the signal's reason when it aborts.
 */
export async function onceUnderLease<Result>(
  store: ObjectStore,
  work: LeasedWork<Result>,
  signal?: AbortSignal,
  timings: LeaseTimings = TIMINGS,
): Promise<Result> {
  const holder = randomUUID();
  for (let number = await latestClaim(store, work.folder); ; number++) {
    const found = await work.find();
    if (found !== undefined) return found;
    signal?.throwIfAborted();
    if (number > 0) {
      const left = await untilOver(store, work, number, signal, timings);
      if (left !== undefined) return left;
    }
    if (await claim(store, work.folder, number + 1, holder))
      return hold(store, work, number + 1, timings);
  }
}

/** 0 where there is none. */
async function latestClaim(store: ObjectStore, folder: string): Promise<number> {
  let latest = 0;
  for await (const key of store.list(`${folder}/`)) {
    const number = Number(/\/(\d+)\.json$/u.exec(key)?.[1] ?? 0);
    latest = Math.max(latest, number);
  }
  return latest;
}

/** False where another one has it. After a lost reply the record that is there may be ours. */
async function claim(
  store: ObjectStore,
  folder: string,
  number: number,
  holder: string,
): Promise<boolean> {
  const key = `${folder}/${number}.json`;
  if ((await store.putRecord(key, canonicalJson({ v: 1, holder }))) === 'created') return true;
  const there = await store.getRecord(key);
  const { holder: other } = JSON.parse(Buffer.from(there ?? []).toString('utf8') || '{}') as {
    readonly holder?: string;
  };
  return other === holder;
}

async function hold<Result>(
  store: ObjectStore,
  { folder, find, make }: LeasedWork<Result>,
  number: number,
  { beatMs }: LeaseTimings,
): Promise<Result> {
  let beats = 0;
  // A beat that the store does not take is a beat missed, no more.
  const beat = (): void =>
    void store.putRecord(`${folder}/${number}-beat-${++beats}.json`, '{}').catch(() => undefined);
  const timer = setInterval(beat, beatMs);
  try {
    // The holder before us may have been slow, not dead.
    return (await find()) ?? (await make());
  } catch (error) {
    await store.putRecord(`${folder}/${number}-ended.json`, '{}').catch(() => undefined);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** What the holder left; `undefined` when its claim ended, or fell silent, without that. */
async function untilOver<Result>(
  store: ObjectStore,
  { folder, find }: LeasedWork<Result>,
  number: number,
  signal: AbortSignal | undefined,
  { pollMs, silentPolls }: LeaseTimings,
): Promise<Result | undefined> {
  let beats = 0;
  for (let silent = 0; silent < silentPolls; silent++) {
    if (await store.hasRecord(`${folder}/${number}-ended.json`)) return undefined;
    while (await store.hasRecord(`${folder}/${number}-beat-${beats + 1}.json`)) {
      beats++;
      silent = 0;
    }
    await sleep(pollMs, undefined, signal ? { signal } : {}).catch(() => undefined);
    signal?.throwIfAborted();
    const found = await find();
    if (found !== undefined) return found;
  }
  return undefined;
}
