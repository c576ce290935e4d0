import { Unreadable } from '../rendering';
import { type BitmapHeader, readBitmapHeader } from './bitmap-header';
import { unpackRuns } from './run-lengths';

/** Raw pixels as sharp takes them, on white where the picture is transparent. */
export interface Bitmap {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 3;
  /** The data ends early; what is missing has the first color. */
  readonly isCut: boolean;
}

const FILE_HEADER_BYTES = 14;

/** Decodes a Windows or OS/2 bitmap of any number of bits, plain or packed in runs. Throws `Unreadable`. */
export function decodeBitmap(bytes: Buffer): Bitmap {
  const dib = bytes.subarray(FILE_HEADER_BYTES);
  return decodePixels(
    dib,
    readBitmapHeader(dib, false),
    bytes.readUInt32LE(10) - FILE_HEADER_BYTES,
  );
}

/** A bitmap's header that says: what follows is a JPEG or a PNG. */
const PACKED_AS: ReadonlyMap<number, Buffer> = new Map([
  [4, Buffer.from([0xff, 0xd8, 0xff])],
  [5, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
]);

/** The JPEG or PNG that a bitmap holds instead of pixels; `undefined` for others. Throws `Unreadable`. */
export function packedPicture(bytes: Buffer): Buffer | undefined {
  if (bytes.length < FILE_HEADER_BYTES + 40 || bytes.readUInt32LE(FILE_HEADER_BYTES) < 40)
    return undefined;
  const begin = PACKED_AS.get(bytes.readUInt32LE(FILE_HEADER_BYTES + 16));
  if (!begin) return undefined;
  const picture = bytes.subarray(bytes.readUInt32LE(10));
  if (!picture.subarray(0, begin.length).equals(begin))
    throw new Unreadable('corrupt', 'the picture is not packed as its header says');
  return picture;
}

/** Decodes a picture of an icon: no file header, a mask of what is transparent behind it. Throws `Unreadable`. */
export function decodeIconBitmap(dib: Buffer): Bitmap {
  const header = readBitmapHeader(dib, true);
  const { width, height, bits, end } = header;
  const stride = lineBytes(width, bits);
  const hasAlpha = bits === 32 && isAnySet(dib.subarray(end, end + stride * height), 3, 4);
  const masks = hasAlpha
    ? header.masks
    : ([header.masks[0], header.masks[1], header.masks[2], 0] as const);
  const bitmap = decodePixels(dib, { ...header, masks }, end);
  if (hasAlpha) return bitmap;
  const mask = dib.subarray(end + stride * height);
  const maskStride = lineBytes(width, 1);
  for (let line = 0; line < height; line++)
    for (let column = 0; column < width; column++) {
      const byte = mask[(height - 1 - line) * maskStride + (column >> 3)] ?? 0;
      const target = (line * width + column) * 3;
      if (((byte >> (7 - (column & 7))) & 1) === 1) bitmap.pixels.fill(255, target, target + 3);
    }
  return bitmap;
}

function isAnySet(bytes: Buffer, from: number, step: number): boolean {
  for (let at = from; at < bytes.length; at += step) if (bytes[at] !== 0) return true;
  return false;
}

/** Lines are filled up to four bytes. */
function lineBytes(width: number, bits: number): number {
  return Math.ceil((width * bits) / 32) * 4;
}

function decodePixels(dib: Buffer, header: BitmapHeader, from: number): Bitmap {
  const { width, height, bits, packing } = header;
  const data = dib.subarray(Math.max(0, from));
  if (packing === 'none' && lineBytes(width, bits) * height > data.length)
    throw new Unreadable('corrupt', 'the picture ends before its last line');
  const runs = packing === 'none' ? undefined : unpackRuns(data, width, height, packing);
  const [lines, stride, depth] = runs
    ? [runs.indices, width, 8]
    : [data, lineBytes(width, bits), bits];
  const pixels = Buffer.alloc(width * height * 3);
  const paint =
    depth <= 8 ? paletteReader(lines, depth, header) : numberReader(lines, depth, header);
  for (let line = 0; line < height; line++) {
    const row = (header.isTopDown ? line : height - 1 - line) * stride;
    for (let column = 0; column < width; column++)
      paint(row, column, pixels, (line * width + column) * 3);
  }
  return { pixels, width, height, channels: 3, isCut: runs?.isCut === true };
}

type Painter = (row: number, column: number, pixels: Buffer, target: number) => void;

/** Stored as blue, green, red. */
function paletteReader(data: Uint8Array, bits: number, header: BitmapHeader): Painter {
  const { palette, paletteStep } = header;
  const [perByte, mask] = [8 / bits, 2 ** bits - 1];
  return (row, column, pixels, target) => {
    const byte = data[row + Math.floor(column / perByte)] ?? 0;
    const at = ((byte >> ((perByte - 1 - (column % perByte)) * bits)) & mask) * paletteStep;
    pixels[target] = palette[at + 2] ?? 0;
    pixels[target + 1] = palette[at + 1] ?? 0;
    pixels[target + 2] = palette[at] ?? 0;
  };
}

function numberReader(data: Uint8Array, bits: number, { masks }: BitmapHeader): Painter {
  const bytes = bits / 8;
  const [red, green, blue, alpha] = masks.map(channelOf) as [Channel, Channel, Channel, Channel];
  const isOpaque = masks[3] === 0;
  return (row, column, pixels, target) => {
    const at = row + column * bytes;
    let value = 0;
    for (let index = bytes - 1; index >= 0; index--) value = (value << 8) | (data[at + index] ?? 0);
    const opacity = isOpaque ? 255 : alpha(value);
    pixels[target] = onWhite(red(value), opacity);
    pixels[target + 1] = onWhite(green(value), opacity);
    pixels[target + 2] = onWhite(blue(value), opacity);
  };
}

function onWhite(color: number, opacity: number): number {
  return opacity === 255 ? color : Math.round((color * opacity) / 255 + 255 - opacity);
}

type Channel = (value: number) => number;

/** What a mask picks out of a pixel's number, from 0 to 255; 0 for no mask. */
function channelOf(mask: number): Channel {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  return (value) => Math.round((((value & mask) >>> shift) * 255) / most);
}
