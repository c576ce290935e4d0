import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { addOfficePages } from '../add-pages';
import { addMetadata } from '../metadata';
import { RENDER_LIMITS } from '../limits';
import { messageOf } from '../package';
import { type RenderContext, needed } from '../render-context';
import { type Rendering, Unreadable } from '../rendering';
import { type ImageKind } from '../sniff';
import { type Bitmap, decodeBitmap, decodeIconBitmap, packedPicture } from './bitmap';
import { heicPicture } from './heic';
import { iconPictures } from './icon';
import { addSvgText, readSvg } from './svg';

type SharpInput = Parameters<typeof sharp>[0];
type SharpOptions = NonNullable<Parameters<typeof sharp>[1]>;

/**
 * A picture as page 1: upright, at most 2,000 pixels wide and high, on white; every page of a TIFF. The bytes
 * are read from memory, never by path, so that no file beside them can be drawn in. Throws `Unreadable`.
 */
export async function readPicture(
  sourcePath: string,
  kind: ImageKind,
  context: RenderContext,
): Promise<void> {
  const rendering = context.started('image');
  const bytes = await readFile(sourcePath);
  switch (kind) {
    case 'raster':
      return decode(bytes, {}, rendering);
    case 'svg': {
      const drawing = readSvg(bytes);
      addSvgText(drawing, rendering);
      return decode(Buffer.from(drawing.source), {}, rendering);
    }
    case 'bmp': {
      const packed = packedPicture(bytes);
      if (packed) await decode(packed, {}, rendering);
      else await drawBitmap(decodeBitmap(bytes), rendering);
      rendering.facts['imageFormat'] = 'bmp';
      return undefined;
    }
    case 'icon':
      return drawIcon(bytes, rendering);
    case 'drawing': {
      rendering.facts['imageFormat'] = 'drawing';
      const pages = { extension: drawingExtension(bytes), filter: 'pdf:draw_pdf_Export' };
      const drawn = { ...pages, sources: [] };
      await addOfficePages(sourcePath, drawn, rendering, needed(context.tools));
      return undefined;
    }
    case 'heic':
      rendering.facts['imageFormat'] = 'heic';
      await decode(await heicPicture(sourcePath, needed(context.tools).scratch), {}, rendering);
      rendering.facts['imageFormat'] = 'heic';
      return undefined;
  }
}

async function drawBitmap({ pixels, isCut, ...raw }: Bitmap, rendering: Rendering): Promise<void> {
  if (isCut) rendering.truncate('the picture ends before its last line');
  await decode(pixels, { raw }, rendering);
}

/** The largest of an icon's pictures that can be drawn. */
async function drawIcon(bytes: Buffer, rendering: Rendering): Promise<void> {
  const pictures = iconPictures(bytes);
  rendering.facts['imageFormat'] = 'icon';
  rendering.counts['pictures'] = pictures.length;
  rendering.facts['pictureSizes'] = pictures
    .slice(0, 20)
    .map(({ width, height }) => `${width} x ${height}`)
    .join(', ');
  for (const [index, { content, isPng }] of pictures.entries())
    try {
      if (isPng) await decode(content, {}, rendering);
      else await drawBitmap(decodeIconBitmap(content), rendering);
      rendering.facts['imageFormat'] = 'icon';
      return;
    } catch (error) {
      if (!(error instanceof Unreadable) || index === pictures.length - 1) throw error;
      rendering.truncate(`a picture of the icon is left out: ${error.reason}`);
    }
}

function drawingExtension(bytes: Buffer): string {
  if (bytes.toString('latin1', 0, 4) === '8BPS') return 'psd';
  return bytes.readUInt32LE(0) === 0x9ac6cdd7 ? 'wmf' : 'emf';
}

