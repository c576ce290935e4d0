import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { createOfficeTools } from '../../../activities/evidence/render/office';
import { Entries } from '../../../activities/evidence/render/pdf/entries';
import { addFontList, readStructure } from '../../../activities/evidence/render/pdf/facts';
import { openStructure } from '../../../activities/evidence/render/pdf/open-structure';
import { readInfo, readPages, readWords } from '../../../activities/evidence/render/pdf/poppler';
import { readPdf } from '../../../activities/evidence/render/pdf/read-pdf';
import { Rendering } from '../../../activities/evidence/render/rendering';

/** Seconds of one reading of a PDF by what they went into. */
export interface PdfParts {
  /** Structure, fonts, lines in both orders and the boxes of all words. */
  readonly text: number;
  /** The rest: which words a reader does not see, tables, and what becomes the view. */
  readonly unseenWords: number;
  readonly pageImages: number;
  readonly images: number;
  readonly segments: number;
}

/**
 * Runs in the renderer container: `node pdf-parts.js SOURCE`. The reader calls `pending` once it knows the pages, and
 * draws them next: from there to the last picture is the time of the images. The text's own time is that of a second
 * reading of it alone.
 */
async function main(source: string): Promise<PdfParts> {
  const scratch = await mkdtemp('/tmp/parts-');
  const rendering = new Rendering('pdf');
  let drawingFrom: number | undefined;
  let drawnAt = 0;
  const { pages } = rendering;
  const push = pages.push.bind(pages);
  pages.push = (...added) => {
    drawnAt = performance.now();
    return push(...added);
  };
  const started = performance.now();
  await readPdf(source, {
    named: 'pdf',
    tools: { scratch, office: createOfficeTools(join('/opt', 'startupbench'), scratch) },
    started: () => rendering,
    pending: async () => {
      drawingFrom ??= performance.now();
    },
  });
  const total = performance.now() - started;
  const drawing = drawnAt - (drawingFrom ?? drawnAt);
  const text = await textAlone(source);
  const seconds = {
    text: text / 1000,
    unseenWords: (total - drawing - text) / 1000,
    pageImages: drawing / 1000,
  };
  return { ...seconds, images: pages.length, segments: rendering.segments.length };
}

/** Milliseconds. */
async function textAlone(source: string): Promise<number> {
  const rendering = new Rendering('pdf');
  const started = performance.now();
  await readInfo(source);
  const { pages } = await readPages(source, 'layout');
  await readPages(source, 'raw');
  const words = await readWords(source, { first: 1, last: pages.length });
  if (words.length !== pages.length) throw new Error(`${words.length} of ${pages.length} pages`);
  const document = await openStructure(source, rendering);
  const entries = new Entries(rendering);
  if (document) readStructure(document, { pages, seenWords: undefined }, entries, rendering);
  await addFontList(source, entries, rendering);
  return performance.now() - started;
}

main(process.argv[2] ?? '').then(
  (parts) => console.log(JSON.stringify(parts)),
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
