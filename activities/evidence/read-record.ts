import { parseRecord } from '../../core/stored-record';
import { type ObjectStore } from '../store/port';

/** A record of ours; `undefined` where the store has none. Throws `Failure('InvalidInput')` naming a damaged one. */
export async function readRecord<T>(store: ObjectStore, key: string): Promise<T | undefined> {
  const bytes = await store.getRecord(key);
  return bytes && (parseRecord(new TextDecoder().decode(bytes), key, store.description) as T);
}
