import sharp from 'sharp';
import { runProgram } from './program';
import { type RenderedPage } from './rendering';

interface PageWords {
  /** Points, before the page is turned. */
  readonly width: number;
  readonly height: number;
  readonly words: readonly Word[];
}

interface Word {
  readonly text: string;
  /** Points from the left and the top of the page as it is shown. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Smaller letters than this are not meant to be read. */
const TINY_POINTS = 3;
/** Difference between the lightest and the darkest pixel below which a box shows nothing. */
const NO_CONTRAST = 10;

/** Words of each page that cannot be seen on its image; words that also occur visibly on the page are not among them. */
export async function hiddenWordsByPage(
  pdfPath: string,
  images: readonly RenderedPage[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const hidden = new Map<number, ReadonlySet<string>>();
  const last = images.at(-1)?.page;
  if (last === undefined) return hidden;
  const end = await runProgram('pdftotext', [
    '-bbox',
    '-l',
    String(last),
    '-enc',
    'UTF-8',
    pdfPath,
    '-',
  ]);
  const pages = parseBoxes(end.standardOutput.toString('utf8'));
  for (const { page, jpeg } of images) {
    const listed = pages[page - 1];
    if (!listed || listed.words.length === 0) continue;
    const unseen = await unseenWords(listed, jpeg);
    if (unseen.size > 0) hidden.set(page, unseen);
  }
  return hidden;
}

async function unseenWords(
  { width, height, words }: PageWords,
  jpeg: Uint8Array,
): Promise<ReadonlySet<string>> {
  const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true });
  // Words lie on the page as it is shown, but its stated size is that before a quarter turn.
  const isTurned = Math.abs(info.width / info.height - width / height) > 0.02;
  const [shownWidth, shownHeight] = isTurned ? [height, width] : [width, height];
  const raster = {
    pixels: data,
    width: info.width,
    height: info.height,
    perPointAcross: info.width / shownWidth,
    perPointDown: info.height / shownHeight,
  };
  const seen = new Set<string>();
  const unseen = new Set<string>();
  for (const word of words) {
    const visible = word.bottom - word.top >= TINY_POINTS && hasMark(word, raster);
    (visible ? seen : unseen).add(word.text);
  }
  for (const text of seen) unseen.delete(text);
  return unseen;
}

interface Raster {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly perPointAcross: number;
  readonly perPointDown: number;
}

function hasMark(word: Word, raster: Raster): boolean {
  const { pixels, width, height, perPointAcross, perPointDown } = raster;
  const left = Math.max(0, Math.floor(word.left * perPointAcross));
  const right = Math.min(width, Math.ceil(word.right * perPointAcross));
  const top = Math.max(0, Math.floor(word.top * perPointDown));
  const bottom = Math.min(height, Math.ceil(word.bottom * perPointDown));
  let [low, high] = [255, 0];
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const value = pixels[y * width + x] ?? 0;
      if (value < low) low = value;
      if (value > high) high = value;
      if (high - low >= NO_CONTRAST) return true;
    }
  return false;
}

/** Reads poppler's list of word boxes, page by page. */
function parseBoxes(html: string): PageWords[] {
  return html
    .split('<page ')
    .slice(1)
    .map((page) => {
      const size = /^width="([\d.]+)" height="([\d.]+)"/u.exec(page);
      const words = page.matchAll(
        /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)<\/word>/gu,
      );
      return {
        width: Number(size?.[1] ?? 1),
        height: Number(size?.[2] ?? 1),
        words: [...words].map(([, left, top, right, bottom, text]) => ({
          text: unescapeHtml(text ?? ''),
          left: Number(left),
          top: Number(top),
          right: Number(right),
          bottom: Number(bottom),
        })),
      };
    });
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
