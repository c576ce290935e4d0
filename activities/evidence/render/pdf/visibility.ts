import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type HiddenCause } from '../../../../core/evidence-view';
import { runProgram } from '../program';
import { type PageRange, type PageWords, type Word, pagesWithPictures } from './poppler';

/** Pages whose words are looked for on the page, at most. */
export const CHECKED_PAGES = 1_000;
/** Pages that are looked at together: their pictures lie in the scratch folder meanwhile. */
const PAGES_AT_ONCE = 100;
/** Smaller letters than this are not meant to be read. */
const TINY_POINTS = 3;
/** Difference between two pixels below which an eye sees none. */
const NO_DIFFERENCE = 10;
const RESOLUTION_DPI = 72;
/** Pages up to which that is so; beyond, half as many pixels must do. */
const FINE_PAGES = 100;
const COARSE_DPI = 50;
/** Pixels a point under which letters of common size leave too little to look for. */
const MIN_SCALE = 0.3;
/** Long edge beyond which a page is drawn smaller, in points and pixels. */
const LARGE = 1_500;

/** Why each word of a page is not seen, in the order of its words; `undefined` for those that are. */
export type WordCauses = readonly (HiddenCause | undefined)[];

interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Runs of pages that one look takes, up to the last one that is looked at. */
export function rangesOf(pages: number): PageRange[] {
  const last = Math.min(pages, CHECKED_PAGES);
  return Array.from({ length: Math.ceil(last / PAGES_AT_ONCE) }, (_, at) => ({
    first: at * PAGES_AT_ONCE + 1,
    last: Math.min(last, (at + 1) * PAGES_AT_ONCE),
  }));
}

/**
 * Looks for the marks that words leave: what of a page changes when its text is not drawn. White words, words
 * under a picture, clipped ones and those drawn invisibly change nothing.
 *
 * @param silentPath the same file without text; where there is none, a word counts as seen where its box is not
 * of one colour, which cannot tell words under or over pictures
 * @param pages the words of the pages from the range's first one on
 */
