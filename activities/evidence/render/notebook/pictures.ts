import sharp from 'sharp';
import { readSvg } from '../image/svg';
import { RENDER_LIMITS } from '../limits';
import { messageOf } from '../package';
import { type Rendering } from '../rendering';
import { type NotebookPicture } from './cells';

/** Time for one picture of many. */
const PICTURE_SECONDS = 10;

/** A picture within a text file as the next page. One that cannot be shown is a warning. */
export async function addPicture(
  { mediaType, bytes }: NotebookPicture,
  source: string,
  rendering: Rendering,
): Promise<void> {
  rendering.count('images');
  if (rendering.pages.length >= RENDER_LIMITS.pages) {
    rendering.truncate(`pictures beyond the first ${RENDER_LIMITS.pages} are left out`);
    return;
  }
  if ((rendering.counts['picturesNotShown'] ?? 0) >= RENDER_LIMITS.pages) {
    rendering.truncate(`after ${RENDER_LIMITS.pages} broken pictures no further one is tried`);
    return;
  }
  try {
    const input = mediaType === 'image/svg+xml' ? Buffer.from(readSvg(bytes).source) : bytes;
    const { data, info } = await sharp(input, { limitInputPixels: RENDER_LIMITS.imagePixels })
      .rotate()
      .resize(RENDER_LIMITS.imageEdgePixels, RENDER_LIMITS.imageEdgePixels, {
        fit: 'inside',
        withoutEnlargement: true,
      })
      .flatten({ background: 'white' })
      .timeout({ seconds: PICTURE_SECONDS })
      .jpeg({ quality: 85 })
      .toBuffer({ resolveWithObject: true });
    rendering.pages.push({
      page: rendering.pages.length + 1,
      jpeg: data,
      widthPixels: info.width,
      heightPixels: info.height,
      source,
    });
  } catch (error) {
    rendering.count('picturesNotShown');
    rendering.warn(`a picture of ${source} cannot be shown: ${messageOf(error).slice(0, 200)}`);
  }
}
