import { type ObjectStore } from '../store/port';

/** A record of ours; `undefined` where the store has none. */
export async function readRecord<T>(store: ObjectStore, key: string): Promise<T | undefined> {
  const bytes = await store.getRecord(key);
  return bytes && (JSON.parse(Buffer.from(bytes).toString('utf8')) as T);
}
