import { Failure } from '../core/failure';
import { type ObjectStore } from './store/port';

/** Of every record that states one. */
const RECORD_VERSION = 1;

/**
 * A record as JSON; `undefined` when absent. Records are written whole by our own code, so their shape is trusted;
 * throws `Failure('InvalidInput')` naming the record where it is not JSON or of another version.
 */
export async function readJson<Record>(
  store: Pick<ObjectStore, 'getRecord' | 'description'>,
  key: string,
): Promise<Record | undefined> {
  const bytes = await store.getRecord(key);
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  const place = `record ${key} in ${store.description}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Failure(
      'InvalidInput',
      `${place} is not JSON: it was cut off or changed; restore it from a copy of the store`,
      { cause: error },
    );
  }
  const version = (value as { readonly v?: unknown } | null)?.v ?? RECORD_VERSION;
  if (version !== RECORD_VERSION)
    throw new Failure(
      'InvalidInput',
      `${place} has version ${JSON.stringify(version)}, and this program reads ${RECORD_VERSION}: use the program that wrote it`,
    );
  return value as Record;
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
