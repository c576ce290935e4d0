import { crc32, deflateRawSync } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { buffer } from 'node:stream/consumers';

/** An entry as it is to be written, lies included: nothing here checks that a reader would accept it. */
export interface ZipEntry {
  /** Bytes where no text has them. */
  readonly name: string | Buffer;
  readonly content: Uint8Array;
  /** What the entry claims to inflate to, where that is not its content's length. */
  readonly claimedBytes?: number;
  /** General purpose flags; 1 says that it is encrypted. @default 0x800, names in UTF-8 */
  readonly flags?: number;
  /** Unix mode, such as 0o120777 for a symbolic link. @default 0o100644 */
  readonly mode?: number;
  /** Kept as it is. @default false */
  readonly stored?: boolean;
  /** Deflated bytes to write in place of the content's own; the content then only gives size and checksum. */
  readonly deflated?: Uint8Array;
}

const DATE = ((2026 - 1980) << 9) | (1 << 5) | 5;

/** The archive, entries in their order, all with one date. */
export function writeZip(entries: readonly ZipEntry[], comment = ''): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { content, stored = false, flags = 0x800, mode = 0o100644 } = entry;
    const name = Buffer.from(entry.name);
    const data = Buffer.from(entry.deflated ?? (stored ? content : deflateRawSync(content)));
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(stored ? 0 : 8, 4);
    fields.writeUInt16LE(DATE, 8);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(entry.claimedBytes ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    files.push(Buffer.from('PK\x03\x04', 'latin1'), fields, name, data);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), fields, tail, name);
    offset += 30 + name.length + data.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  return Buffer.concat([...files, listed, end, Buffer.from(comment)]);
}

/** Entries of a whole and honest archive. */
export async function readZip(archive: Buffer): Promise<ZipEntry[]> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    yauzl.fromBuffer(archive, { lazyEntries: true }, (error, opened) => {
      if (error) reject(error);
      else resolve(opened);
    });
  });
  const listed = await new Promise<Entry[]>((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on('error', reject);
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
  const read: ZipEntry[] = [];
  for (const entry of listed)
    read.push({ name: entry.fileName, content: await inflated(zip, entry) });
  return read;
}

function inflated(zip: ZipFile, entry: Entry): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) reject(error);
      else buffer(stream).then(resolve, reject);
    });
  });
}
