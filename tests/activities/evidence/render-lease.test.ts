import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LeasedWork, onceUnderLease } from '../../../activities/evidence/render-lease';
import { FileStore } from '../../../activities/store/file-store';

const FOLDER = 'sealed/evidence/claims/r/text-1';
const RESULT = 'sealed/evidence/artifacts/r/text-1.json';
/** No claim falls silent within a test. */
const PATIENT = { beatMs: 5, pollMs: 5, silentPolls: 100_000 };
/** Whoever never beats falls silent, but not before a quick piece of work is done on a busy machine. */
const QUICK = { beatMs: 1_000_000, pollMs: 2, silentPolls: 100 };

describe('work that many processes want and one does', () => {
  let root: string;
  let store: FileStore;
  let made: string[];

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'lease-'));
    store = new FileStore(root);
    made = [];
  });
  // A last beat may still be under way.
  afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));

  const find = async (): Promise<string | undefined> => {
    const bytes = await store.getRecord(RESULT);
    return bytes && Buffer.from(bytes).toString();
  };
  const leave = async (who: string): Promise<string> => {
    made.push(who);
    await store.putRecord(RESULT, who);
    return (await find()) ?? '';
  };
  const work = (who: string, before: () => Promise<void> = () => Promise.resolve()) => ({
    folder: FOLDER,
    find,
    make: async () => {
      await before();
      return leave(who);
    },
  });
  const keys = async (): Promise<string[]> => {
    const all: string[] = [];
    for await (const key of store.list(FOLDER)) all.push(key.slice(FOLDER.length + 1));
    return all;
  };

  test('ten that begin together: one does it, all have its result', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `worker ${index}`);
    const results = await Promise.all(
      names.map((name) => onceUnderLease(store, work(name), undefined, PATIENT)),
    );
    expect(made).toHaveLength(1);
    expect(results).toEqual(names.map(() => made[0]));
  });

  test('a holder that takes long and says so is waited for, however long', async () => {
    const hasBeats = async (): Promise<boolean> =>
      (await keys()).some((key) => /-beat-8\./u.test(key));
    const slow = async (): Promise<void> => {
      while (!(await hasBeats())) await new Promise((resolve) => setTimeout(resolve, 1));
    };
    // Silent for the length of three beats and more, but for the beats.
    const timings = { beatMs: 20, pollMs: 10, silentPolls: 8 };
    const first = onceUnderLease(store, work('slow', slow), undefined, timings);
    while (!(await keys()).includes('1.json'))
      await new Promise((resolve) => setTimeout(resolve, 1));
    const second = await onceUnderLease(store, work('second'), undefined, {
      ...timings,
      silentPolls: 1_000,
    });
    expect([await first, second, made]).toEqual(['slow', 'slow', ['slow']]);
  });

  test('a claim that a killed process left falls silent, and the next one has it', async () => {
    await store.putRecord(`${FOLDER}/1.json`, '{"holder":"killed"}');
    await store.putRecord(`${FOLDER}/1-beat-1.json`, '{}');
    const results = await Promise.all(
      ['a', 'b'].map((name) => onceUnderLease(store, work(name), undefined, QUICK)),
    );
    expect(made).toHaveLength(1);
    expect(results).toEqual([made[0], made[0]]);
    expect(await keys()).toEqual(['1-beat-1.json', '1.json', '2.json']);
  });

  test('who was taken for dead and was not drops what it made for the record that is there', async () => {
    let wake = (): void => undefined;
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    const first = onceUnderLease(
      store,
      work('frozen', () => asleep),
      undefined,
      QUICK,
    );
    const second = await onceUnderLease(store, work('second'), undefined, QUICK);
    wake();
    expect([await first, second]).toEqual(['second', 'second']);
  });

  test('a failure ends the claim at once: who waits does not wait for silence', async () => {
    let fail = (): void => undefined;
    const failing = new Promise<void>((_, reject) => (fail = () => reject(new Error('no daemon'))));
    const first = onceUnderLease(
      store,
      work('first', () => failing),
      undefined,
      PATIENT,
    );
    const failed = first.catch((error: unknown) => error);
    while (!(await keys()).includes('1.json'))
      await new Promise((resolve) => setTimeout(resolve, 1));
    const second = onceUnderLease(store, work('second'), undefined, PATIENT);
    fail();
    expect(await failed).toMatchObject({ message: 'no daemon' });
    expect(await second).toBe('second');
  });

  test('who waits can be stopped, and who looks later finds the result', async () => {
    await store.putRecord(`${FOLDER}/1.json`, '{"holder":"other"}');
    const stop = new AbortController();
    const waiting = onceUnderLease(store, work('a'), stop.signal, PATIENT);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await store.putRecord(RESULT, 'other');
    expect(await onceUnderLease(store, work('b'), undefined, PATIENT)).toBe('other');
    expect(made).toEqual([]);
  });

  test('a claim whose answer was lost is ours', async () => {
    const forgetful: Pick<LeasedWork<string>, 'folder'> = { folder: FOLDER };
    const put = store.putRecord.bind(store);
    jest.spyOn(store, 'putRecord').mockImplementation(async (key, content) => {
      const outcome = await put(key, content);
      return key === `${forgetful.folder}/1.json` ? 'exists' : outcome;
    });
    expect(await onceUnderLease(store, work('a'), undefined, PATIENT)).toBe('a');
    expect((await keys()).filter((key) => !key.includes('-beat-'))).toEqual(['1.json']);
  });
});
