import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { createOfficeTools } from '../../../activities/evidence/render/office';
import { readPdf } from '../../../activities/evidence/render/pdf/read-pdf';
import { Rendering } from '../../../activities/evidence/render/rendering';

/** Seconds of one reading of a PDF by what they went into. */
export interface PdfParts {
  readonly text: number;
  readonly pageImages: number;
  readonly images: number;
  readonly segments: number;
}

/**
 * Runs in the renderer container: `node pdf-parts.js SOURCE`. The reader calls `pending` once it knows the pages, and
 * draws them next: from there to the last picture is the time of the images, all else is the text's.
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
  const seconds = { text: (total - drawing) / 1000, pageImages: drawing / 1000 };
  return { ...seconds, images: pages.length, segments: rendering.segments.length };
}

main(process.argv[2] ?? '').then(
  (parts) => console.log(JSON.stringify(parts)),
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
