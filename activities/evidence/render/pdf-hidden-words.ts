import sharp from 'sharp';
import { runProgram } from './program';
import { type RenderedPage } from './rendering';

interface Word {
  readonly text: string;
  /** In parts of the page, 0 to 1. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly heightPoints: number;
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
    const words = pages[page - 1] ?? [];
    if (words.length === 0) continue;
    const unseen = await unseenWords(words, jpeg);
    if (unseen.size > 0) hidden.set(page, unseen);
  }
  return hidden;
}

async function unseenWords(words: readonly Word[], jpeg: Uint8Array): Promise<ReadonlySet<string>> {
  const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true });
  const seen = new Set<string>();
  const unseen = new Set<string>();
  for (const word of words) {
    const visible =
      word.heightPoints >= TINY_POINTS && hasMark(word, data, info.width, info.height);
    (visible ? seen : unseen).add(word.text);
  }
  for (const text of seen) unseen.delete(text);
  return unseen;
}

function hasMark(word: Word, pixels: Uint8Array, width: number, height: number): boolean {
  const [left, right] = [Math.floor(word.left * width), Math.ceil(word.right * width)];
  const [top, bottom] = [Math.floor(word.top * height), Math.ceil(word.bottom * height)];
  let [low, high] = [255, 0];
  for (let y = Math.max(0, top); y < Math.min(height, bottom); y++)
    for (let x = Math.max(0, left); x < Math.min(width, right); x++) {
      const value = pixels[y * width + x] ?? 0;
      if (value < low) low = value;
      if (value > high) high = value;
      if (high - low >= NO_CONTRAST) return true;
    }
  return false;
}

/** Reads poppler's list of word boxes, page by page. */
function parseBoxes(html: string): Word[][] {
  return html
    .split('<page ')
    .slice(1)
    .map((page) => {
      const size = /^width="([\d.]+)" height="([\d.]+)"/u.exec(page);
      const [width, height] = [Number(size?.[1] ?? 1), Number(size?.[2] ?? 1)];
      return [
        ...page.matchAll(
          /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)<\/word>/gu,
        ),
      ].map(([, left, top, right, bottom, text]) => ({
        text: unescapeHtml(text ?? ''),
        left: Number(left) / width,
        top: Number(top) / height,
        right: Number(right) / width,
        bottom: Number(bottom) / height,
        heightPoints: Number(bottom) - Number(top),
      }));
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
