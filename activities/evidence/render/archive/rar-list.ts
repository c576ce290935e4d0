import { decodeText } from '../decode-text';
import { Unreadable } from '../rendering';
import { ARCHIVE_LIMITS } from './archive-entry';
import { type ProgramEntry } from './program-members';
import { unicodeName } from './rar-names';

export interface RarList {
  readonly entries: readonly ProgramEntry[];
  /** Where the list was ended early. */
  readonly problem?: string;
}

const MAX_HEADER_BYTES = 2 * 1024 * 1024;
const FIRST_HEADER = { old: 7, new: 8 } as const;

/**
 * The list of a RAR archive from its headers, of versions 1.5 to 4 or 5 and later: the program that unpacks hands out
 * encrypted bytes as if they were the content. Throws `Unreadable` where all of it is encrypted, or nothing is there.
 */
export function listRar(bytes: Buffer): RarList {
  const isNew = bytes[6] === 1;
  const entries: ProgramEntry[] = [];
  const steps = isNew ? newHeaders(bytes) : oldHeaders(bytes);
  let problem: string | undefined;
  for (const step of steps) {
    if (step === 'encrypted') throw new Unreadable('encrypted', 'the archive needs a password');
    if (step === 'cut') problem = `the archive is broken behind its entry ${entries.length}`;
    else if (entries.length >= ARCHIVE_LIMITS.listed) {
      problem = `only the first ${ARCHIVE_LIMITS.listed} entries are listed`;
      break;
    } else entries.push(step);
  }
  if (entries.length === 0 && problem !== undefined)
    throw new Unreadable('corrupt', 'not a readable RAR archive');
  return { entries, ...(problem === undefined ? {} : { problem }) };
}

type Step = ProgramEntry | 'encrypted' | 'cut';

/** A header is two bytes of checksum, type, flags, length; the data behind it, where it has such, is not counted. */
function* oldHeaders(bytes: Buffer): Generator<Step> {
  for (let at: number = FIRST_HEADER.old; ;) {
    const header = oldHeaderAt(bytes, at);
    if (!header) {
      yield 'cut';
      return;
    }
    const type = header[2];
    if (type === 0x7b) return;
    if (type === 0x73 && (header.readUInt16LE(3) & 0x80) !== 0) yield 'encrypted';
    const data = oldDataBytes(header);
    if (type === 0x74) yield oldEntry(header, data);
    at += header.length + data;
  }
}

/** `undefined` where the bytes end before the header does, or it is shorter than its fields. */
function oldHeaderAt(bytes: Buffer, at: number): Buffer | undefined {
  if (at + 7 > bytes.length) return undefined;
  const [type, flags, length] = [
    bytes[at + 2],
    bytes.readUInt16LE(at + 3),
    bytes.readUInt16LE(at + 5),
  ];
  const fields =
    type === 0x74 ? ((flags & 0x100) === 0 ? 32 : 40) : (flags & 0x8000) === 0 ? 7 : 11;
  return length < fields || at + length > bytes.length
    ? undefined
    : bytes.subarray(at, at + length);
}

function oldDataBytes(header: Buffer): number {
  const [isFile, flags] = [header[2] === 0x74, header.readUInt16LE(3)];
  if (!isFile && (flags & 0x8000) === 0) return 0;
  const high = isFile && (flags & 0x100) !== 0 ? header.readUInt32LE(32) : 0;
  return header.readUInt32LE(7) + high * 2 ** 32;
}

function oldEntry(header: Buffer, storedBytes: number): ProgramEntry {
  const flags = header.readUInt16LE(3);
  const isLarge = (flags & 0x100) !== 0;
  const nameAt = isLarge ? 40 : 32;
  const name = header.subarray(nameAt, nameAt + header.readUInt16LE(26));
  const attributes = header.readUInt32LE(28);
  const isUnix = header[15] === 3;
  const isFolder = (flags & 0xe0) === 0xe0;
  const isLink = isUnix && (attributes & 0o170000) === 0o120000;
  return {
    name: ((flags & 0x200) === 0 ? decodeText(name).text : unicodeName(name)).replaceAll('\\', '/'),
    bytes: header.readUInt32LE(11) + (isLarge ? header.readUInt32LE(36) * 2 ** 32 : 0),
    storedBytes,
    kind: isFolder ? 'folder' : isLink ? 'link' : (flags & 3) !== 0 ? 'other' : 'file',
    encrypted: (flags & 4) !== 0,
    crc32: header.readUInt32LE(16),
  };
}

/** A header is a checksum of four bytes, then numbers of seven bits a byte: length, type, flags, ... */
function* newHeaders(bytes: Buffer): Generator<Step> {
  for (let at: number = FIRST_HEADER.new; ;) {
    const reader = new NumberReader(bytes, at + 4);
    const length = reader.next();
    const end = reader.at + length;
    if (length === 0 || length > MAX_HEADER_BYTES || end > bytes.length) {
      yield 'cut';
      return;
    }
    const [type, flags] = [reader.next(), reader.next()];
    const extraBytes = (flags & 1) === 0 ? 0 : Math.min(reader.next(), length);
    const data = (flags & 2) === 0 ? 0 : reader.next();
    if (type === 4) yield 'encrypted';
    if (type === 5) return;
    // Parts of a member that lies in several volumes are no file.
    const isPart = (flags & 0x18) !== 0;
    if (type === 2) yield newEntry(reader, bytes.subarray(end - extraBytes, end), data, isPart);
    at = end + data;
  }
}

function newEntry(
  reader: NumberReader,
  extra: Buffer,
  storedBytes: number,
  isPart: boolean,
): ProgramEntry {
  const flags = reader.next();
  const bytes = reader.next();
  reader.next();
  if ((flags & 2) !== 0) reader.skip(4);
  const crc32 = (flags & 4) === 0 ? undefined : reader.fixed();
  reader.next();
  reader.next();
  const name = reader.text(reader.next());
  const records = extraRecords(extra);
  const isFolder = (flags & 1) !== 0;
  return {
    name,
    bytes,
    storedBytes,
    kind: isFolder ? 'folder' : records.has(5) ? 'link' : isPart ? 'other' : 'file',
    encrypted: records.has(1),
    ...(crc32 === undefined ? {} : { crc32 }),
  };
}

/** Types of the records: 1 encryption, 5 a link of some kind. */
function extraRecords(extra: Buffer): Set<number> {
  const types = new Set<number>();
  for (let at = 0; at < extra.length;) {
    const reader = new NumberReader(extra, at);
    const length = reader.next();
    if (length === 0) break;
    at = reader.at + length;
    types.add(reader.next());
  }
  return types;
}

class NumberReader {
  constructor(
    private readonly bytes: Buffer,
    public at: number,
  ) {}

  next(): number {
    let value = 0;
    for (let step = 0; step < 8; step++) {
      const byte = this.bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * 2 ** (7 * step);
      if ((byte & 0x80) === 0) return value;
    }
    return value;
  }

  fixed(): number {
    const value = this.at + 4 <= this.bytes.length ? this.bytes.readUInt32LE(this.at) : 0;
    this.skip(4);
    return value;
  }

  skip(count: number): void {
    this.at += count;
  }

  text(length: number): string {
    return decodeText(this.bytes.subarray(this.at, this.at + length)).text;
  }
}
