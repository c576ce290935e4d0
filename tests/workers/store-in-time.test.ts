import { type ObjectStore } from '../../activities/store/port';
import { inTime } from '../../workers/store-in-time';

/** Answers until it freezes; then, like a stopped server, it keeps every call waiting. */
class FreezingStore {
  frozen = false;
  readonly description = 's3://bucket/runs';
  answer<T>(value: T): Promise<T> {
    return this.frozen ? new Promise(() => undefined) : Promise.resolve(value);
  }
  hasRecord() {
    return this.answer(true);
  }
  getRecord() {
    return this.answer(Buffer.from('{}'));
  }
  async *list() {
    yield 'open/a';
    yield await this.answer('open/b');
  }
}

const SILENCE = /^the store s3:\/\/bucket\/runs has not answered for 0\.05 s: look whether/u;

describe('the store of a command', () => {
  let frozen: FreezingStore;
  let store: ObjectStore;
  beforeEach(() => {
    frozen = new FreezingStore();
    store = inTime(frozen as unknown as ObjectStore, 50);
  });

  async function keys(): Promise<string[]> {
    const found: string[] = [];
    for await (const key of store.list('open/')) found.push(key);
    return found;
  }

  it('gives what the store gives', async () => {
    expect(await store.hasRecord('open/a')).toBe(true);
    expect(await keys()).toEqual(['open/a', 'open/b']);
  });

  it('is given up with its name and what to do once it is silent, in the middle of a list too', async () => {
    frozen.frozen = true;
    for (const call of [() => store.getRecord('open/a'), keys])
      await expect(call()).rejects.toMatchObject({
        type: 'StoreUnavailable',
        message: expect.stringMatching(SILENCE) as string,
      });
  });

  it('waits for a slow call while others are answered', async () => {
    let release: (value: boolean) => void = () => undefined;
    const slow = jest
      .spyOn(frozen, 'hasRecord')
      .mockReturnValueOnce(new Promise((resolve) => (release = resolve)));
    const waiting = store.hasRecord('open/slow');
    for (let i = 0; i < 10; i++) {
      await new Promise((resolve) => setTimeout(resolve, 15));
      await store.hasRecord('open/other');
    }
    release(false);
    expect(await waiting).toBe(false);
    slow.mockRestore();
  });
});
