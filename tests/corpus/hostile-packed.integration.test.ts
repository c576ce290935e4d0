import { readFile } from 'node:fs/promises';
import { PDFDocument } from 'pdf-lib';
import { type ArtifactStatus } from '../../core/evidence-view';
import { evidenceFixture } from '../support/evidence';
import { rarFile } from '../activities/evidence/render/archive/rar-file';
import { RendererBench } from '../activities/evidence/support/renderer-bench';

const TIMEOUT_MS = 180_000;

interface Hostile {
  readonly file: string;
  readonly statuses: readonly ArtifactStatus[];
  make(): Promise<Uint8Array>;
}

const fixture = (name: string) => (): Promise<Buffer> =>
  readFile(evidenceFixture(`packed/${name}`));
const small = { name: 'note.txt', content: Buffer.from('words') };

/** A number of a format of variable length that is one byte where the file has it becomes another one. */
async function altered(
  make: () => Promise<Buffer>,
  change: (bytes: Buffer) => void,
): Promise<Buffer> {
  const bytes = Buffer.from(await make());
  change(bytes);
  return bytes;
}

/** A PDF with a file attached to it that inflates to 300 MB. */
async function pdfWithBomb(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage([200, 200]);
  await document.attach(Buffer.alloc(300 * 1024 * 1024), 'zeros.txt');
  return document.save();
}

const FILES: readonly Hostile[] = [
  { file: 'bomb.7z', statuses: ['rendered', 'truncated'], make: fixture('bomb.7z') },
  { file: 'bomb.xz', statuses: ['refused'], make: fixture('bomb.xz') },
  { file: 'bomb.tar.bz2', statuses: ['refused', 'truncated'], make: fixture('bomb.tar.bz2') },
  { file: 'bomb.tar.zst', statuses: ['refused', 'truncated'], make: fixture('bomb.tar.zst') },
  {
    file: 'ten-thousand-members.rar',
    statuses: ['rendered', 'truncated'],
    make: () =>
      Promise.resolve(
        rarFile(Array.from({ length: 10_000 }, (_, at) => ({ ...small, name: `${at}.txt` }))),
      ),
  },
  {
    file: 'leads-out.rar',
    statuses: ['rendered', 'truncated'],
    make: () =>
      Promise.resolve(
        rarFile([{ ...small, name: '../../etc/x' }, { ...small, name: '/etc/y' }, small]),
      ),
  },
  ...['plain.7z', 'members.tar.xz', 'members.tar.bz2', 'members.tar.zst'].map((name): Hostile => ({
    file: `altered-${name}`,
    statuses: ['rendered', 'truncated', 'corrupt', 'unsupported', 'encrypted', 'refused'],
    make: () =>
      altered(fixture(name), (bytes) => {
        for (let at = Math.floor(bytes.length / 2); at < bytes.length; at += 7) bytes[at] = 0xff;
      }),
  })),
  {
    file: 'claims-4-gigapixels.heic',
    statuses: ['refused', 'corrupt'],
    make: () =>
      altered(fixture('picture.heic'), (bytes) => {
        bytes.writeUInt32BE(65_535, bytes.indexOf('ispe') + 8);
        bytes.writeUInt32BE(65_535, bytes.indexOf('ispe') + 12);
      }),
  },
  { file: 'attached-bomb.pdf', statuses: ['rendered', 'truncated'], make: pdfWithBomb },
];

describe('files that programs of the renderer unpack, within its limits', () => {
  let bench: RendererBench;
  beforeAll(async () => {
    bench = await RendererBench.open();
  });
  afterAll(() => bench.close());

  test.each(FILES.map((file) => [file.file, file] as const))(
    '%s ends with a status that says what it is, in a container that is gone afterwards',
    async (name, { statuses, make }) => {
      const { artifact } = await bench.render(name, await make());
      expect(
        `${statuses.includes(artifact.status) ? 'listed' : 'not listed'}: ${artifact.status}`,
      ).toBe(`listed: ${artifact.status}`);
      // An end at a limit of the container would be no judgement of the file.
      expect(artifact.reason ?? '').not.toMatch(/needed more memory|stopped at its time limit/u);
      for (const { path } of artifact.members ?? []) expect(path).not.toMatch(/^\/|\.\./u);
      expect(await bench.containers()).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
