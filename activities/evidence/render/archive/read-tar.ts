import { decodeText } from '../decode-text';
import { type Rendering, Unreadable } from '../rendering';
import { addEntries } from './add-entries';
import { ARCHIVE_LIMITS, type ArchiveEntry } from './archive-entry';

const BLOCK_BYTES = 512;

interface TarEntry extends ArchiveEntry {
  readonly content: Uint8Array;
  /** The data ends before the entry does. */
  readonly isCut: boolean;
}

/** A tar archive, of any of its dialects: its list, and its members unpacked. Throws `Unreadable`. */
export async function readTar(bytes: Buffer, rendering: Rendering): Promise<void> {
  rendering.facts['archive'] ??= 'tar';
  const entries = [...tarEntries(bytes, rendering)];
  if (entries.length === 0 && bytes.some((byte) => byte !== 0))
    throw new Unreadable('corrupt', 'not a readable tar archive');
  await addEntries(entries, rendering, ({ content, isCut }) =>
    isCut ? Promise.reject(new Error('cut')) : Promise.resolve(content),
  );
}

export function isTar(bytes: Buffer): boolean {
  return bytes.length >= BLOCK_BYTES && bytes.toString('latin1', 257, 262) === 'ustar';
}

function* tarEntries(bytes: Buffer, rendering: Rendering): Generator<TarEntry> {
  let longName: string | undefined;
  let count = 0;
  for (let at = 0; at + BLOCK_BYTES <= bytes.length;) {
    const header = bytes.subarray(at, at + BLOCK_BYTES);
    if (header.every((byte) => byte === 0)) return;
    const size = numberAt(header, 124, 12);
    if (!hasChecksum(header) || size === undefined) {
      rendering.truncate(`the archive is broken behind its entry ${count}`);
      return;
    }
    const from = at + BLOCK_BYTES;
    const content = bytes.subarray(from, Math.min(from + size, bytes.length));
    at = from + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
    const type = String.fromCharCode(header[156] ?? 0);
    // GNU's long names and pax headers belong to the entry behind them.
    if (type === 'L') longName = textOf(content);
    else if (type === 'x')
      longName = /^\d+ path=(.*)$/mu.exec(content.toString('utf8'))?.[1] ?? longName;
    else if (type !== 'g' && type !== 'K') {
      if (++count > ARCHIVE_LIMITS.listed) {
        rendering.truncate(`only the first ${ARCHIVE_LIMITS.listed} entries are listed`);
        return;
      }
      const name = longName ?? nameOf(header);
      longName = undefined;
      const isCut = content.length < size;
      if (isCut) rendering.truncate('the archive ends within a member');
      yield {
        name: relative(name),
        bytes: size,
        kind: kindOf(type),
        encrypted: false,
        content,
        isCut,
      };
    }
  }
}

/** `./a` is `a`; anything else that leads elsewhere stays as it is, to be refused. */
function relative(name: string): string {
  return name.replace(/^(?:\.\/)+(?=.)/u, '');
}

function kindOf(type: string): ArchiveEntry['kind'] {
  if (type === '0' || type === '\0' || type === '7') return 'file';
  if (type === '5') return 'folder';
  return type === '1' || type === '2' ? 'link' : 'other';
}

function nameOf(header: Buffer): string {
  const name = textOf(header.subarray(0, 100));
  const prefix =
    header.toString('latin1', 257, 263) === 'ustar\0' ? textOf(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function textOf(field: Buffer): string {
  const end = field.indexOf(0);
  return decodeText(end < 0 ? field : field.subarray(0, end)).text;
}

/** Octal digits, or a binary number where the first bit is set. */
function numberAt(header: Buffer, offset: number, length: number): number | undefined {
  const field = header.subarray(offset, offset + length);
  if (((field[0] ?? 0) & 0x80) !== 0) {
    const value = field.subarray(length - 6).readUIntBE(0, 6);
    return Number.isSafeInteger(value) ? value : undefined;
  }
  const digits = field.toString('latin1').replace(/\0.*$/su, '').trim();
  return /^[0-7]*$/u.test(digits) ? Number.parseInt(digits || '0', 8) : undefined;
}

function hasChecksum(header: Buffer): boolean {
  let sum = 0;
  for (let at = 0; at < BLOCK_BYTES; at++) sum += at >= 148 && at < 156 ? 32 : (header[at] ?? 0);
  return sum === numberAt(header, 148, 8);
}
