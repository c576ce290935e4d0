import { readFile } from 'node:fs/promises';
import { EncryptedPDFError, PDFDict, PDFDocument, PDFName } from 'pdf-lib';
import { RENDER_LIMITS } from './limits';
import { addMetadata } from './metadata';
import { messageOf } from './package';
import { hiddenWordsByPage } from './pdf-hidden-words';
import { runProgram } from './program';
import { type Rendering, Unreadable } from './rendering';

/** A page with fewer letters than this and a picture is taken for a picture of a page. */
const MIN_LETTERS = 20;

/** Text of a PDF page by page, as poppler lays it out. Throws `Unreadable`. */
export async function readPdfText(sourcePath: string): Promise<string[]> {
  const end = await runProgram('pdftotext', ['-layout', '-enc', 'UTF-8', sourcePath, '-']);
  if (/Incorrect password/u.test(end.standardError))
    throw new Unreadable('encrypted', 'the PDF needs a password');
  if (end.timedOut) throw new Unreadable('refused', 'poppler was stopped at its time limit');
  if (end.exitCode !== 0)
    throw new Unreadable('corrupt', `poppler cannot read it: ${firstLine(end.standardError)}`);
  const pages = end.standardOutput.toString('utf8').split('\f');
  pages.pop();
  return pages;
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]?.slice(0, 200) ?? '';
}

/**
 * Adds lines with their page and number. Words that leave no mark on the page's image (white, outside the
 * page) and no visible twin on it are taken out of their line and kept as hidden text.
 */
export async function addPdfText(
  sourcePath: string,
  pages: readonly string[],
  rendering: Rendering,
): Promise<void> {
  const hidden = await hiddenWordsByPage(sourcePath, rendering.pages);
  pages.forEach((text, index) => {
    const page = index + 1;
    const lines = text.split('\n');
    while (lines.at(-1)?.trim() === '') lines.pop();
    lines.forEach((line, at) => {
      const place = { kind: 'page' as const, page, from: at + 1, to: at + 1 };
      const unseen = hidden.get(page);
      const { visible, concealed } = unseen
        ? splitLine(line, unseen)
        : { visible: line, concealed: '' };
      if (visible.trim() !== '') rendering.addText(place, visible.trimEnd());
      if (concealed !== '')
        rendering.addText(place, concealed, {
          visibility: 'hidden',
          label: 'leaves no mark on the page',
        });
    });
  });
}

function splitLine(
  line: string,
  unseen: ReadonlySet<string>,
): { visible: string; concealed: string } {
  const concealed: string[] = [];
  const visible = line.replace(/\S+/gu, (word) => {
    if (!unseen.has(word)) return word;
    concealed.push(word);
    return '';
  });
  return { visible, concealed: concealed.join(' ') };
}

/** Pages that are pictures are read by OCR, as a hint that is labelled so. */
export async function addOcr(
  sourcePath: string,
  pages: readonly string[],
  rendering: Rendering,
): Promise<void> {
  const pictures = await picturePages(sourcePath, pages);
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
    else if (text !== '') rendering.addText({ kind: 'page', page }, text, { label: 'OCR' });
  }
}

/** Pages with hardly a letter in their text layer and a picture on them. */
async function picturePages(sourcePath: string, pages: readonly string[]): Promise<number[]> {
  const scarce = pages.flatMap((text, index) =>
    text.replace(/\s/gu, '').length < MIN_LETTERS ? [index + 1] : [],
  );
  if (scarce.length === 0) return [];
  const end = await runProgram('pdfimages', ['-list', sourcePath]);
  const withPicture = new Set(
    [...end.standardOutput.toString().matchAll(/^\s*(\d+)\s+\d+\s+image\s/gmu)].map(([, page]) =>
      Number(page),
    ),
  );
  return scarce.filter((page) => withPicture.has(page));
}

/** `undefined` when the time is up. Spaces between Chinese characters are the program's, not the page's. */
export async function recognize(jpeg: Uint8Array): Promise<string | undefined> {
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

/** Counts and properties that poppler does not give. What cannot be read is a warning. */
export async function addPdfFacts(sourcePath: string, rendering: Rendering): Promise<void> {
  try {
    const document = await PDFDocument.load(await readFile(sourcePath), { updateMetadata: false });
    const poppler = rendering.counts['pages'];
    const pages = document.getPageCount();
    if (poppler !== undefined && poppler !== pages)
      rendering.warn(`poppler counts ${poppler} pages, pdf-lib ${pages}`);
    rendering.counts['pages'] ??= pages;
    const fields = document.getForm().getFields();
    if (fields.length > 0) rendering.counts['formFields'] = fields.length;
    const catalog = document.catalog;
    if (catalog.get(PDFName.of('OpenAction')) !== undefined) rendering.facts['openAction'] = true;
    const names = catalog.lookup(PDFName.of('Names'));
    if (names instanceof PDFDict) {
      if (names.has(PDFName.of('JavaScript'))) rendering.facts['javaScript'] = true;
      if (names.has(PDFName.of('EmbeddedFiles'))) rendering.facts['embeddedFiles'] = true;
    }
    addMetadata(
      [
        ['title', document.getTitle() ?? ''],
        ['author', document.getAuthor() ?? ''],
        ['subject', document.getSubject() ?? ''],
        ['keywords', document.getKeywords() ?? ''],
      ],
      rendering,
    );
  } catch (error) {
    if (error instanceof EncryptedPDFError) rendering.facts['encryptedWithoutPassword'] = true;
    else rendering.warn(`document properties cannot be read: ${messageOf(error).slice(0, 200)}`);
  }
}
