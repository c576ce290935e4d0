import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PDFDocument } from 'pdf-lib';
import { addPages } from '../add-pages';
import { messageOf } from '../package';
import { type RenderContext, type RenderTools, needed } from '../render-context';
import { type Rendering } from '../rendering';
import { type ConcealedWords, type FindConcealed, concealedWords } from './concealed';
import { damageOf } from './damage';
import { Entries } from './entries';
import { addFontList, noteInfo, readStructure } from './facts';
import { MIN_LETTERS, addOcr } from './ocr';
import { openStructure } from './open-structure';
import {
  type PageText,
  type SeenText,
  addPageText,
  mayHaveColumns,
  readsInColumns,
} from './page-text';
import { type PdfPicture, readInfo, readPages, readPictures, readWords } from './poppler';
import { SeenWords } from './seen-words';
import { findTables } from './tables';
import { dropText } from './variants';
import { findUnseenWords, rangesOf } from './visibility';

/**
 * Text, structure and page images of a PDF: text and pixels by poppler, structure by pdf-lib, page counts by both.
 * Throws `Unreadable`.
 */
export async function readPdf(sourcePath: string, context: RenderContext): Promise<void> {
  const rendering = context.started('pdf');
  const tools = needed(context.tools);
  const info = await readInfo(sourcePath);
  const { pages, isCut } = await readPages(sourcePath, 'layout');
  rendering.counts['pages'] = pages.length;
  if (isCut) rendering.truncate('text beyond what one program may print is left out');
  noteInfo({ info, damage: await damageOf(sourcePath) }, pages.length, isCut, rendering);
  await context.pending();
  await addPages(sourcePath, rendering, tools);
  const entries = new Entries(rendering);
  const document = await openStructure(sourcePath, rendering);
  const seenWords = document && seenWordsOf(document);
  if (document) readStructure(document, { pages, seenWords }, entries, rendering);
  const find = document && (await concealedOf(document, rendering, tools));
  const seen = await addText(sourcePath, pages, { find, seenWords, rendering, tools });
  const inColumns = await addRawOrder(sourcePath, pages, rendering);
  const pictures = await readPictures(sourcePath, { first: 1, last: pages.length });
  addPictures(pictures, entries, rendering);
  addTables(seen, inColumns, entries, rendering);
  await addFontList(sourcePath, entries, rendering);
  entries.write();
  await context.pending();
  await addOcr(unreadPages(seen, pictures, rendering), rendering);
}

/** `undefined` where the pages' boxes cannot be read, which is said elsewhere. */
function seenWordsOf(document: PDFDocument): SeenWords | undefined {
  try {
    return new SeenWords(document);
  } catch {
    return undefined;
  }
}

async function concealedOf(
  document: PDFDocument,
  rendering: Rendering,
  { scratch }: RenderTools,
): Promise<FindConcealed | undefined> {
  try {
    return await concealedWords(document, scratch);
  } catch (error) {
    rendering.warn(
      `words outside of pages and on layers cannot be looked for: ${messageOf(error).slice(0, 200)}`,
    );
    return undefined;
  }
}

interface TextContext {
  readonly find: FindConcealed | undefined;
  readonly seenWords: SeenWords | undefined;
  readonly rendering: Rendering;
  readonly tools: RenderTools;
}

/** Lines of all pages; gives what is seen of each. */
async function addText(
  sourcePath: string,
  pages: readonly string[],
  { find, seenWords, rendering, tools }: TextContext,
): Promise<SeenText[]> {
  const silent = await silentCopy(sourcePath, rendering, tools);
  const seen: SeenText[] = [];
  let checked = 0;
  for (const range of rangesOf(pages.length)) {
    // Text beyond the limit is not in the view.
    if (rendering.facts['textTruncated'] === true) break;
    const words = await readWords(sourcePath, range);
    const concealed = find ? await find(range, words) : [];
    const some = { first: range.first, pages: words };
    const causes = await findUnseenWords(sourcePath, silent, some, tools.scratch);
    pages.slice(range.first - 1, range.last).forEach((layout, index) => {
      const { outside = [], onLayers = [] } = concealed[index] ?? {};
      const page = { layout, words: words[index], causes: causes[index], outside };
      const number = range.first + index;
      if (page.words && page.causes) seenWords?.keep(number, page.words, page.causes);
      seen.push(addPageText(number, page, rendering));
      // What the layout does not have is left in the list.
      addConcealed(number, { outside, onLayers }, rendering);
    });
    checked = range.last;
  }
  for (const [index, layout] of pages.entries())
    if (index >= checked) seen.push(addPageText(index + 1, unchecked(layout), rendering));
  if (checked < pages.length && rendering.facts['textTruncated'] !== true)
    noteUnchecked(checked, pages.length, rendering);
  return seen;
}

