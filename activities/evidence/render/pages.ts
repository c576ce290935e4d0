import { mkdtemp, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { RENDER_LIMITS } from './limits';
import { type PageSource } from './office';
import { runProgram } from './program';
import { type Rendering } from './rendering';

interface PageSize {
  readonly page: number;
  readonly longEdgePoints: number;
}

/**
 * Page images of a PDF at 110 dpi, none wider or higher than 2,000 pixels, at most 60. Pages beyond that
 * are counted and said. Throws an Error where poppler makes no images.
 */
export async function renderPages(
  pdfPath: string,
  scratch: string,
  rendering: Rendering,
  sources: readonly PageSource[] = [],
): Promise<void> {
  const { total, sizes } = await readPageSizes(pdfPath);
  rendering.counts['pages'] = total;
  if (total > RENDER_LIMITS.pages)
    rendering.truncate(`page images of pages ${RENDER_LIMITS.pages + 1} to ${total} are left out`);
  const folder = await mkdtemp(join(scratch, 'pages-'));
  for (const group of groupBySize(sizes)) await rasterize(pdfPath, folder, group);
  const files = (await readdir(folder)).sort();
  const named = sourcesOfPages(sources, total);
  for (const file of files) {
    const page = Number(/(\d+)\.jpg$/u.exec(file)?.[1]);
    const source = named[page - 1];
    if (source?.hidden === true) continue;
    const jpeg = await readFile(join(folder, file));
    const { width, height } = await sharp(jpeg).metadata();
    const blank = await isBlank(jpeg);
    if (blank) rendering.warn(`page ${page} is blank`);
    rendering.pages.push({
      page,
      jpeg,
      widthPixels: width,
      heightPixels: height,
      ...(source === undefined ? {} : { source: source.name }),
      ...(blank ? { isBlank: true } : {}),
    });
  }
  rendering.pages.sort((left, right) => left.page - right.page);
  if (rendering.pages.length === 0) throw new Error('poppler made no page images');
}

/** Pages are named only where their number leaves no doubt which sheets they are. */
export function sourcesOfPages(
  sources: readonly PageSource[],
  total: number,
): readonly PageSource[] {
  const visible = sources.filter(({ hidden }) => !hidden);
  if (visible.length === total) return visible;
  const long = visible.findIndex(({ isLong }) => isLong === true);
  const source = visible[long];
  if (source && total > visible.length) {
    const more = Array<PageSource>(total - visible.length).fill(source);
    return [...visible.slice(0, long), ...more, ...visible.slice(long)];
  }
  return sources.length === total ? sources : [];
}

async function readPageSizes(pdfPath: string): Promise<{ total: number; sizes: PageSize[] }> {
  const end = await runProgram('pdfinfo', ['-f', '1', '-l', String(RENDER_LIMITS.pages), pdfPath]);
  const text = end.standardOutput.toString();
  const total = Number(/^Pages:\s+(\d+)/mu.exec(text)?.[1] ?? 0);
  if (total === 0)
    throw new Error(`poppler finds no page: ${end.standardError.trim().slice(-300)}`);
  const sizes = [...text.matchAll(/^Page\s+(\d+) size:\s+([\d.]+) x ([\d.]+) pts/gmu)].map(
    ([, page, width, height]) => ({
      page: Number(page),
      longEdgePoints: Math.max(Number(width), Number(height)),
    }),
  );
  return { total, sizes };
}

/** Runs of pages that one call can make: ordinary ones at the fixed resolution, oversized ones to a fixed edge. */
function groupBySize(sizes: readonly PageSize[]): { from: number; to: number; large: boolean }[] {
  const groups: { from: number; to: number; large: boolean }[] = [];
  for (const { page, longEdgePoints } of sizes) {
    const large =
      (longEdgePoints / 72) * RENDER_LIMITS.pageResolutionDpi > RENDER_LIMITS.imageEdgePixels;
    const last = groups.at(-1);
    if (last?.large === large && last.to === page - 1) last.to = page;
    else groups.push({ from: page, to: page, large });
  }
  return groups;
}

async function rasterize(
  pdfPath: string,
  folder: string,
  { from, to, large }: { from: number; to: number; large: boolean },
): Promise<void> {
  const size = large
    ? ['-scale-to', String(RENDER_LIMITS.imageEdgePixels)]
    : ['-r', String(RENDER_LIMITS.pageResolutionDpi)];
  const end = await runProgram('pdftoppm', [
    // What is cut off by the crop box is on no page that anybody sees.
    ...['-jpeg', '-cropbox', ...size, '-f', String(from), '-l', String(to)],
    ...[pdfPath, join(folder, 'page')],
  ]);
  if (end.timedOut) throw new Error('poppler was stopped at its time limit');
}

/** True where all of a page has one colour. */
async function isBlank(jpeg: Uint8Array): Promise<boolean> {
  const pixels = await sharp(jpeg).resize(400, 400, { fit: 'inside' }).greyscale().raw().toBuffer();
  let [low, high] = [255, 0];
  for (const value of pixels) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high - low < 8;
}
