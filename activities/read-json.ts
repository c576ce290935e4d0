import { Failure } from '../core/failure';
import { type ObjectStore } from './store/port';

/**
 * A record as JSON; `undefined` when absent. Records are written whole by our own code, so their shape is trusted;
 * throws `Failure('InvalidInput')` naming the record where it is not JSON.
 */
export async function readJson<Record>(
  store: Pick<ObjectStore, 'getRecord' | 'description'>,
  key: string,
): Promise<Record | undefined> {
  const bytes = await store.getRecord(key);
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text) as Record;
  } catch (error) {
    throw new Failure('InvalidInput', `record ${key} in ${store.description} is not JSON`, {
      cause: error,
    });
  }
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
