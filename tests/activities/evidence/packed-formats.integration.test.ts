import { readFile } from 'node:fs/promises';
import { type ArtifactStatus } from '../../../core/evidence-view';
import { printLocator } from '../../../core/locator';
import { evidenceFixture } from '../../support/evidence';
import { oldRarFile, rarFile } from './render/archive/rar-file';
import { type Rendered, RendererBench, contrastOf } from './support/renderer-bench';

const TIMEOUT_MS = 120_000;

function lines({ segments }: Rendered): string[] {
  return segments.map(({ locator, text }) => `${printLocator(locator).slice(1)} | ${text}`);
}

function outcome({ artifact: { status, reason, members = [] } }: Rendered): {
  status: ArtifactStatus;
  reason: string | undefined;
  members: string[];
} {
  return { status, reason, members: members.map(({ path }) => path) };
}

describe('archives that programs of the renderer unpack', () => {
  let bench: RendererBench;
  beforeAll(async () => {
    bench = await RendererBench.open();
  });
  afterAll(() => bench.close());

  test.each([
    ['plain.7z', '7z'],
    ['members.tar.xz', 'tar.xz'],
    ['members.tar.bz2', 'tar.bz2'],
    ['members.tar.zst', 'tar.zst'],
  ])(
    '%s: members are listed and files of their own',
    async (name, archive) => {
      const rendered = await bench.fixture(`packed/${name}`);
      expect(outcome(rendered)).toEqual({
        status: 'rendered',
        reason: undefined,
        members: ['数据/a.csv', 'note.md'],
      });
      expect(rendered.artifact.facts['archive']).toBe(archive);
      expect(lines(rendered)).toEqual([
        'member=数据/a.csv | 数据/a.csv | 8 bytes',
        'member=note.md | note.md | 5 bytes',
      ]);
    },
    TIMEOUT_MS,
  );

  test(
    'a RAR archive: folders, links, names that lead elsewhere and encrypted members are told from files',
    async () => {
      const rendered = await bench.render(
        'a.rar',
        rarFile([
          { name: '数据/a.csv', content: Buffer.from('x,y\n1,2\n') },
          { name: 'dir', isFolder: true },
          { name: 'link', linkTo: '/etc/passwd' },
          { name: 'locked.txt', content: Buffer.alloc(16, 3), isEncrypted: true },
          { name: '../up.txt', content: Buffer.from('no') },
          { name: 'note.md', content: Buffer.from('# Hi\n') },
        ]),
      );
      expect(outcome(rendered)).toMatchObject({
        status: 'rendered',
        members: ['数据/a.csv', 'note.md'],
      });
      expect(lines(rendered)).toEqual([
        'member=数据/a.csv | 数据/a.csv | 8 bytes',
        'member=dir | dir | folder',
        'member=link | link | link | a link; not followed',
        'member=locked.txt | locked.txt | 16 bytes | encrypted',
        'member=../up.txt | ../up.txt | 2 bytes | its name is no path within the archive',
        'member=note.md | note.md | 5 bytes',
      ]);
      const old = await bench.render(
        'old.rar',
        oldRarFile([
          { name: 'a.csv', content: Buffer.from('x,y\n') },
          { name: 'locked.txt', content: Buffer.alloc(16, 3), isEncrypted: true },
        ]),
      );
      expect(outcome(old)).toMatchObject({ status: 'rendered', members: ['a.csv'] });
    },
    TIMEOUT_MS,
  );

  test(
    'a member whose bytes are not those of its checksum is not handed out',
    async () => {
      const bytes = rarFile([
        { name: 'a.txt', content: Buffer.from('altered words') },
        { name: 'b.txt', content: Buffer.from('whole') },
      ]);
      bytes.write('x', bytes.indexOf('altered'));
      const rendered = await bench.render('a.rar', bytes);
      expect(outcome(rendered).members).not.toContain('a.txt');
      expect(lines(rendered)[0]).toContain('cannot be unpacked: its data is broken');
    },
    TIMEOUT_MS,
  );

  test(
    'encrypted, broken and exploding ones are a status with a reason',
    async () => {
      const seven = await readFile(evidenceFixture('packed/plain.7z'));
      const lock = { name: 'a.txt', content: Buffer.alloc(16, 3), isEncrypted: true };
      const password = 'every member of the archive needs a password';
      expect([
        outcome(await bench.fixture('packed/encrypted.7z')),
        outcome(await bench.fixture('packed/encrypted-names.7z')),
        outcome(await bench.render('a.rar', rarFile([lock]))),
        outcome(await bench.render('b.rar', rarFile([lock], true))),
        outcome(await bench.render('cut.7z', seven.subarray(0, 60))),
        outcome(await bench.render('cut.rar', rarFile([lock]).subarray(0, 20))),
        outcome(await bench.fixture('packed/bomb.xz')),
      ]).toEqual([
        { status: 'encrypted', reason: password, members: [] },
        { status: 'encrypted', reason: 'the archive needs a password', members: [] },
        { status: 'encrypted', reason: password, members: [] },
        { status: 'encrypted', reason: 'the archive needs a password', members: [] },
        { status: 'corrupt', reason: 'not a readable 7z archive', members: [] },
        { status: 'corrupt', reason: 'not a readable RAR archive', members: [] },
        { status: 'refused', reason: 'inflates over 200-fold', members: [] },
      ]);
    },
    TIMEOUT_MS,
  );

  test(
    'a member too long to be unpacked does not keep the next one back',
    async () => {
      const rendered = await bench.fixture('packed/bomb.7z');
      expect(outcome(rendered)).toMatchObject({ status: 'rendered', members: ['ok.txt'] });
      expect(lines(rendered)[0]).toContain('over 67108864 bytes');
    },
    TIMEOUT_MS,
  );

  test(
    'a HEIC picture is drawn; one that is cut or claims too much is a status',
    async () => {
      const rendered = await bench.fixture('packed/picture.heic');
      expect(rendered.artifact).toMatchObject({
        status: 'rendered',
        format: 'image',
        facts: { imageFormat: 'heic' },
        pages: [{ page: 1, widthPixels: 64, heightPixels: 48 }],
      });
      expect(await contrastOf(await rendered.page(1))).toBeGreaterThan(100);
      const bytes = await readFile(evidenceFixture('packed/picture.heic'));
      const huge = Buffer.from(bytes);
      huge.writeUInt32BE(60_000, huge.indexOf('ispe') + 8);
      huge.writeUInt32BE(60_000, huge.indexOf('ispe') + 12);
      expect([
        outcome(await bench.render('cut.heic', bytes.subarray(0, bytes.length - 100))),
        outcome(await bench.render('huge.heic', huge)),
      ]).toMatchObject([
        { status: 'corrupt', reason: expect.stringContaining('cannot be decoded') as string },
        { status: 'refused', reason: 'over 50000000 pixels' },
      ]);
    },
    TIMEOUT_MS,
  );
});
