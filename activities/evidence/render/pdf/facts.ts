import { type PDFDocument } from 'pdf-lib';
import { addMetadata } from '../metadata';
import { messageOf } from '../package';
import { type Rendering } from '../rendering';
import { addAnnotations } from './annotations';
import { type Entries } from './entries';
import { addForms } from './forms';
import { type PdfInfo, readFonts } from './poppler';
import { type SeenPages } from './seen-words';
import { addActions, addAttachments, addLayers, addOutline } from './structure';

/** What the two programs of poppler say, and where they differ. */
export function noteInfo(
  { info, damage }: { readonly info: PdfInfo; readonly damage: string | undefined },
  textPages: number,
  isCut: boolean,
  rendering: Rendering,
): void {
  const counted = Number(info.get('Pages') ?? 0);
  if (counted !== textPages && !isCut)
    rendering.warn(`pdfinfo counts ${counted} pages, pdftotext gives ${textPages}`);
  if (isCut) rendering.counts['pages'] = counted;
  if (damage !== undefined) {
    rendering.facts['repaired'] = true;
    rendering.warn(`the file is damaged (${damage}) and was put together again; parts may be lost`);
  }
  if (/^yes/u.test(info.get('Encrypted') ?? '')) rendering.facts['encryptedWithoutPassword'] = true;
  const version = info.get('PDF version');
  if (version !== undefined) rendering.facts['pdfVersion'] = version;
  if (info.get('Tagged') === 'yes') rendering.facts['tagged'] = true;
  const size = info.get('Page size');
  if (size !== undefined) rendering.facts['pageSize'] = size;
}

/** Fonts, and whether the file brings them along. */
export async function addFontList(
  sourcePath: string,
  entries: Entries,
  rendering: Rendering,
): Promise<void> {
  const fonts = await readFonts(sourcePath);
  if (fonts.length === 0) return;
  rendering.counts['fonts'] = fonts.length;
  const foreign = fonts.filter(({ isEmbedded }) => !isEmbedded).length;
  if (foreign > 0) rendering.counts['fontsNotEmbedded'] = foreign;
  for (const { name, type, isEmbedded, isSubset, hasUnicode } of fonts) {
    const embedding = isEmbedded
      ? isSubset
        ? 'embedded as a subset'
        : 'embedded'
      : 'not embedded';
    const letters = hasUnicode ? '' : ', without a table of its letters';
    entries.add('fonts', `${name}: ${type}, ${embedding}${letters}`, { isDescription: true });
  }
}

/**
 * What pdf-lib reads of the file beside its text; what cannot be read is a warning each.
 *
 * @param pages their text, as they are laid out, and what a reader sees at places of them, once that is known
 * @param entries takes all of it but the counts and facts
 */
export function readStructure(
  document: PDFDocument,
  { pages, seenWords }: SeenPages,
  entries: Entries,
  rendering: Rendering,
): void {
  const steps: readonly (readonly [string, () => void])[] = [
    ['page count', () => comparePageCount(document, pages.length, rendering)],
    ['bookmarks', () => addOutline(document, entries, rendering)],
    ['annotations', () => addAnnotations(document, { pages, seenWords }, entries, rendering)],
    ['attachments', () => addAttachments(document, entries, rendering)],
    ['layers', () => addLayers(document, entries, rendering)],
    ['actions', () => addActions(document, entries, rendering)],
    [
      'properties',
      () => {
        const properties = propertiesOf(document);
        entries.last(() => addMetadata(properties, rendering));
      },
    ],
    ['form fields', () => addForms(document, seenWords, entries, rendering)],
  ];
  for (const [what, step] of steps)
    try {
      step();
    } catch (error) {
      rendering.warn(`${what} cannot be read: ${messageOf(error).slice(0, 200)}`);
    }
}

function comparePageCount(document: PDFDocument, pages: number, rendering: Rendering): void {
  const counted = document.getPageCount();
  const poppler = rendering.counts['pages'] ?? pages;
  rendering.facts['secondReading'] =
    counted === poppler ? 'pdf-lib counts the same pages' : 'pdf-lib counts otherwise';
  if (counted !== poppler) rendering.warn(`poppler counts ${poppler} pages, pdf-lib ${counted}`);
}

function propertiesOf(document: PDFDocument): (readonly [string, string])[] {
  return [
    ['title', document.getTitle() ?? ''],
    ['author', document.getAuthor() ?? ''],
    ['subject', document.getSubject() ?? ''],
    ['keywords', document.getKeywords() ?? ''],
    ['creator', document.getCreator() ?? ''],
    ['producer', document.getProducer() ?? ''],
  ];
}