function unchecked(layout: string): PageText {
  return { layout, words: undefined, causes: undefined, outside: [] };
}

function noteUnchecked(checked: number, pages: number, rendering: Rendering): void {
  rendering.facts['uncheckedPages'] = `${checked + 1}-${pages}`;
  rendering.warn(
    `whether a reader sees the words is checked on pages 1 to ${checked} and taken for granted beyond`,
  );
}

function addConcealed(page: number, words: ConcealedWords, rendering: Rendering): void {
  const place = { kind: 'page' as const, page };
  rendering.addText(place, words.outside.join(' '), {
    cause: 'off-page',
    label: 'outside of the page',
  });
  rendering.addText(place, words.onLayers.join(' '), {
    cause: 'layer-off',
    label: 'on a layer that is off',
  });
}

/** A copy that draws no text; `undefined` where pdf-lib cannot make one, which is said. */
async function silentCopy(
  sourcePath: string,
  rendering: Rendering,
  { scratch }: RenderTools,
): Promise<string | undefined> {
  const document = await openStructure(sourcePath, rendering);
  if (!document) return undefined;
  try {
    const left = dropText(document);
    if (left > 0) throw new Error(`${left} streams are packed in a way that is not read`);
    const path = join(scratch, 'silent.pdf');
    await writeFile(path, await document.save({ useObjectStreams: false }));
    return path;
  } catch (error) {
    rendering.warn(
      `words that a picture covers may count as seen: ${messageOf(error).slice(0, 200)}`,
    );
    return undefined;
  }
}

/** The order in which the file draws its words, for pages where it is another one. Gives it by page. */
async function addRawOrder(
  sourcePath: string,
  pages: readonly string[],
  rendering: Rendering,
): Promise<ReadonlyMap<number, string>> {
  if (!pages.some(mayHaveColumns)) return new Map();
  const { pages: raw } = await readPages(sourcePath, 'raw');
  const inColumns = pages.flatMap((layout, index) =>
    readsInColumns(layout, raw[index] ?? '') ? [index + 1] : [],
  );
  if (inColumns.length === 0) return new Map();
  rendering.counts['pagesInColumns'] = inColumns.length;
  const hidden = new Set(
    rendering.segments.flatMap(({ cause, locator }) =>
      cause !== undefined && locator.kind === 'page' ? [locator.page] : [],
    ),
  );
  for (const page of inColumns)
    // Hidden words cannot be told apart in this order.
    if (!hidden.has(page))
      rendering.addText({ kind: 'page', page }, (raw[page - 1] ?? '').trim(), {
        label: 'raw order',
      });
  return new Map(inColumns.map((page) => [page, raw[page - 1] ?? '']));
}

/** Where tables stand, as far as the layout tells. */
function addTables(
  pages: readonly SeenText[],
  inColumns: ReadonlyMap<number, string>,
  entries: Entries,
  rendering: Rendering,
): void {
  pages.forEach(({ layout }, index) => {
    for (const { from, to, rows, columns } of findTables(layout, inColumns.get(index + 1))) {
      rendering.count('tables');
      entries.add(
        'tables',
        `page ${index + 1}, lines ${from} to ${to}: ${rows} rows, ${columns} columns`,
        { isDescription: true },
      );
    }
  });
}

const POINTS_PER_CM = 72 / 2.54;
/** Some programs cut a picture into pieces or strips: smaller ones are counted apart. */
const MIN_PICTURE_CM = 0.5;

/** Pictures with the page that each stands on, and their size there. */
function addPictures(
  pictures: readonly PdfPicture[],
  entries: Entries,
  rendering: Rendering,
): void {
  for (const { page, widthPixels, heightPixels, widthPoints, heightPoints } of pictures) {
    const [across, down] = [widthPoints / POINTS_PER_CM, heightPoints / POINTS_PER_CM];
    if (Math.min(across, down) < MIN_PICTURE_CM) {
      rendering.count('imagePieces');
      continue;
    }
    rendering.count('images');
    entries.add(
      'pictures',
      `page ${page}: ${widthPixels} x ${heightPixels} pixels, ${across.toFixed(1)} x ${down.toFixed(1)} cm`,
      { isDescription: true },
    );
  }
}

/** Pages whose words are in their pictures or drawn as shapes: hardly a letter that is seen, and something to see. */
function unreadPages(
  pages: readonly SeenText[],
  pictures: readonly PdfPicture[],
  rendering: Rendering,
): number[] {
  const withPicture = new Set(pictures.map(({ page }) => page));
  const drawn = new Set(
    rendering.pages.flatMap(({ page, isBlank }) => (isBlank === true ? [] : [page])),
  );
  return pages.flatMap(({ letters }, index) => {
    const isPicture = letters < MIN_LETTERS && withPicture.has(index + 1);
    return isPicture || (letters === 0 && drawn.has(index + 1)) ? [index + 1] : [];
  });
}
