import { crc32, deflateRawSync } from 'node:zlib';

/** Any fixed day: what is written is compared byte by byte. 1 January 2026. */
const DATE = ((2026 - 1980) << 9) | (1 << 5) | 1;
const UTF8_NAMES = 0x0800;

export interface ZipMember {
  readonly name: string;
  readonly content: Uint8Array;
}

/** A zip archive of these members in their order, small ones stored, larger ones deflated. No ZIP64. */
export function writeZip(members: readonly ZipMember[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of members) {
    const isDeflated = content.length > 64;
    const data = isDeflated ? deflateRawSync(content, { level: 1 }) : Buffer.from(content);
    const encoded = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(UTF8_NAMES, 2);
    fields.writeUInt16LE(isDeflated ? 8 : 0, 4);
    fields.writeUInt16LE(DATE, 8);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(encoded.length, 22);
    files.push(Buffer.from('PK\x03\x04', 'latin1'), fields, encoded, data);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), fields, tail, encoded);
    offset += 30 + encoded.length + data.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, listed, Buffer.from('PK\x05\x06', 'latin1'), end]);
}
