import { RENDER_LIMITS } from '../limits';
import { runProgram } from '../program';
import { type Rendering } from '../rendering';

/** A page with fewer letters than this that are seen, and a picture, is taken for a picture of a page. */
export const MIN_LETTERS = 20;

/** Pages that are pictures are read by OCR, as a hint that is labelled so. */
export async function addOcr(pictures: readonly number[], rendering: Rendering): Promise<void> {
  if (pictures.length === 0) return;
  rendering.facts['imagePages'] = pictures.join(',');
  rendering.counts['imagePages'] = pictures.length;
  const read = pictures.slice(0, RENDER_LIMITS.ocrPages);
  if (read.length < pictures.length)
    rendering.truncate(
      `OCR is done on the first ${read.length} of ${pictures.length} picture pages`,
    );
  for (const page of read) {
    const image = rendering.pages.find((each) => each.page === page);
    if (!image) continue;
    const text = await recognize(image.jpeg);
    if (text === undefined) rendering.truncate(`OCR of page ${page} was stopped at its time limit`);
    else rendering.addText({ kind: 'page', page }, text, { label: 'OCR' });
  }
}

/** `undefined` when the time is up. Spaces between Chinese characters are the program's, not the page's. */
async function recognize(jpeg: Uint8Array): Promise<string | undefined> {
  const end = await runProgram(
    'tesseract',
    ['stdin', 'stdout', '-l', 'eng+chi_sim', '--psm', '3'],
    { input: jpeg, environment: { OMP_THREAD_LIMIT: '1' } },
  );
  if (end.timedOut) return undefined;
  return end.standardOutput
    .toString('utf8')
    .replace(/(?<=\p{Script=Han}) +(?=\p{Script=Han})/gu, '')
    .trim();
}
