import { randomBytes } from 'node:crypto';
import { type ObjectStore } from '../../store/port';

const KEY = 'sealed/boundary-key.json';
const KEY_BYTES = 32;

/** Reads the store's boundary key (hex), or creates it: whoever is first decides for all. */
export async function loadBoundaryKey(
  store: ObjectStore,
  random: (bytes: number) => Buffer = randomBytes,
): Promise<string> {
  const existing = await readKey(store);
  if (existing !== undefined) return existing;
  await store.putRecord(KEY, JSON.stringify({ v: 1, key: random(KEY_BYTES).toString('hex') }));
  const written = await readKey(store);
  if (written === undefined) throw new Error(`${store.description} lost ${KEY} after it was put`);
  return written;
}

async function readKey(store: ObjectStore): Promise<string | undefined> {
  const record = await store.getRecord(KEY);
  if (record === undefined) return undefined;
  const { key } = JSON.parse(Buffer.from(record).toString('utf8')) as { key?: unknown };
  if (typeof key !== 'string' || !/^[0-9a-f]{64}$/u.test(key))
    throw new Error(`${KEY} in ${store.description} holds no key of 64 hex digits`);
  return key;
}
