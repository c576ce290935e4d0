import { RENDER_LIMITS } from '../limits';
import { Unreadable } from '../rendering';

export interface BitmapHeader {
  readonly width: number;
  readonly height: number;
  readonly isTopDown: boolean;
  readonly bits: number;
  readonly packing: 'none' | 'rle8' | 'rle4';
  /** Red, green, blue, alpha: where each stands in a pixel's number; alpha is 0 where there is none. */
  readonly masks: readonly [number, number, number, number];
  /** Blue, green, red of each index, and how far they lie apart. */
  readonly palette: Buffer;
  readonly paletteStep: number;
  /** Where the header, its masks and its palette end. */
  readonly end: number;
}

const MASKS_16 = [0x7c00, 0x03e0, 0x001f, 0] as const;
const MASKS_32 = [0xff0000, 0x00ff00, 0x0000ff, 0] as const;
/** Of the old kind, with sizes of two bytes. */
const CORE_BYTES = 12;

/** Reads the header that a bitmap or a picture of an icon begins with. Throws `Unreadable`. */
export function readBitmapHeader(dib: Buffer, isIcon: boolean): BitmapHeader {
  const { headerBytes, width, tall, bits, compression, usedColors } = readFields(dib);
  // An icon's height counts its mask as well.
  const height = isIcon ? Math.floor(Math.abs(tall) / 2) : Math.abs(tall);
  if (width <= 0 || height === 0)
    throw new Unreadable('corrupt', 'the picture has no width or no height');
  if (width * height > RENDER_LIMITS.imagePixels)
    throw new Unreadable('refused', `over ${RENDER_LIMITS.imagePixels} pixels`);
  const maskCount = headerBytes === 40 ? ({ 3: 3, 6: 4 }[compression] ?? 0) : 0;
  const paletteAt = headerBytes + maskCount * 4;
  const paletteStep = headerBytes === CORE_BYTES ? 3 : 4;
  const colors = bits > 8 ? 0 : Math.min(usedColors || 2 ** bits, 2 ** bits);
  const end = paletteAt + colors * paletteStep;
  return {
    ...{ width, height, isTopDown: tall < 0, bits, paletteStep, end },
    packing: packingOf(bits, compression),
    masks: masksOf(dib, headerBytes, bits, compression, isIcon),
    palette: dib.subarray(paletteAt, end),
  };
}

interface Fields {
  readonly headerBytes: number;
  readonly width: number;
  /** Below zero: the first line is the highest. */
  readonly tall: number;
  readonly bits: number;
  readonly compression: number;
  readonly usedColors: number;
}

function readFields(dib: Buffer): Fields {
  const headerBytes = dib.length < CORE_BYTES ? 0 : dib.readUInt32LE(0);
  if (headerBytes !== CORE_BYTES && (headerBytes < 40 || headerBytes > 1_024))
    throw new Unreadable('corrupt', 'the picture has a header of an unknown kind');
  if (dib.length < headerBytes)
    throw new Unreadable('corrupt', 'the picture ends within its header');
  if (headerBytes === CORE_BYTES)
    return {
      ...{ headerBytes, compression: 0, usedColors: 0 },
      ...{ width: dib.readUInt16LE(4), tall: dib.readUInt16LE(6), bits: dib.readUInt16LE(10) },
    };
  return {
    headerBytes,
    ...{ width: dib.readInt32LE(4), tall: dib.readInt32LE(8), bits: dib.readUInt16LE(14) },
    ...{ compression: dib.readUInt32LE(16), usedColors: dib.readUInt32LE(32) },
  };
}

function packingOf(bits: number, compression: number): BitmapHeader['packing'] {
  if (compression === 1 && bits === 8) return 'rle8';
  if (compression === 2 && bits === 4) return 'rle4';
  const hasMasks = compression === 3 || compression === 6;
  if (
    compression === 0 ? [1, 4, 8, 16, 24, 32].includes(bits) : hasMasks && [16, 32].includes(bits)
  )
    return 'none';
  throw new Unreadable(
    'unsupported',
    `a bitmap of ${bits} bits with compression ${compression}, which is not decoded: save it as PNG`,
  );
}

function masksOf(
  dib: Buffer,
  headerBytes: number,
  bits: number,
  compression: number,
  isIcon: boolean,
): BitmapHeader['masks'] {
  const isStated = (compression === 3 || compression === 6) && dib.length >= 56;
  if (!isStated) {
    if (bits === 16) return MASKS_16;
    return isIcon && bits === 32 ? [0xff0000, 0x00ff00, 0x0000ff, 0xff000000] : MASKS_32;
  }
  const hasAlpha = compression === 6 || headerBytes >= 56;
  const at = (index: number): number => dib.readUInt32LE(40 + index * 4);
  return [at(0), at(1), at(2), hasAlpha ? at(3) : 0];
}
