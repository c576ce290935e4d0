const BLOCK_BYTES = 512;
const MAX_PAX_BYTES = 64 * 1024;

export interface SplitMember {
  readonly name: string;
  readonly content: Buffer;
  /** Its place among all entries, from 0. */
  readonly index: number;
}

/** What to keep of a stream; the rest is passed over. */
export interface SplitLimits {
  readonly memberBytes: number;
  readonly totalBytes: number;
  readonly streamBytes: number;
}

interface OpenEntry {
  readonly name: string;
  readonly isPax: boolean;
  readonly kept: Buffer[] | undefined;
  /** Bytes still to come: of the content, and of what fills its last block. */
  left: number;
  padding: number;
}

/**
 * Takes the files out of a tar stream as it comes, so that what is too long costs no memory. The stream is one that a
 * program of ours writes (`bsdtar --format pax`): its contents may be hostile, its form is not.
 */
export class TarSplitter {
  readonly members: SplitMember[] = [];
  #header = Buffer.alloc(0);
  #entry: OpenEntry | undefined;
  #longName: string | undefined;
  #index = -1;
  #keptBytes = 0;
  #streamBytes = 0;

  constructor(private readonly limits: SplitLimits) {}

  /** False where no more is wanted. */
  push(chunk: Buffer): boolean {
    this.#streamBytes += chunk.length;
    let rest = chunk;
    while (rest.length > 0) rest = this.#entry ? this.#take(this.#entry, rest) : this.#begin(rest);
    return this.#streamBytes <= this.limits.streamBytes;
  }

  #begin(chunk: Buffer): Buffer {
    const taken = chunk.subarray(0, BLOCK_BYTES - this.#header.length);
    this.#header = Buffer.concat([this.#header, taken]);
    if (this.#header.length === BLOCK_BYTES) {
      const header = this.#header;
      this.#header = Buffer.alloc(0);
      if (header.some((byte) => byte !== 0)) this.#open(header);
    }
    return chunk.subarray(taken.length);
  }

  #open(header: Buffer): void {
    const size = sizeOf(header);
    const type = String.fromCharCode(header[156] ?? 0);
    const isPax = type === 'x' || type === 'g';
    const isFile = type === '0' || type === '\0';
    const { memberBytes, totalBytes } = this.limits;
    const room = isPax ? MAX_PAX_BYTES : Math.min(memberBytes, totalBytes - this.#keptBytes);
    const isKept = (isPax || isFile) && size <= room;
    if (isFile && isKept) this.#keptBytes += size;
    if (!isPax) this.#index++;
    this.#entry = {
      name: this.#longName ?? fieldOf(header, 0, 100),
      isPax,
      kept: isKept ? [] : undefined,
      left: size,
      padding: (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES,
    };
    if (!isPax) this.#longName = undefined;
    if (size === 0) this.#close(this.#entry);
  }

  #take(entry: OpenEntry, chunk: Buffer): Buffer {
    const content = chunk.subarray(0, entry.left);
    if (content.length > 0) entry.kept?.push(content);
    entry.left -= content.length;
    const rest = chunk.subarray(content.length);
    const padding = rest.subarray(0, entry.left === 0 ? entry.padding : 0);
    entry.padding -= padding.length;
    if (entry.left === 0 && entry.padding === 0) this.#close(entry);
    return rest.subarray(padding.length);
  }

  #close({ name, isPax, kept }: OpenEntry): void {
    this.#entry = undefined;
    if (!kept) return;
    const content = Buffer.concat(kept);
    if (isPax) this.#longName = paxPath(content) ?? this.#longName;
    else this.members.push({ name, content, index: this.#index });
  }
}

/** Octal digits, or a binary number where the first bit is set. */
function sizeOf(header: Buffer): number {
  if (((header[124] ?? 0) & 0x80) !== 0) return header.readUIntBE(130, 6);
  return Number.parseInt(fieldOf(header, 124, 12).trim(), 8) || 0;
}

function fieldOf(header: Buffer, from: number, bytes: number): string {
  const field = header.subarray(from, from + bytes);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? bytes : end);
}

/** Records are `<length> <key>=<value>\n`, the length of the whole. */
function paxPath(content: Buffer): string | undefined {
  for (let at = 0; at < content.length;) {
    const length = Number.parseInt(content.toString('latin1', at, at + 12), 10);
    if (!(length > 0)) return undefined;
    const record = content.toString('utf8', at, at + length - 1);
    const value = /^\d+ path=(.*)$/su.exec(record)?.[1];
    if (value !== undefined) return value;
    at += length;
  }
  return undefined;
}