export async function findUnseenWords(
  pdfPath: string,
  silentPath: string | undefined,
  { first, pages }: { readonly first: number; readonly pages: readonly PageWords[] },
  scratch: string,
): Promise<WordCauses[]> {
  if (pages.every(({ words }) => words.length === 0)) return pages.map(() => []);
  const folder = await mkdtemp(join(scratch, 'words-'));
  try {
    const [drawn, silent, pictures] = await Promise.all([
      rasterize(pdfPath, join(folder, 'drawn'), first, pages),
      silentPath === undefined
        ? undefined
        : rasterize(silentPath, join(folder, 'silent'), first, pages),
      pagesWithPictures(pdfPath, { first, last: first + pages.length - 1 }),
    ]);
    const causes: WordCauses[] = [];
    for (const [index, page] of pages.entries()) {
      const number = first + index;
      const [image, without] = [await drawn.read(number), await silent?.read(number)];
      causes.push(
        image ? causesOf(page, image, without, pictures.has(number)) : page.words.map(tinyCause),
      );
    }
    return causes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function causesOf(
  page: PageWords,
  image: Raster,
  without: Raster | undefined,
  hasPicture: boolean,
): WordCauses {
  // Words lie on the page as it is shown, but its stated size is that before a quarter turn.
  const isTurned = Math.abs(image.width / image.height - page.width / page.height) > 0.02;
  const [width, height] = isTurned ? [page.height, page.width] : [page.width, page.height];
  const [across, down] = [image.width / width, image.height / height];
  if (Math.min(across, down) < MIN_SCALE) return page.words.map(tinyCause);
  const boxes = page.words.map((word) => ({
    left: Math.max(0, Math.floor(word.left * across)),
    right: Math.min(image.width, Math.ceil(word.right * across)),
    top: Math.max(0, Math.floor(word.top * down)),
    bottom: Math.min(image.height, Math.ceil(word.bottom * down)),
  }));
  const isComparable = without?.width === image.width && without.height === image.height;
  const marks = isComparable ? boxes.map((box) => differs(image, without, box)) : undefined;
  const contrasts = (): boolean[] => boxes.map((box) => hasContrast(image, box));
  const seen = marks && !(isSuspect(marks) && !hasPicture) ? marks : contrasts();
  const covered = coveredWords(page.words, boxes, image);
  return page.words.map((word, at) =>
    seen[at] === true && !covered.has(at) ? tinyCause(word) : 'no-mark',
  );
}

/** Words that may overlap: lines apart are compared only with their neighbours. */
const BAND_PIXELS = 64;
/** Words of a band that each word is compared with. */
const MAX_OVERLAPS = 2_000;
/** Share of a word that other letters must lie on. */
const COVERED = 0.5;

/**
 * Words under the letters of others: what they share with another word has no mark in it, be it all black under a
 * letter that is a block, or nothing at all.
 */
function coveredWords(
  words: readonly Word[],
  boxes: readonly Box[],
  image: Raster,
): ReadonlySet<number> {
  const covered = new Set<number>();
  const bands = new Map<number, number[]>();
  boxes.forEach((box, at) => {
    for (let band = bandOf(box.top); band <= bandOf(box.bottom); band++) {
      const known = bands.get(band);
      if (!known) bands.set(band, [at]);
      else if (known.length < MAX_OVERLAPS) known.push(at);
    }
  });
  boxes.forEach((box, at) => {
    const others = bands.get(bandOf((box.top + box.bottom) / 2)) ?? [];
    const isCovered = others.some((other) => {
      const shared = other === at ? undefined : sharedBox(box, boxes[other]);
      return (
        shared !== undefined &&
        words[other]?.text !== words[at]?.text &&
        areaOf(shared) >= COVERED * areaOf(box) &&
        areaOf(shared) > MIN_SHARED_PIXELS &&
        !hasContrast(image, shared)
      );
    });
    if (isCovered) covered.add(at);
  });
  return covered;
}

/** Fewer pixels tell nothing. */
const MIN_SHARED_PIXELS = 12;

const bandOf = (y: number): number => Math.floor(y / BAND_PIXELS);
const areaOf = ({ left, right, top, bottom }: Box): number =>
  Math.max(0, right - left) * Math.max(0, bottom - top);

/** What two boxes share, without its edge, which letters do not reach. */
function sharedBox(one: Box, other: Box | undefined): Box | undefined {
  if (!other) return undefined;
  const box = {
    left: Math.max(one.left, other.left) + 1,
    right: Math.min(one.right, other.right) - 1,
    top: Math.max(one.top, other.top) + 1,
    bottom: Math.min(one.bottom, other.bottom) - 1,
  };
  return box.left < box.right && box.top < box.bottom ? box : undefined;
}

/** Where hardly a word leaves a mark, there must be a picture that shows them, else the copy is to blame. */
function isSuspect(marks: readonly boolean[]): boolean {
  return marks.filter((mark) => !mark).length * 2 > marks.length;
}

function tinyCause({ top, bottom }: Word): HiddenCause | undefined {
  return bottom - top < TINY_POINTS ? 'tiny-text' : undefined;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function differs(image: Raster, other: Raster, { left, right, top, bottom }: Box): boolean {
  for (let y = top; y < bottom; y++)
    for (let at = y * image.width + left; at < y * image.width + right; at++)
      if (Math.abs((image.pixels[at] ?? 0) - (other.pixels[at] ?? 0)) >= NO_DIFFERENCE) return true;
  return false;
}

function hasContrast({ pixels, width }: Raster, { left, right, top, bottom }: Box): boolean {
  let [low, high] = [255, 0];
  for (let y = top; y < bottom; y++)
    for (let at = y * width + left; at < y * width + right; at++) {
      const value = pixels[at] ?? 0;
      if (value < low) low = value;
      if (value > high) high = value;
      if (high - low >= NO_DIFFERENCE) return true;
    }
  return false;
}

/** Draws pages in grey; each is read when it is asked for. */
async function rasterize(
  pdfPath: string,
  prefix: string,
  first: number,
  pages: readonly PageWords[],
): Promise<{ read(page: number): Promise<Raster | undefined> }> {
  const resolution = first > FINE_PAGES ? COARSE_DPI : RESOLUTION_DPI;
  for (const { from, to, isLarge } of groups(pages, first)) {
    const size = isLarge ? ['-scale-to', String(LARGE)] : ['-r', String(resolution)];
    await runProgram('pdftoppm', [
      ...['-gray', '-cropbox', ...size, '-f', String(from), '-l', String(to)],
      ...[pdfPath, prefix],
    ]);
  }
  const folder = join(prefix, '..');
  const base = prefix.slice(folder.length + 1);
  const files = new Map(
    (await readdir(folder)).flatMap((file): [number, string][] => {
      const page = file.startsWith(`${base}-`) ? /(\d+)\.pgm$/u.exec(file)?.[1] : undefined;
      return page === undefined ? [] : [[Number(page), join(folder, file)]];
    }),
  );
  return {
    read: async (page) => {
      const file = files.get(page);
      return file === undefined ? undefined : parsePgm(await readFile(file));
    },
  };
}

/** Runs of pages of ordinary or of large size; pages without words are left out. */
function groups(
  pages: readonly PageWords[],
  first: number,
): { from: number; to: number; isLarge: boolean }[] {
  const runs: { from: number; to: number; isLarge: boolean }[] = [];
  pages.forEach(({ width, height, words }, index) => {
    if (words.length === 0) return;
    const page = first + index;
    const isLarge = Math.max(width, height) > LARGE;
    const last = runs.at(-1);
    if (last?.isLarge === isLarge && last.to === page - 1) last.to = page;
    else runs.push({ from: page, to: page, isLarge });
  });
  return runs;
}

/** A grey picture as poppler writes it: `P5 width height 255` and a byte a pixel. */
function parsePgm(file: Buffer): Raster | undefined {
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/u.exec(file.subarray(0, 64).toString('latin1'));
  if (!head) return undefined;
  return {
    width: Number(head[1]),
    height: Number(head[2]),
    pixels: file.subarray(head[0].length),
  };
}
