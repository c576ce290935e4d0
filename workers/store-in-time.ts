import { openStore } from '../activities/store/open-store';
import { type ObjectStore } from '../activities/store/port';
import { type Settings } from '../config/environment';
import { Failure } from '../core/failure';

/** A server that runs answers within a second; retries of single requests fit in as well. */
const SILENCE_MS = 20_000;

/** The store of a command: {@link inTime}, since a person waits. Workers wait longer. */
export async function openStoreInTime(
  settings: Pick<Settings, 'store' | 'storeEnvironment'>,
): Promise<ObjectStore> {
  const store = await openStore(settings.store, settings.storeEnvironment);
  return settings.store.startsWith('s3://') ? inTime(store) : store;
}

/**
 * Gives up with `Failure('StoreUnavailable')`, naming the store and what to do, when none of the waiting calls has been
 * answered for `silenceMs`. Blobs may take as long as they do.
 */
export function inTime(store: ObjectStore, silenceMs = SILENCE_MS): ObjectStore {
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  const bounded = async <Result>(call: Promise<Result>): Promise<Result> => {
    let timer: NodeJS.Timeout | undefined;
    const begunAtMs = performance.now();
    const silent = new Promise<never>((_resolve, reject) => {
      const look = () => {
        const leftMs = Math.max(begunAtMs, answeredAtMs) + silenceMs - performance.now();
        if (leftMs > 0) timer = setTimeout(look, leftMs);
        else reject(silence(store, silenceMs));
      };
      look();
    });
    try {
      const result = await Promise.race([call, silent]);
      answeredAtMs = performance.now();
      return result;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    description: store.description,
    verify: (scope) => bounded(store.verify(scope)),
    putRecord: (key, content) => bounded(store.putRecord(key, content)),
    getRecord: (key) => bounded(store.getRecord(key)),
    hasRecord: (key) => bounded(store.hasRecord(key)),
    hasBlob: (scope, sha256) => bounded(store.hasBlob(scope, sha256)),
    list: async function* (prefix) {
      const keys = store.list(prefix)[Symbol.asyncIterator]();
      for (;;) {
        const next = await bounded(keys.next());
        if (next.done === true) return;
        yield next.value;
      }
    },
    putBlob: (scope, content) => store.putBlob(scope, content),
    putBlobFile: (scope, path) => store.putBlobFile(scope, path),
    getBlob: (scope, sha256) => store.getBlob(scope, sha256),
    getBlobToFile: (scope, sha256, path) => store.getBlobToFile(scope, sha256, path),
  };
}

function silence({ description }: ObjectStore, silenceMs: number): Failure {
  return new Failure(
    'StoreUnavailable',
    `the store ${description} has not answered for ${silenceMs / 1_000} s: look whether its server runs and can be ` +
      'reached, then try again; nothing is lost, and open runs wait for it',
  );
}
