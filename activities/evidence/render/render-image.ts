import sharp from 'sharp';
import { RENDER_LIMITS } from './limits';
import { messageOf } from './package';
import { type Rendering, Unreadable } from './rendering';

/**
 * A picture as page 1: upright, at most 2,000 pixels wide and high, on white. The bytes are read from
 * memory, never by path, so that no file beside them can be drawn in. Throws `Unreadable`.
 */
export async function readImage(bytes: Uint8Array, rendering: Rendering): Promise<void> {
  const options = { limitInputPixels: RENDER_LIMITS.imagePixels };
  try {
    const metadata = await sharp(bytes, options).metadata();
    rendering.facts['imageFormat'] = metadata.format;
    rendering.counts['widthPixels'] = metadata.width;
    rendering.counts['heightPixels'] = metadata.height;
    const { data, info } = await sharp(bytes, options)
      .rotate()
      .resize(RENDER_LIMITS.imageEdgePixels, RENDER_LIMITS.imageEdgePixels, {
        fit: 'inside',
        withoutEnlargement: true,
      })
      .flatten({ background: 'white' })
      .jpeg({ quality: 85 })
      .toBuffer({ resolveWithObject: true });
    rendering.counts['pages'] = 1;
    rendering.pages.push({
      page: 1,
      jpeg: data,
      widthPixels: info.width,
      heightPixels: info.height,
    });
  } catch (error) {
    const message = messageOf(error);
    if (/pixel limit/u.test(message))
      throw new Unreadable('refused', `over ${RENDER_LIMITS.imagePixels} pixels`);
    throw new Unreadable('corrupt', `the picture cannot be decoded: ${message.slice(0, 200)}`);
  }
}
