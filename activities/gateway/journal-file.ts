import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { type JournalFrame } from './journal-frames';

/** Before each frame: length and CRC-32 of its JSON, both 32-bit little-endian. */
const HEADER_BYTES = 8;
/** A request of 64 MiB as base64 in JSON, with room; a longer length is taken for damage. */
const LONGEST_FRAME_BYTES = 256 * 1024 ** 2;

/** Where a frame lies in the file. */
export interface FramePlace {
  readonly offset: number;
  readonly length: number;
}

function encode(frame: JournalFrame): Buffer {
  const json = Buffer.from(JSON.stringify(frame));
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt32LE(json.length, 0);
  header.writeUInt32LE(crc32(json), 4);
  return Buffer.concat([header, json]);
}

interface Scanned {
  /** Offset behind the last whole frame. */
  readonly end: number;
  /** More than a torn append lies behind it: what once was a whole frame has changed. */
  readonly isDamaged: boolean;
}

/** Calls `visit` for each whole frame from `from` on. */
function scan(
  descriptor: number,
  from: number,
  visit: (frame: JournalFrame, place: FramePlace, raw: Buffer) => void,
): Scanned {
  const size = fstatSync(descriptor).size;
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  let offset = from;
  while (offset + HEADER_BYTES <= size) {
    readFully(descriptor, header, offset);
    const length = header.readUInt32LE(0);
    // Zeros are what a crashed host may leave; they would pass as an empty frame.
    if (length === 0) break;
    if (length > LONGEST_FRAME_BYTES) return { end: offset, isDamaged: true };
    if (offset + HEADER_BYTES + length > size) break;
    const json = Buffer.allocUnsafe(length);
    readFully(descriptor, json, offset + HEADER_BYTES);
    if (crc32(json) !== header.readUInt32LE(4)) return { end: offset, isDamaged: true };
    const place = { offset, length: HEADER_BYTES + length };
    visit(JSON.parse(json.toString('utf8')) as JournalFrame, place, json);
    offset += place.length;
  }
  return { end: offset, isDamaged: false };
}

function readFully(descriptor: number, target: Buffer, position: number): void {
  let done = 0;
  while (done < target.length) {
    const count = readSync(descriptor, target, done, target.length - done, position + done);
    if (count === 0)
      throw new Error(`the journal ended at byte ${position + done} while it was read`);
    done += count;
  }
}

/** An attempt's journal, open for appending by the one gateway process. */
export class JournalFile {
  private constructor(
    private readonly descriptor: number,
    private end: number,
  ) {}

  /** Opens or creates; a torn tail is cut off, damage too, and noted. `visit` sees every whole frame. */
  static open(path: string, visit: (frame: JournalFrame, place: FramePlace) => void): JournalFile {
    const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      const { end, isDamaged } = scan(descriptor, 0, visit);
      const { size } = fstatSync(descriptor);
      if (size > end) ftruncateSync(descriptor, end);
      const journal = new JournalFile(descriptor, end);
      if (isDamaged) journal.noteDamage(size - end, visit);
      return journal;
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  /**
   * Appends frames in one write, complete when it returns (in the kernel: a killed process loses nothing, no fsync).
   * On an error, e.g. a full disk, what was half written is taken back and the error thrown.
   */
  append(frames: readonly JournalFrame[]): readonly FramePlace[] {
    const encoded = frames.map((frame) => encode(frame));
    const bytes = encoded.length === 1 ? (encoded[0] as Buffer) : Buffer.concat(encoded);
    try {
      let done = 0;
      while (done < bytes.length)
        done += writeSync(this.descriptor, bytes, done, bytes.length - done, this.end + done);
    } catch (error) {
      this.takeBack();
      throw error;
    }
    let offset = this.end;
    const places = encoded.map(({ length }) => {
      const place = { offset, length };
      offset += length;
      return place;
    });
    this.end = offset;
    return places;
  }

  private noteDamage(bytes: number, visit: (frame: JournalFrame, place: FramePlace) => void): void {
    const frame: JournalFrame = { t: 'damaged', bytes };
    for (const place of this.append([frame])) visit(frame, place);
  }

  /** What a failed append left; where even that fails, the next open cuts it off as a torn tail. */
  private takeBack(): void {
    try {
      ftruncateSync(this.descriptor, this.end);
    } catch {
      // The append's own error says what is wrong.
    }
  }

  read(place: FramePlace): JournalFrame {
    const json = Buffer.allocUnsafe(place.length - HEADER_BYTES);
    readFully(this.descriptor, json, place.offset + HEADER_BYTES);
    return JSON.parse(json.toString('utf8')) as JournalFrame;
  }

  /** Tears the last append, for fault tests: leaves its first half and nothing more. */
  tear(places: readonly FramePlace[]): void {
    const first = places[0];
    if (first !== undefined)
      ftruncateSync(this.descriptor, first.offset + Math.ceil(first.length / 2));
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** Reads a journal without changing it; a torn tail is left out, damage noted. A missing file has no frames. */
export function readJournal(path: string, visit: (frame: JournalFrame) => void): void {
  withReader(path, (descriptor) => {
    const { end, isDamaged } = scan(descriptor, 0, visit);
    if (isDamaged) visit({ t: 'damaged', bytes: fstatSync(descriptor).size - end });
  });
}

/**
 * The whole frames written since byte `offset`, as they lie in the file, and where to go on. Parts put one behind
 * the other are a journal again. At most `maxBytes` (but at least one frame). @default 16 MiB
 */
export function readJournalBytes(
  path: string,
  offset: number,
  maxBytes = 16 * 1024 ** 2,
): { readonly bytes: Uint8Array; readonly nextOffset: number } {
  const result = withReader(path, (descriptor) => {
    const end = wholeFramesEnd(descriptor, offset, maxBytes);
    const bytes = Buffer.allocUnsafe(end - offset);
    readFully(descriptor, bytes, offset);
    return { bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), nextOffset: end };
  });
  return result ?? { bytes: new Uint8Array(), nextOffset: offset };
}

class Enough extends Error {}

function wholeFramesEnd(descriptor: number, offset: number, maxBytes: number): number {
  let end = offset;
  try {
    scan(descriptor, offset, (_frame, place) => {
      if (end > offset && place.offset + place.length - offset > maxBytes) throw new Enough();
      end = place.offset + place.length;
    });
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return end;
}

function withReader<Result>(path: string, use: (descriptor: number) => Result): Result | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
