import { gzipSync } from 'node:zlib';
import { writeZip } from '../../../../../activities/evidence/render/zip-writer';
import { readBytes } from '../../../../support/evidence';
import { printed } from '../support';
import { tarball } from './tarball';

const csv = Buffer.from('x,y\n1,2\n');

function zip(members: Readonly<Record<string, string | Uint8Array>>): Buffer {
  return writeZip(
    Object.entries(members).map(([name, content]) => ({ name, content: Buffer.from(content) })),
  );
}

/** Sets bytes within the first central directory entry of a zip. */
function patchDirectory(archive: Buffer, offset: number, value: number): Buffer {
  const copy = Buffer.from(archive);
  copy.writeUInt32LE(value, copy.indexOf('PK\u0001\u0002') + offset);
  return copy;
}

describe('zip archives', () => {
  test('every entry is listed, plain files are unpacked', async () => {
    const result = await readBytes('a.zip', zip({ '数据/a.csv': csv, 'note.md': '# Hi' }));
    expect(result).toMatchObject({ status: 'rendered' });
    expect(result.rendering.format).toBe('archive');
    expect(printed(result)).toEqual([
      'member=数据/a.csv | 数据/a.csv | 8 bytes',
      'member=note.md | note.md | 4 bytes',
    ]);
    expect(result.rendering.members).toEqual([
      { path: '数据/a.csv', content: csv },
      { path: 'note.md', content: Buffer.from('# Hi') },
    ]);
    expect(result.rendering.counts).toEqual({ members: 2, unpackedMembers: 2 });
  });

  test.each([
    '../evil.txt',
    '/etc/passwd',
    'a/../../b',
    'C:evil.txt',
    'a\\b.txt',
    'a//b',
    'bell\u0007.txt',
    './a',
  ])('a member called %j is listed and not unpacked', async (name) => {
    const result = await readBytes('a.zip', zip({ [name]: 'no', ok: 'yes' }));
    expect(result.rendering.members.map(({ path }) => path)).toEqual(['ok']);
    expect(printed(result)[0]).toContain('its name is no path within the archive');
  });

  test('two entries of one name, in any case: the first one counts', async () => {
    const archive = writeZip([
      { name: 'A.txt', content: Buffer.from('first') },
      { name: 'a.TXT', content: Buffer.from('second') },
    ]);
    const { rendering } = await readBytes('a.zip', archive);
    expect(rendering.members).toEqual([{ path: 'A.txt', content: Buffer.from('first') }]);
    expect(rendering.segments[1]?.text).toContain('a second entry of that name');
  });

  test('entries of exactly one name have an address each', async () => {
    const contents = ['first', 'second one', 'third'];
    const archive = writeZip(contents.map((text) => ({ name: 'a', content: Buffer.from(text) })));
    expect(printed(await readBytes('a.zip', archive))).toEqual([
      'member=a | a | 5 bytes',
      'entry=2&member=a | a | 10 bytes | a second entry of that name',
      'entry=3&member=a | a | 5 bytes | a second entry of that name',
    ]);
  });

  test('a link is not followed, an encrypted member not opened', async () => {
    const archive = zip({ 'a.txt': 'aaaa' });
    const link = await readBytes('a.zip', patchDirectory(archive, 38, 0o120777 * 0x10000));
    expect(link.rendering.segments[0]?.text).toBe('a.txt | link | a link; not followed');
    const packed = zip({ 'a.txt': 'a'.repeat(100) });
    const flags = packed.readUInt32LE(packed.indexOf('PK\u0001\u0002') + 6) | (1 << 16);
    const locked = await readBytes('a.zip', patchDirectory(packed, 6, flags));
    expect(locked).toMatchObject({
      status: 'encrypted',
      reason: 'every member of the archive needs a password',
    });
    expect(locked.rendering.counts['encryptedMembers']).toBe(1);
  });

  test('a member that inflates beyond reason stays packed', async () => {
    const bomb = zip({ 'zeros.bin': Buffer.alloc(20 * 1024 * 1024), 'ok.txt': 'fine' });
    expect(bomb.length).toBeLessThan(200_000);
    const { rendering, status } = await readBytes('a.zip', bomb);
    expect(status).toBe('rendered');
    expect(rendering.members.map(({ path }) => path)).toEqual(['ok.txt']);
    expect(rendering.segments[0]?.text).toMatch(/inflates \d+-fold, over 200/u);
  });

  test('a member that is longer than it says is broken', async () => {
    const lying = patchDirectory(zip({ 'a.txt': 'a'.repeat(500) }), 24, 10);
    const { rendering } = await readBytes('a.zip', lying);
    expect(rendering.members).toEqual([]);
    expect(rendering.segments[0]?.text).toContain('its data is broken');
  });

  test('ten thousand members: a hundred are unpacked, all are listed', async () => {
    const names = Array.from({ length: 10_100 }, (_, index) => [`f${index}.txt`, 'x'] as const);
    const { rendering, status, reason } = await readBytes('a.zip', zip(Object.fromEntries(names)));
    expect(status).toBe('truncated');
    expect(reason).toContain('the archive has 10100 entries, 10000 are listed');
    expect(reason).toContain('9900 members are listed and not unpacked');
    expect(rendering.counts).toEqual({ members: 10_000, unpackedMembers: 100 });
  });

  test('names in the encoding of a Chinese machine are read', async () => {
    const name = Buffer.from('bfc6cad2c8cbb4cebacdbcc6', 'hex').toString('latin1');
    const archive = zip({ [name]: 'x' });
    // The writer stores UTF-8: put the machine's own bytes there and take the flag away.
    const utf8 = Buffer.from(name);
    const own = Buffer.from(name, 'latin1');
    let bytes = archive;
    for (let at = bytes.indexOf(utf8); at >= 0; at = bytes.indexOf(utf8, at + 1))
      bytes = Buffer.concat([
        bytes.subarray(0, at),
        own,
        Buffer.alloc(utf8.length - own.length, 'x'),
        bytes.subarray(at + utf8.length),
      ]);
    for (const [mark, offset] of [
      ['PK\u0003\u0004', 6],
      ['PK\u0001\u0002', 8],
    ] as const)
      bytes.writeUInt16LE(0, bytes.indexOf(mark) + offset);
    const { rendering } = await readBytes('a.zip', bytes);
    expect(rendering.segments[0]?.text).toMatch(/^科室人次和计x+ \| 1 bytes$/u);
  });

  test('clutter of operating systems is listed only', async () => {
    const { rendering } = await readBytes(
      'a.zip',
      zip({ '__MACOSX/._a': 'x', 'b/.DS_Store': 'x' }),
    );
    expect(rendering.members).toEqual([]);
  });

  test('empty and truncated ones', async () => {
    const empty = await readBytes('a.zip', zip({}));
    expect(empty).toMatchObject({ status: 'rendered' });
    expect(empty.rendering.warnings).toEqual(['the archive is empty']);
    const cut = zip({ 'a.txt': 'aaa' }).subarray(0, 40);
    expect(await readBytes('b.zip', cut)).toMatchObject({
      status: 'corrupt',
      reason: expect.stringContaining('not a readable zip package') as string,
    });
  });
});

