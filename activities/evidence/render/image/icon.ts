import { Unreadable } from '../rendering';

export interface IconPicture {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly content: Buffer;
  readonly isPng: boolean;
}

const DIRECTORY_BYTES = 6;
const ENTRY_BYTES = 16;
const MAX_PICTURES = 200;
const PNG_MAGIC = Buffer.from('89504e470d0a1a0a', 'hex');

export function isIcon(head: Buffer): boolean {
  if (head.length < DIRECTORY_BYTES + ENTRY_BYTES || head.readUInt16LE(0) !== 0) return false;
  const [type, count, reserved] = [head.readUInt16LE(2), head.readUInt16LE(4), head[9]];
  const at = head.readUInt32LE(18);
  return (
    (type === 1 || type === 2) &&
    count > 0 &&
    reserved === 0 &&
    at >= DIRECTORY_BYTES + count * ENTRY_BYTES
  );
}

/** The pictures of an icon or a cursor, the largest first, then the one with the most colors. Throws `Unreadable`. */
export function iconPictures(bytes: Buffer): IconPicture[] {
  const count = Math.min(bytes.readUInt16LE(4), MAX_PICTURES);
  const isCursor = bytes.readUInt16LE(2) === 2;
  const pictures: IconPicture[] = [];
  for (let index = 0; index < count; index++) {
    const at = DIRECTORY_BYTES + index * ENTRY_BYTES;
    if (at + ENTRY_BYTES > bytes.length) break;
    const [length, from] = [bytes.readUInt32LE(at + 8), bytes.readUInt32LE(at + 12)];
    const content = bytes.subarray(from, from + length);
    if (content.length < length || content.length < DIRECTORY_BYTES) continue;
    pictures.push({
      // 256 does not fit into the byte.
      width: bytes[at] || 256,
      height: bytes[at + 1] || 256,
      bits: isCursor ? 0 : bytes.readUInt16LE(at + 6),
      content,
      isPng: content.subarray(0, 8).equals(PNG_MAGIC),
    });
  }
  if (pictures.length === 0) throw new Unreadable('corrupt', 'the icon holds no whole picture');
  return pictures.sort(
    (left, right) =>
      right.width * right.height - left.width * left.height || right.bits - left.bits,
  );
}
