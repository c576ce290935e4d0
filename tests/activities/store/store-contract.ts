import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../../../activities/store/digest';
import { MAX_RECORD_BYTES } from '../../../activities/store/keys';
import { type ObjectStore } from '../../../activities/store/port';

const ABSENT = 'a'.repeat(64);

async function collect(keys: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const key of keys) found.push(key);
  return found;
}

/** What every store promises. `make` gives an empty store, and a second client of the same place. */
export function describeStoreContract(
  name: string,
  make: () => Promise<{
    store: ObjectStore;
    other: ObjectStore;
    corruptBlob: (key: string) => Promise<void>;
  }>,
): void {
  describe(`${name} keeps the store contract`, () => {
    let store: ObjectStore;
    let other: ObjectStore;
    let corruptBlob: (key: string) => Promise<void>;
    let folder: string;
    beforeEach(async () => {
      ({ store, other, corruptBlob } = await make());
      folder = await mkdtemp(join(tmpdir(), 'store-contract-'));
    });
    afterEach(() => rm(folder, { recursive: true }));

    it('verifies in each scope that put-if-absent is honoured, and leaves no probe', async () => {
      await store.verify();
      await store.verify('sealed');
      expect(await collect(store.list('open/'))).toEqual([]);
      expect(await collect(store.list('sealed/'))).toEqual([]);
    });

    it('keeps the first record and tells the second writer', async () => {
      expect(await store.putRecord('open/runs/k/g1/result.json', '{"v":1}')).toBe('created');
      expect(await other.putRecord('open/runs/k/g1/result.json', '{"v":2}')).toBe('exists');
      const read = await other.getRecord('open/runs/k/g1/result.json');
      expect(Buffer.from(read!).toString()).toBe('{"v":1}');
    });

    it('lets exactly one of many racing writers win', async () => {
      const race = async (round: number) => {
        const key = `open/races/${round}/claim.json`;
        const outcomes = await Promise.all(
          Array.from({ length: 16 }, (_, n) =>
            (n % 2 ? store : other).putRecord(key, `writer ${n}`),
          ),
        );
        expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
        const winner = outcomes.indexOf('created');
        expect(Buffer.from((await store.getRecord(key))!).toString()).toBe(`writer ${winner}`);
      };
      // Side by side: a writer that meets another one mostly waits before it tries again.
      await Promise.all(Array.from({ length: 10 }, (_, round) => race(round)));
    });

    it('gives undefined for an absent record, and says whether one is there', async () => {
      expect(await store.getRecord('open/nothing.json')).toBeUndefined();
      expect(await store.getRecord('open/nothing/here.json')).toBeUndefined();
      expect(await store.hasRecord('open/nothing.json')).toBe(false);
      await store.putRecord('open/there/it.json', '');
      expect(await store.hasRecord('open/there/it.json')).toBe(true);
      expect(await store.hasRecord('open/there')).toBe(false);
      expect((await store.getRecord('open/there/it.json'))!.byteLength).toBe(0);
    });

    it('keeps bytes and non-Latin keys as they are', async () => {
      const bytes = Buffer.from([0xff, 0, 0xfe, 10, 13]);
      await store.putRecord('open/文件 夹/报告 (1)&%2F#?.json', bytes);
      expect(Buffer.from((await other.getRecord('open/文件 夹/报告 (1)&%2F#?.json'))!)).toEqual(
        bytes,
      );
      expect(await collect(other.list('open/'))).toEqual(['open/文件 夹/报告 (1)&%2F#?.json']);
    });

    it('lists keys below a prefix in byte order, to any depth', async () => {
      const keys = [
        'open/a/b/c',
        'open/a/b-c',
        'open/a/b.d/e',
        'open/a/bb',
        'open/a/é',
        'open/ab',
        'sealed/a/x',
      ];
      await Promise.all([...keys].reverse().map((key) => store.putRecord(key, key)));
      expect(await collect(store.list('open/a/'))).toEqual([
        'open/a/b-c',
        'open/a/b.d/e',
        'open/a/b/c',
        'open/a/bb',
        'open/a/é',
      ]);
      expect(await collect(store.list('open/a/b'))).toEqual([
        'open/a/b-c',
        'open/a/b.d/e',
        'open/a/b/c',
        'open/a/bb',
      ]);
      expect(await collect(store.list('open/a'))).toHaveLength(6);
      expect(await collect(store.list('open/none/'))).toEqual([]);
      expect(await collect(store.list('sealed/'))).toEqual(['sealed/a/x']);
    });

    it('lists more than a page of keys', async () => {
      const keys = Array.from(
        { length: 1100 },
        (_, n) => `open/many/${String(n).padStart(4, '0')}`,
      );
      for (let at = 0; at < keys.length; at += 100)
        await Promise.all(keys.slice(at, at + 100).map((key) => store.putRecord(key, '1')));
      expect(await collect(store.list('open/many/'))).toEqual(keys);
    });

    it.each([
      ['outside the scopes', 'other/x'],
      ['a scope alone', 'open'],
      ['a parent part', 'open/../sealed/x'],
      ['an empty part', 'open//x'],
      ['an absolute path', '/open/x'],
      ['a back slash', 'open/a\\b'],
      ['a line break', 'open/a\nb'],
      ['a long part', `open/${'x'.repeat(201)}`],
    ])('refuses a key with %s', async (_title, key) => {
      await expect(store.putRecord(key, 'x')).rejects.toMatchObject({ type: 'InvalidInput' });
      await expect(store.getRecord(key)).rejects.toMatchObject({ type: 'InvalidInput' });
    });

    it('refuses records above the limit and records that are streams', async () => {
      const limit = Buffer.alloc(MAX_RECORD_BYTES);
      expect(await store.putRecord('open/limit', limit)).toBe('created');
      await expect(
        store.putRecord('open/over', Buffer.alloc(MAX_RECORD_BYTES + 1)),
      ).rejects.toThrow(/has 1048577 bytes, more than 1048576/u);
      const stream = { pipe: () => undefined } as unknown as Uint8Array;
      await expect(store.putRecord('open/stream', stream)).rejects.toThrow(/never a stream/u);
    });

    it.each(['open', 'sealed'] as const)('keeps blobs by their digest in %s', async (scope) => {
      const content = Buffer.from('内容\u0000\xff');
      const reference = await store.putBlob(scope, content);
      expect(reference).toEqual({ sha256: sha256Hex(content), bytes: content.byteLength });
      expect(await other.putBlob(scope, content)).toEqual(reference);
      expect(Buffer.from(await other.getBlob(scope, reference.sha256))).toEqual(content);
      expect(await other.hasBlob(scope, reference.sha256)).toBe(true);
      expect(await other.hasBlob(scope === 'open' ? 'sealed' : 'open', reference.sha256)).toBe(
        false,
      );
    });

    it('takes blobs from files and gives them to files', async () => {
      const content = randomBytes(3 * 1024 ** 2 + 17);
      const source = join(folder, 'source');
      await writeFile(source, content);
      const reference = await store.putBlobFile('open', source);
      expect(reference).toEqual({ sha256: sha256Hex(content), bytes: content.byteLength });
      const target = join(folder, 'target');
      await other.getBlobToFile('open', reference.sha256, target);
      expect(content.equals(await readFile(target))).toBe(true);
      // What is done to the file must not reach the store.
      await writeFile(target, 'changed');
      expect(sha256Hex(await store.getBlob('open', reference.sha256))).toBe(reference.sha256);
      expect((await readdir(folder)).sort()).toEqual(['source', 'target']);
    });

    it('says which blob is absent', async () => {
      await expect(store.getBlob('open', ABSENT)).rejects.toThrow(
        `blob open/blobs/${ABSENT} is not in the store`,
      );
      const target = join(folder, 'target');
      await expect(store.getBlobToFile('sealed', ABSENT, target)).rejects.toMatchObject({
        type: 'InvalidInput',
      });
      await expect(store.getBlob('open', '../x')).rejects.toMatchObject({ type: 'InvalidInput' });
      expect(await readdir(folder)).toEqual([]);
    });

    it('refuses a blob that was altered, and leaves no file of it', async () => {
      const { sha256 } = await store.putBlob('open', Buffer.from('original'));
      await corruptBlob(`open/blobs/${sha256}`);
      await expect(store.getBlob('open', sha256)).rejects.toThrow(/was altered/u);
      await expect(store.getBlobToFile('open', sha256, join(folder, 'target'))).rejects.toThrow(
        /was altered/u,
      );
      expect(await readdir(folder)).toEqual([]);
    });
  });
}
