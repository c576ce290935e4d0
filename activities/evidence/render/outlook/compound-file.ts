import { Unreadable } from '../rendering';

/** A storage (a folder) or a stream (a file) of a compound file. */
export interface CompoundEntry {
  readonly name: string;
  readonly isStream: boolean;
  readonly bytes: number;
  /** First sector, first child, and the two neighbours in the tree of names. */
  readonly start: number;
  readonly child: number;
  readonly left: number;
  readonly right: number;
}

const ENTRY_BYTES = 128;
const MAX_ENTRIES = 20_000;
/** Sector numbers from here on are marks: end of a chain, free, ... */
const FIRST_MARK = 0xfffffffa;
/** Numbers of the table's sectors that the header holds. */
const HEADER_TABLE = 109;

/** Reads the file system within an OLE compound file. Loops and numbers that lead nowhere end what they are part of. */
export class CompoundFile {
  readonly root: CompoundEntry;
  readonly #bytes: Buffer;
  readonly #sectorBytes: number;
  readonly #next: Uint32Array;
  readonly #entries: readonly CompoundEntry[];
  readonly #smallNext: Uint32Array;
  readonly #smallData: Buffer;

  /** Throws `Unreadable` where there is no directory. */
  constructor(bytes: Buffer) {
    const shift = bytes.length < 512 ? 0 : bytes.readUInt16LE(0x1e);
    if (shift !== 9 && shift !== 12)
      throw new Unreadable('corrupt', 'the container has a header of an unknown kind');
    this.#bytes = bytes;
    this.#sectorBytes = 2 ** shift;
    this.#next = this.#numbers(this.#tableSectors());
    this.#entries = this.#readEntries(bytes.readUInt32LE(0x30));
    const root = this.#entries[0];
    if (!root) throw new Unreadable('corrupt', 'the container ends before its directory');
    this.root = root;
    this.#smallNext = this.#numbers(chain(bytes.readUInt32LE(0x3c), this.#next));
    this.#smallData = this.#joined(root.start, root.bytes);
  }

  /** By name, those of a storage; a name twice counts once. */
  children(storage: CompoundEntry): Map<string, CompoundEntry> {
    const found = new Map<string, CompoundEntry>();
    const seen = new Set<number>();
    const waiting = [storage.child];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const entry = this.#entries[id];
      if (!entry || seen.has(id)) continue;
      seen.add(id);
      if (!found.has(entry.name)) found.set(entry.name, entry);
      waiting.push(entry.left, entry.right);
    }
    return found;
  }

  /** What is there of a stream, or its first bytes; short of `entry.bytes` where the file is broken. */
  content(entry: CompoundEntry, most = Infinity): Buffer {
    const bytes = Math.min(entry.bytes, most);
    // Short streams lie in one of the root's, in pieces of 64 bytes.
    if (entry.bytes >= 4_096) return this.#joined(entry.start, bytes);
    const pieces = chain(entry.start, this.#smallNext, Math.ceil(bytes / 64));
    const parts = pieces.map((piece) => this.#smallData.subarray(piece * 64, piece * 64 + 64));
    return Buffer.concat(parts).subarray(0, bytes);
  }

  #sector(number: number): Buffer {
    const from = (number + 1) * this.#sectorBytes;
    return this.#bytes.subarray(from, from + this.#sectorBytes);
  }

  #joined(start: number, bytes: number): Buffer {
    const sectors = chain(start, this.#next, Math.ceil(bytes / this.#sectorBytes));
    return Buffer.concat(sectors.map((each) => this.#sector(each))).subarray(0, bytes);
  }

  #numbers(sectors: readonly number[]): Uint32Array {
    const data = Buffer.concat(sectors.map((each) => this.#sector(each)));
    return Uint32Array.from({ length: data.length >> 2 }, (_, index) =>
      data.readUInt32LE(index * 4),
    );
  }

  /** Sectors of the table of chains: the first ones in the header, others in sectors that name the next such one. */
  #tableSectors(): number[] {
    const most = Math.ceil(this.#bytes.length / this.#sectorBytes);
    const sectors: number[] = [];
    const add = (list: Buffer, count: number): void => {
      for (let index = 0; index < count && index * 4 + 4 <= list.length; index++) {
        const sector = list.readUInt32LE(index * 4);
        if (sector < FIRST_MARK && sectors.length < most) sectors.push(sector);
      }
    };
    add(this.#bytes.subarray(0x4c), HEADER_TABLE);
    const perSector = this.#sectorBytes / 4 - 1;
    let at = this.#bytes.readUInt32LE(0x44);
    for (let step = 0; at < FIRST_MARK && step < most; step++) {
      const list = this.#sector(at);
      if (list.length < this.#sectorBytes) break;
      add(list, perSector);
      at = list.readUInt32LE(perSector * 4);
    }
    return sectors;
  }

  #readEntries(start: number): CompoundEntry[] {
    const most = Math.ceil((MAX_ENTRIES * ENTRY_BYTES) / this.#sectorBytes);
    const sectors = chain(start, this.#next, most);
    const directory = Buffer.concat(sectors.map((each) => this.#sector(each)));
    const entries: CompoundEntry[] = [];
    for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
      const nameBytes = Math.min(64, directory.readUInt16LE(at + 64));
      entries.push({
        name: directory.toString('utf16le', at, at + Math.max(0, nameBytes - 2)),
        isStream: directory[at + 66] === 2,
        left: directory.readUInt32LE(at + 68),
        right: directory.readUInt32LE(at + 72),
        child: directory.readUInt32LE(at + 76),
        start: directory.readUInt32LE(at + 116),
        bytes: Math.min(directory.readUInt32LE(at + 120), this.#bytes.length),
      });
    }
    return entries;
  }
}

/** Numbers from one to the next, to a mark, a number beyond the table, or the count that is wanted. */
function chain(start: number, next: Uint32Array, most = next.length): number[] {
  const numbers: number[] = [];
  for (let at = start; at < next.length && numbers.length < Math.min(most, next.length);) {
    numbers.push(at);
    at = next[at] ?? FIRST_MARK;
  }
  return numbers;
}
