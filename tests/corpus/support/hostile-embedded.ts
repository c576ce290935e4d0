import {
  attachment,
  outlookMessage,
  texts,
} from '../../activities/evidence/render/outlook/outlook-message';
import { writeZip } from '../../../scripts/corpus/zip';
import { type HostileFile, png } from './hostile-files';
import { document, entriesOf, relationships, zeros } from './hostile-packages';

/** A bitmap's file header, and its own of 40 bytes. */
function bitmap(
  width: number,
  height: number,
  bits: number,
  compression: number,
  data: Buffer,
): Buffer {
  const header = Buffer.alloc(54);
  header.write('BM', 0, 'latin1');
  header.writeUInt32LE(54 + data.length, 2);
  header.writeUInt32LE(54, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(bits, 28);
  header.writeUInt32LE(compression, 30);
  header.writeUInt32LE(data.length, 34);
  return Buffer.concat([header, data]);
}

/** An icon that names the same content many times. */
function icon(content: Buffer, count: number): Buffer {
  const head = Buffer.alloc(6 + count * 16);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(count, 4);
  for (let at = 0; at < count; at++) {
    head.writeUInt32LE(content.length, 6 + at * 16 + 8);
    head.writeUInt32LE(head.length, 6 + at * 16 + 12);
  }
  return Buffer.concat([head, content]);
}

/** Pictures of the formats that are decoded by our own code. */
export const BITMAPS: readonly HostileFile[] = [
  {
    file: 'claims-4-gigapixels.bmp',
    statuses: ['refused'],
    make: () => bitmap(65_536, 65_536, 24, 0, Buffer.alloc(100)),
  },
  {
    file: 'runs-without-pixels.bmp',
    statuses: ['rendered', 'truncated', 'corrupt'],
    make: () => bitmap(7_000, 7_000, 8, 1, Buffer.alloc(20_000_000)),
  },
  {
    file: 'holds-400-megapixels.bmp',
    statuses: ['refused'],
    make: () => bitmap(20_000, 20_000, 0, 5, png(20_000, 20_000)),
  },
  {
    file: 'holds-itself.bmp',
    statuses: ['corrupt'],
    make: () => bitmap(9, 9, 0, 5, bitmap(9, 9, 0, 5, Buffer.alloc(9))),
  },
  {
    file: 'holds-400-megapixels.ico',
    statuses: ['refused'],
    make: () => icon(png(20_000, 20_000), 1),
  },
  {
    file: 'sixty-thousand-pictures.ico',
    statuses: ['rendered', 'truncated', 'corrupt'],
    make: () => icon(Buffer.from('neither of both'), 60_000),
  },
];

const attachments = (count: number): ReturnType<typeof attachment> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) =>
      Object.entries(attachment(at, `${at}.txt`, Buffer.alloc(1024 * 1024, 65 + at))),
    ).flat(),
  );

const MESSAGE_CLASS = { '001A': 'IPM.Note', '0037': 'words' };

/** Files within files: packages in documents, attachments of mails. */
export const EMBEDDED: readonly HostileFile[] = [
  {
    file: 'embedded-bomb.docx',
    statuses: ['refused'],
    make: () =>
      writeZip([
        ...entriesOf(withObjects(1)),
        zeros('word/embeddings/book1.xlsx', 200 * 1024 * 1024),
      ]),
  },
  {
    file: 'four-hundred-embedded.docx',
    statuses: ['rendered', 'truncated'],
    make: () =>
      writeZip([
        ...entriesOf(withObjects(400)),
        ...Array.from({ length: 400 }, (_, at) => ({
          name: `word/embeddings/book${at + 1}.xlsx`,
          content: writeZip([{ name: 'a.txt', content: Buffer.from(`${at}`) }]),
        })),
      ]),
  },
  {
    file: 'large-attachments.msg',
    statuses: ['rendered', 'truncated'],
    make: () =>
      outlookMessage({
        ...texts({ ...MESSAGE_CLASS, '1000': 'body' }),
        ...attachments(6),
      }),
  },
  {
    file: 'long-body.msg',
    statuses: ['rendered', 'truncated'],
    make: () =>
      outlookMessage(texts({ ...MESSAGE_CLASS, '1000': 'words and more '.repeat(190_000) })),
  },
  {
    file: 'ten-thousand-parts.eml',
    statuses: ['rendered', 'truncated'],
    make: () =>
      Buffer.from(
        `Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nx\r\n'.repeat(10_000)}--b--\r\n`,
      ),
  },
];

function withObjects(count: number): Readonly<Record<string, string>> {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const objects = numbers.map(
    (number) =>
      `<w:p><w:r><w:object><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" Type="Embed" ProgID="Excel.Sheet.12" r:id="rId${number}"/></w:object></w:r></w:p>`,
  );
  return {
    ...(document(objects.join('')) as Record<string, string>),
    'word/_rels/document.xml.rels': relationships(
      ...numbers.map((number) => ({ type: 'package', target: `embeddings/book${number}.xlsx` })),
    ),
  };
}
