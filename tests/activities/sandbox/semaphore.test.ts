import { KeyedMutex } from '../../../activities/sandbox/semaphore';

it('a mutex lets work of one key run one after the other, failures included, and other keys beside it', async () => {
  const mutex = new KeyedMutex();
  const seen: string[] = [];
  const work = (name: string, turns: number) => async () => {
    seen.push(`${name} begins`);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    seen.push(`${name} ends`);
    if (name === 'a1') throw new Error(name);
    return name;
  };
  const results = await Promise.allSettled([
    mutex.run('a', work('a1', 20)),
    mutex.run('a', work('a2', 1)),
    mutex.run('b', work('b1', 1)),
  ]);
  expect(results).toEqual([
    { status: 'rejected', reason: new Error('a1') },
    { status: 'fulfilled', value: 'a2' },
    { status: 'fulfilled', value: 'b1' },
  ]);
  expect(seen.filter((entry) => entry.startsWith('a'))).toEqual([
    ...['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends'],
  ]);
  expect(seen.indexOf('b1 ends')).toBeLessThan(seen.indexOf('a1 ends'));
});