async function decode(bytes: SharpInput, input: SharpOptions, rendering: Rendering): Promise<void> {
  const options = { ...input, limitInputPixels: RENDER_LIMITS.imagePixels };
  try {
    const metadata = await sharp(bytes, options).metadata();
    noteMetadata(metadata, rendering);
    const frames = metadata.format === 'png' && Buffer.isBuffer(bytes) ? framesOfPng(bytes) : 1;
    if (frames > 1) {
      rendering.counts['frames'] = frames;
      rendering.warn(`an animation of ${frames} frames: the first one is shown`);
    }
    const isPaged = metadata.format === 'tiff';
    const total = metadata.pages ?? 1;
    const numbers = isPaged ? firstOnes(total, RENDER_LIMITS.pages) : spread(total, MAX_FRAMES);
    rendering.counts['pages'] = isPaged ? total : numbers.length;
    if (isPaged && numbers.length < total)
      rendering.truncate(`page images of pages ${numbers.length + 1} to ${total} are left out`);
    for (const [index, number] of numbers.entries()) {
      const picture = sharp(bytes, total > 1 ? { ...options, page: number } : options);
      const source = isPaged || total === 1 ? {} : { source: `frame ${number + 1}` };
      await addPage(picture, { page: index + 1, ...source }, rendering);
    }
  } catch (error) {
    const message = messageOf(error);
    if (/pixel limit/u.test(message))
      throw new Unreadable('refused', `over ${RENDER_LIMITS.imagePixels} pixels`);
    if (/timeout/u.test(message))
      throw new Unreadable('refused', 'drawing the picture was stopped at its time limit');
    throw new Unreadable('corrupt', `the picture cannot be decoded: ${message.slice(0, 200)}`);
  }
}

/** Frames that an animated PNG announces, which our library takes for one of a single picture. */
function framesOfPng(bytes: Buffer): number {
  for (let at = 8; at + 12 <= bytes.length;) {
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (kind === 'acTL') return bytes.readUInt32BE(at + 8);
    if (kind === 'IDAT') return 1;
    at += 12 + bytes.readUInt32BE(at);
  }
  return 1;
}

/** Frames of an animation that are shown. */
const MAX_FRAMES = 8;

function firstOnes(total: number, most: number): number[] {
  return Array.from({ length: Math.min(total, most) }, (_, at) => at);
}

/** Numbers from the first to the last, as evenly as they go. */
function spread(total: number, most: number): number[] {
  if (total <= most) return firstOnes(total, most);
  return firstOnes(most, most).map((at) => Math.round((at * (total - 1)) / (most - 1)));
}

async function addPage(
  picture: ReturnType<typeof sharp>,
  page: { readonly page: number; readonly source?: string },
  rendering: Rendering,
): Promise<void> {
  const { data, info } = await picture
    .rotate()
    .resize(RENDER_LIMITS.imageEdgePixels, RENDER_LIMITS.imageEdgePixels, {
      fit: 'inside',
      withoutEnlargement: true,
    })
    .flatten({ background: 'white' })
    .timeout({ seconds: RENDER_LIMITS.programMs / 1000 })
    .jpeg({ quality: 85 })
    .toBuffer({ resolveWithObject: true });
  rendering.pages.push({
    ...{ ...page, jpeg: data, widthPixels: info.width, heightPixels: info.height },
  });
}

type Metadata = Awaited<ReturnType<ReturnType<typeof sharp>['metadata']>>;

function noteMetadata(metadata: Metadata, rendering: Rendering): void {
  const { format, autoOrient, orientation, pages, hasAlpha, density } = metadata;
  rendering.facts['imageFormat'] = metadata.mediaType === 'image/avif' ? 'avif' : format;
  // As a viewer shows it: upright.
  rendering.counts['widthPixels'] = autoOrient.width;
  rendering.counts['heightPixels'] = metadata.pageHeight ?? autoOrient.height;
  if (orientation !== undefined && orientation !== 1) rendering.facts['orientation'] = orientation;
  if (density !== undefined) rendering.facts['dotsPerInch'] = density;
  if (hasAlpha) rendering.facts['transparency'] = true;
  if (pages !== undefined && pages > 1 && format !== 'tiff') {
    rendering.counts['frames'] = pages;
    if (pages > MAX_FRAMES)
      rendering.warn(`an animation of ${pages} frames: ${MAX_FRAMES} of them are shown`);
  }
  addMetadata(
    (metadata.comments ?? []).slice(0, 50).map(({ keyword, text }) => [keyword, text] as const),
    rendering,
  );
}
