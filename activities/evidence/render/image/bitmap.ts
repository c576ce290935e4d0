import { RENDER_LIMITS } from '../limits';
import { Unreadable } from '../rendering';

/** Raw pixels as sharp takes them. */
export interface Bitmap {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 3;
}

const FILE_HEADER_BYTES = 14;

/** Decodes an uncompressed Windows bitmap of 1, 4, 8, 24 or 32 bits. Throws `Unreadable`. */
export function decodeBitmap(bytes: Buffer): Bitmap {
  const { width, height, isTopDown, bits, dataOffset, palette } = readHeader(bytes);
  const stride = Math.ceil((width * bits) / 32) * 4;
  if (dataOffset + stride * height > bytes.length)
    throw new Unreadable('corrupt', 'the picture ends before its last line');
  const pixels = Buffer.alloc(width * height * 3);
  for (let line = 0; line < height; line++) {
    const row = dataOffset + (isTopDown ? line : height - 1 - line) * stride;
    for (let column = 0; column < width; column++) {
      const source =
        bits >= 24
          ? bytes.subarray(row + column * (bits / 8))
          : palette(indexAt(bytes, row, column, bits));
      const target = (line * width + column) * 3;
      // Stored as blue, green, red.
      pixels[target] = source[2] ?? 0;
      pixels[target + 1] = source[1] ?? 0;
      pixels[target + 2] = source[0] ?? 0;
    }
  }
  return { pixels, width, height, channels: 3 };
}

function indexAt(bytes: Buffer, row: number, column: number, bits: number): number {
  const perByte = 8 / bits;
  const byte = bytes[row + Math.floor(column / perByte)] ?? 0;
  return (byte >> ((perByte - 1 - (column % perByte)) * bits)) & (2 ** bits - 1);
}

function readHeader(bytes: Buffer): {
  readonly width: number;
  readonly height: number;
  readonly isTopDown: boolean;
  readonly bits: number;
  readonly dataOffset: number;
  readonly palette: (index: number) => Buffer;
} {
  if (bytes.length < 54) throw new Unreadable('corrupt', 'the picture ends within its header');
  const headerBytes = bytes.readUInt32LE(FILE_HEADER_BYTES);
  const [width, tall] = [bytes.readInt32LE(18), bytes.readInt32LE(22)];
  const [bits, compression] = [bytes.readUInt16LE(28), bytes.readUInt32LE(30)];
  const height = Math.abs(tall);
  if (headerBytes < 40 || width <= 0 || height === 0)
    throw new Unreadable('corrupt', 'the picture has a header of an unknown kind');
  if (width * height > RENDER_LIMITS.imagePixels)
    throw new Unreadable('refused', `over ${RENDER_LIMITS.imagePixels} pixels`);
  const isPlain = compression === 0 || (compression === 3 && bits === 32);
  if (!isPlain || ![1, 4, 8, 24, 32].includes(bits))
    throw new Unreadable('unsupported', `a bitmap of ${bits} bits with compression ${compression}`);
  const paletteAt = FILE_HEADER_BYTES + headerBytes;
  return {
    width,
    height,
    isTopDown: tall < 0,
    bits,
    dataOffset: bytes.readUInt32LE(10),
    palette: (index) => bytes.subarray(paletteAt + index * 4, paletteAt + index * 4 + 3),
  };
}