describe('tar archives, packed or not', () => {
  const members = [
    { name: './a.csv', content: csv },
    { name: 'dir/', content: Buffer.alloc(0), type: '5' },
    { name: 'dir/link', content: Buffer.alloc(0), type: '2' },
    { name: '../up', content: csv },
  ];

  test.each([
    ['a.tar', tarball(members), 'tar'],
    ['a.tar.gz', gzipSync(tarball(members)), 'tar.gz'],
  ])('%s', async (name, bytes, archive) => {
    const result = await readBytes(name, bytes);
    expect(result.rendering.facts['archive']).toBe(archive);
    expect(printed(result)).toEqual([
      'member=a.csv | a.csv | 8 bytes',
      'member=dir/ | dir/ | folder',
      'member=dir/link | dir/link | link | a link; not followed',
      'member=../up | ../up | 8 bytes | its name is no path within the archive',
    ]);
    expect(result.rendering.members).toEqual([{ path: 'a.csv', content: csv }]);
  });

  test('names longer than a header holds', async () => {
    const name = `${'深'.repeat(60)}/a.csv`;
    const long = { name: '././@LongLink', content: Buffer.from(`${name}\0`), type: 'L' };
    const { rendering } = await readBytes(
      'a.tar',
      tarball([long, { name: 'short', content: csv }]),
    );
    expect(rendering.members[0]?.path).toBe(name);
  });

  test('one that ends within a member', async () => {
    const cut = tarball([{ name: 'a.txt', content: Buffer.alloc(2000, 'a') }]).subarray(0, 1500);
    const { rendering, status } = await readBytes('a.tar', cut);
    expect([status, rendering.members.length]).toEqual(['truncated', 0]);
  });
});

describe('gzip', () => {
  test('a single file is the member', async () => {
    const { rendering } = await readBytes('a.csv.gz', gzipSync(csv));
    expect(rendering.members).toEqual([{ path: 'content', content: csv }]);
  });

  test('a bomb is refused, a broken stream corrupt', async () => {
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024));
    expect(await readBytes('a.gz', bomb)).toMatchObject({
      status: 'refused',
      reason: 'inflates over 200-fold',
    });
    const broken = gzipSync(Buffer.from('words '.repeat(100))).subarray(0, 20);
    expect(await readBytes('b.gz', broken)).toMatchObject({ status: 'corrupt' });
  });

  test('other archives need a program of the container', async () => {
    const seven = Buffer.concat([Buffer.from('377abcaf271c', 'hex'), Buffer.alloc(100)]);
    expect(await readBytes('a.7z', seven)).toMatchObject({
      status: 'unsupported',
      reason: 'this format needs the renderer container',
    });
  });
});
