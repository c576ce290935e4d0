import { crc32, deflateSync, gzipSync } from 'node:zlib';
import { type ZipEntry, writeZip } from '../../../scripts/corpus/zip';
import { document, entriesOf, workbook, zeros, zipOf } from './hostile-packages';

export interface HostileFile {
  readonly file: string;
  /** Statuses that are right; anything else, a crash or a hang is a failure. */
  readonly statuses: readonly string[];
  make(): Buffer;
}

const cell = (text: string): string => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`;

/** Bombs: small files that are large inside. */
export const BOMBS: readonly HostileFile[] = [
  {
    file: 'claims-600-megabytes.xlsx',
    statuses: ['refused'],
    make: () =>
      writeZip([...entriesOf(workbook(cell('x'))), zeros('xl/big.xml', 1_000, 600 * 1024 * 1024)]),
  },
  {
    file: 'three-hundred-fold.xlsx',
    statuses: ['refused'],
    make: () =>
      writeZip([...entriesOf(workbook(cell('x'))), zeros('xl/big.xml', 64 * 1024 * 1024)]),
  },
  {
    file: 'claims-too-little.xlsx',
    statuses: ['corrupt'],
    make: () => {
      const parts = entriesOf(workbook(cell('x')));
      const lie = zeros('xl/worksheets/sheet1.xml', 64 * 1024 * 1024, 1_000);
      return writeZip([...parts.filter(({ name }) => name !== lie.name), lie]);
    },
  },
  {
    file: 'many-entries-together.xlsx',
    statuses: ['refused'],
    make: () =>
      writeZip([
        ...entriesOf(workbook(cell('x'))),
        ...Array.from({ length: 70 }, (_, at) => zeros(`m${at}`, 100, 9 * 1024 * 1024)),
      ]),
  },
  {
    file: 'twenty-thousand-entries.zip',
    statuses: ['truncated'],
    make: () =>
      writeZip(
        Array.from({ length: 20_000 }, (_, at) => ({
          name: `e${at}`,
          content: Buffer.alloc(0),
          stored: true,
        })),
      ),
  },
  {
    file: 'sheet-of-three-million-rows.xlsx',
    statuses: ['refused'],
    make: () => zipOf(workbook('<row><c><v>1</v></c></row>'.repeat(3_000_000))),
  },
  {
    file: 'document-of-two-million-paragraphs.docx',
    statuses: ['refused'],
    make: () => zipOf(document('<w:p/>'.repeat(2_000_000))),
  },
  {
    file: 'archive-in-archive.zip',
    statuses: ['rendered', 'truncated', 'refused', 'unsupported'],
    make: () => {
      let archive = writeZip([{ name: 'a.txt', content: Buffer.from('innermost') }]);
      for (let depth = 0; depth < 40; depth++)
        archive = writeZip([
          { name: `${depth}.zip`, content: archive },
          { name: 'b.txt', content: Buffer.from('x') },
        ]);
      return archive;
    },
  },
  {
    file: 'archive-with-a-bomb.zip',
    statuses: ['rendered', 'truncated'],
    make: () =>
      writeZip([
        { name: 'report.txt', content: Buffer.from('words') },
        zeros('bomb.txt', 200 * 1024 * 1024),
      ]),
  },
  {
    file: 'zeros.txt.gz',
    statuses: ['truncated', 'refused', 'unsupported'],
    make: () => gzipSync(Buffer.alloc(300 * 1024 * 1024), { level: 9 }),
  },
];

/** A PNG that claims a size; its pixels are zeros as far as they go. */
export function png(width: number, height: number, rows = height): Buffer {
  const chunk = (type: string, content: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(content.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const pixels = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * rows));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export const PICTURES: readonly HostileFile[] = [
  { file: '400-megapixels.png', statuses: ['refused'], make: () => png(20_000, 20_000) },
  {
    file: 'claims-4-gigapixels.png',
    statuses: ['refused', 'corrupt'],
    make: () => png(65_535, 65_535, 1),
  },
  { file: 'negative.png', statuses: ['refused', 'corrupt'], make: () => png(0xffffffff, 1, 0) },
  {
    file: 'endless.svg',
    statuses: ['refused', 'corrupt', 'rendered', 'truncated', 'unsupported'],
    make: () =>
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="999999999" height="999999999"/>'),
  },
  {
    file: 'uses.svg',
    statuses: ['refused', 'corrupt', 'rendered', 'truncated', 'unsupported'],
    make: () =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="99" height="99"><defs><g id="g0"><rect width="1" height="1"/></g>${Array.from({ length: 24 }, (_, at) => `<g id="g${at + 1}"><use xlink:href="#g${at}"/><use xlink:href="#g${at}"/></g>`).join('')}</defs><use xlink:href="#g24"/></svg>`,
      ),
  },
  {
    file: 'frames.gif',
    statuses: ['refused', 'corrupt', 'rendered', 'truncated'],
    make: () =>
      Buffer.concat([
        Buffer.from('GIF89a\x40\x1f\x40\x1f\x80\0\0\0\0\0\xff\xff\xff', 'latin1'),
        Buffer.from(',\0\0\0\0\x40\x1f\x40\x1f\0\x02\x02\x44\x01\0'.repeat(20_000), 'latin1'),
        Buffer.from(';'),
      ]),
  },
];

/** Names that lead out of a package or into each other. */
const NAMES: Readonly<Record<string, Partial<ZipEntry>>> = {
  parent: { name: '../outside.xml' },
  absolute: { name: '/etc/cron.d/x' },
  'windows-parent': { name: '..\\outside.xml' },
  drive: { name: 'C:/outside.xml' },
  nul: { name: Buffer.from('a\0.xml') },
  link: { name: 'xl/link', mode: 0o120777, content: Buffer.from('/etc/passwd') },
  twice: { name: 'xl/workbook.xml' },
  'twice-by-case': { name: 'XL/Workbook.XML' },
};

export const PATH_TRICKS: readonly HostileFile[] = Object.entries(NAMES).map(([trick, entry]) => ({
  file: `${trick}.xlsx`,
  // A leading slash is how some programs write the parts of an honest package.
  statuses: trick === 'absolute' ? ['refused', 'rendered'] : ['refused'],
  make: () =>
    writeZip([
      ...entriesOf(workbook(cell('x'))),
      { name: '', content: Buffer.from('x'), ...entry },
    ]),
}));

const EXTENSIONS = [
  'xlsx',
  'docx',
  'pptx',
  'pdf',
  'png',
  'zip',
  'ipynb',
  'html',
  'csv',
  'txt',
  'xls',
  'unknown',
];

export const EMPTY_FILES: readonly HostileFile[] = EXTENSIONS.map((extension) => ({
  file: `empty.${extension}`,
  statuses: ['rendered', 'corrupt', 'unsupported'],
  make: () => Buffer.alloc(0),
}));
