import { crc32 } from 'node:zlib';

export interface RarMember {
  readonly name: string;
  readonly content?: Uint8Array;
  readonly isFolder?: boolean;
  readonly linkTo?: string;
  readonly isEncrypted?: boolean;
  /** What the header says, where that is not the content's length. */
  readonly statedBytes?: number;
}

/** Seven bits a byte, the lowest first. */
function vint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

/** A header: checksum, length, type, flags; with the lengths of the extra area and the data where there are such. */
function block(type: number, fields: Buffer, extra = Buffer.alloc(0), data?: Uint8Array): Buffer {
  const flags = (extra.length > 0 ? 1 : 0) | (data ? 2 : 0);
  const body = Buffer.concat([
    ...[vint(type), vint(flags)],
    ...(extra.length > 0 ? [vint(extra.length)] : []),
    ...(data ? [vint(data.length)] : []),
    ...[fields, extra],
  ]);
  const sized = Buffer.concat([vint(body.length), body]);
  return Buffer.concat([uint32(crc32(sized)), sized, data ?? Buffer.alloc(0)]);
}

function record(type: number, fields: Buffer): Buffer {
  const body = Buffer.concat([vint(type), fields]);
  return Buffer.concat([vint(body.length), body]);
}

function member(of: RarMember): Buffer {
  const { name, content = new Uint8Array(), isFolder = false, linkTo } = of;
  const path = Buffer.from(name);
  const fields = Buffer.concat([
    vint(isFolder ? 1 : 4),
    vint(of.statedBytes ?? content.length),
    vint(isFolder ? 0o40755 : linkTo === undefined ? 0o100644 : 0o120777),
    ...(isFolder ? [] : [uint32(crc32(content))]),
    // Stored, by a Unix.
    ...[vint(0), vint(1), vint(path.length), path],
  ]);
  const salt = Buffer.alloc(33, 7);
  const target = Buffer.from(linkTo ?? '');
  const extra = Buffer.concat([
    ...(of.isEncrypted === true ? [record(1, Buffer.concat([vint(0), vint(0), salt]))] : []),
    ...(linkTo === undefined
      ? []
      : [record(5, Buffer.concat([vint(1), vint(0), vint(target.length), target]))]),
  ]);
  return block(2, fields, extra, content);
}

/** A RAR 5 archive whose members are stored as they are. */
export function rarFile(members: readonly RarMember[], isWhollyEncrypted = false): Buffer {
  const locked = Buffer.concat([vint(0), vint(0), Buffer.alloc(17, 7)]);
  return Buffer.concat([
    Buffer.from('526172211a070100', 'hex'),
    ...(isWhollyEncrypted ? [block(4, locked)] : [block(1, vint(0))]),
    ...members.map(member),
    block(5, vint(0)),
  ]);
}

/** A RAR archive of versions 1.5 to 4, stored. */
export function oldRarFile(members: readonly RarMember[]): Buffer {
  const headed = (type: number, flags: number, fields: Buffer): Buffer => {
    const head = Buffer.alloc(5);
    head[0] = type;
    head.writeUInt16LE(flags, 1);
    head.writeUInt16LE(7 + fields.length, 3);
    const body = Buffer.concat([head, fields]);
    const sum = Buffer.alloc(2);
    sum.writeUInt16LE(crc32(body) & 0xffff);
    return Buffer.concat([sum, body]);
  };
  const file = ({ name, content = new Uint8Array(), isEncrypted = false }: RarMember): Buffer => {
    const path = Buffer.from(name);
    const length = Buffer.alloc(2);
    length.writeUInt16LE(path.length);
    const fields = Buffer.concat([
      ...[uint32(content.length), uint32(content.length), Buffer.from([3])],
      ...[uint32(crc32(content)), uint32(0x5c210000), Buffer.from([29, 0x30]), length],
      ...[uint32(0o100644), path],
    ]);
    return Buffer.concat([headed(0x74, 0x8000 | (isEncrypted ? 4 : 0), fields), content]);
  };
  return Buffer.concat([
    Buffer.from('526172211a0700', 'hex'),
    headed(0x73, 0, Buffer.alloc(6)),
    ...members.map(file),
    headed(0x7b, 0x4000, Buffer.alloc(0)),
  ]);
}
