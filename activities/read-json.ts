import { parseRecord } from '../core/stored-record';
import { type ObjectStore } from './store/port';

/** A record as JSON; `undefined` when absent. Throws `Failure('InvalidInput')` naming a damaged one. */
export async function readJson<Record>(
  store: Pick<ObjectStore, 'getRecord' | 'description'>,
  key: string,
): Promise<Record | undefined> {
  const bytes = await store.getRecord(key);
  if (bytes === undefined) return undefined;
  return parseRecord(new TextDecoder().decode(bytes), key, store.description) as Record;
}

/** Runs `work` over `inputs` with at most `limit` at once; results in the order of the inputs. */
export async function mapConcurrently<Input, Result>(
  inputs: readonly Input[],
  limit: number,
  work: (input: Input) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array<Result>(inputs.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < inputs.length) {
      const index = next;
      next += 1;
      results[index] = await work(inputs[index] as Input);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, inputs.length) }, lane));
  return results;
}
