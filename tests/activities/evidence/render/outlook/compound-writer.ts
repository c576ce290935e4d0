/** A folder of a compound file: streams and folders by name. */
export interface Folder {
  readonly [name: string]: Buffer | Folder;
}

interface Entry {
  readonly name: string;
  readonly content: Buffer | Folder;
  child: number;
  right: number;
  start: number;
}

const NONE = 0xffffffff;
const END = 0xfffffffe;
const SECTOR = 512;
const SMALL = 64;
const SMALL_LIMIT = 4_096;

/** An OLE compound file of version 3, of at most 109 table sectors. */
export function compoundFile(root: Folder): Buffer {
  const entries: Entry[] = [
    { name: 'Root Entry', content: root, child: NONE, right: NONE, start: END },
  ];
  const list = (parent: Entry): void => {
    // Shorter names come first; each has the next one at its right.
    const names = Object.keys(parent.content).sort(
      (left, right) => left.length - right.length || (left < right ? -1 : 1),
    );
    let before: Entry | undefined;
    for (const name of names) {
      const content = (parent.content as Folder)[name] ?? Buffer.alloc(0);
      const entry: Entry = { name, content, child: NONE, right: NONE, start: END };
      if (before) before.right = entries.length;
      else parent.child = entries.length;
      entries.push(entry);
      before = entry;
      if (!Buffer.isBuffer(content)) list(entry);
    }
  };
  list(entries[0] as Entry);

  const sectors: Buffer[] = [];
  const table: number[] = [];
  const put = (content: Buffer): number => {
    if (content.length === 0) return END;
    const start = sectors.length;
    const count = Math.ceil(content.length / SECTOR);
    for (let index = 0; index < count; index++) {
      const sector = Buffer.alloc(SECTOR);
      content.copy(sector, 0, index * SECTOR, index * SECTOR + SECTOR);
      sectors.push(sector);
      table.push(index === count - 1 ? END : start + index + 1);
    }
    return start;
  };
  const small: Buffer[] = [];
  const smallTable: number[] = [];
  for (const entry of entries) {
    if (!Buffer.isBuffer(entry.content) || entry.content.length === 0) continue;
    if (entry.content.length >= SMALL_LIMIT) entry.start = put(entry.content);
    else {
      entry.start = small.length;
      const count = Math.ceil(entry.content.length / SMALL);
      for (let index = 0; index < count; index++) {
        const piece = Buffer.alloc(SMALL);
        entry.content.copy(piece, 0, index * SMALL, index * SMALL + SMALL);
        small.push(piece);
        smallTable.push(index === count - 1 ? END : entry.start + index + 1);
      }
    }
  }
  const smallStart = put(Buffer.concat(small));
  const smallTableStart = put(numbers(smallTable));
  const directory = Buffer.concat(
    entries.map((entry, index) => described(entry, index === 0, smallStart, small.length * SMALL)),
  );
  const directoryStart = put(directory);
  let tableSectors = 1;
  while (tableSectors * 128 < sectors.length + tableSectors) tableSectors++;
  const tableStart = sectors.length;
  for (let index = 0; index < tableSectors; index++) table.push(0xfffffffd);
  const header = Buffer.alloc(SECTOR, 0xff);
  header.fill(0, 0, 0x4c);
  header.write('d0cf11e0a1b11ae1', 'hex');
  for (const [at, value] of [
    ...([
      [0x18, 0x3e],
      [0x1a, 3],
      [0x1c, 0xfffe],
      [0x1e, 9],
      [0x20, 6],
    ] as const),
  ])
    header.writeUInt16LE(value, at);
  for (const [at, value] of [
    ...([
      [0x2c, tableSectors],
      [0x30, directoryStart],
      [0x38, SMALL_LIMIT],
    ] as const),
    ...([
      [0x3c, smallTableStart],
      [0x40, Math.ceil(smallTable.length / 128)],
    ] as const),
    ...([
      [0x44, END],
      [0x48, 0],
    ] as const),
  ])
    header.writeUInt32LE(value, at);
  for (let index = 0; index < tableSectors; index++)
    header.writeUInt32LE(tableStart + index, 0x4c + index * 4);
  return Buffer.concat([header, ...sectors, padded(numbers(table), tableSectors * SECTOR)]);
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(values.length / 128) * SECTOR, 0xff);
  values.forEach((value, index) => bytes.writeUInt32LE(value, index * 4));
  return bytes;
}

function padded(bytes: Buffer, length: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(length - bytes.length, 0xff)]);
}

function described(entry: Entry, isRoot: boolean, smallStart: number, smallBytes: number): Buffer {
  const bytes = Buffer.alloc(128);
  const length = bytes.write(entry.name, 'utf16le');
  bytes.writeUInt16LE(length + 2, 64);
  bytes[66] = isRoot ? 5 : Buffer.isBuffer(entry.content) ? 2 : 1;
  bytes[67] = 1;
  bytes.writeUInt32LE(NONE, 68);
  bytes.writeUInt32LE(entry.right, 72);
  bytes.writeUInt32LE(entry.child, 76);
  bytes.writeUInt32LE(isRoot ? smallStart : Buffer.isBuffer(entry.content) ? entry.start : 0, 116);
  const size = isRoot ? smallBytes : Buffer.isBuffer(entry.content) ? entry.content.length : 0;
  bytes.writeUInt32LE(size, 120);
  return bytes;
}
