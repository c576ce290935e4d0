import { constants, inflateSync } from 'node:zlib';
import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFNumber, PDFRawStream } from 'pdf-lib';

/** A stream that inflates beyond this is left as it is. */
const MAX_STREAM_BYTES = 16 * 1024 * 1024;
/** How far around a page is looked for text, in points: as far as a page can be large. */
const AROUND_POINTS = 14_400;

/**
 * Makes the document draw no text, and nothing else differently: what its pages show less than before is what its
 * words leave as marks. Gives how many streams could not be looked into: with any, the copy proves nothing.
 */
export function dropText(document: PDFDocument): number {
  const { context } = document;
  let left = 0;
  emptyAnnotations(document);
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream) || !mayDrawText(object)) continue;
    const content = unpackedStream(object)?.toString('latin1');
    if (content === undefined) {
      left++;
      continue;
    }
    const silenced = silence(content);
    if (silenced === content) continue;
    const dict = object.dict.clone(context);
    dict.delete(PDFName.of('Filter'));
    dict.delete(PDFName.of('DecodeParms'));
    const bytes = Buffer.from(silenced, 'latin1');
    dict.set(PDFName.of('Length'), PDFNumber.of(bytes.length));
    context.assign(ref, PDFRawStream.of(dict, bytes));
  }
  return left;
}

const [AP, CONTENTS, VALUE, PARENT] = ['AP', 'Contents', 'V', 'Parent'].map((key) =>
  PDFName.of(key),
) as [PDFName, PDFName, PDFName, PDFName];
/** Fields above a field. */
const MAX_PARENTS = 20;

/** Remarks and fields that bring no appearance get one from whoever shows them: without words, it has none. */
function emptyAnnotations({ context }: PDFDocument): void {
  for (const [, object] of context.enumerateIndirectObjects()) {
    const page = object instanceof PDFDict ? object.lookup(PDFName.of('Annots')) : undefined;
    if (!(page instanceof PDFArray)) continue;
    for (let at = 0; at < page.size(); at++) {
      const annotation = page.lookup(at);
      if (!(annotation instanceof PDFDict) || annotation.has(AP)) continue;
      if (annotation.get(PDFName.of('Subtype')) === PDFName.of('FreeText'))
        for (const words of [CONTENTS, PDFName.of('RC')]) annotation.delete(words);
      if (annotation.get(PDFName.of('Subtype')) === PDFName.of('Widget')) emptyField(annotation);
    }
  }
}

/** The value may be that of a field above. */
function emptyField(field: PDFDict): void {
  let each: PDFDict | undefined = field;
  for (let depth = 0; each && depth < MAX_PARENTS; depth++) {
    each.delete(VALUE);
    const parent: unknown = each.lookup(PARENT);
    each = parent instanceof PDFDict ? parent : undefined;
  }
}

/** Pages' contents, forms and patterns; never pictures, fonts and tables of the file itself. */
function mayDrawText({ dict }: PDFRawStream): boolean {
  const subtype = dict.get(PDFName.of('Subtype'));
  const type = dict.get(PDFName.of('Type'));
  if (subtype === PDFName.of('Form') || dict.has(PDFName.of('PatternType'))) return true;
  return subtype === undefined && type === undefined && !dict.has(PDFName.of('FunctionType'));
}

/** The stream's content; `undefined` where it is packed in a way that is not read here, or without end. */
export function unpackedStream({ dict, contents }: PDFRawStream): Buffer | undefined {
  const filters = filtersOf(dict);
  if (filters === undefined || dict.lookup(PDFName.of('DecodeParms')) instanceof PDFDict)
    return undefined;
  try {
    return filters.reduce<Buffer>(unpack, Buffer.from(contents));
  } catch {
    return undefined;
  }
}

function filtersOf(dict: PDFDict): string[] | undefined {
  const filter = dict.lookup(PDFName.of('Filter'));
  if (filter === undefined) return [];
  const names = filter instanceof PDFArray ? filter.asArray() : [filter];
  const texts = names.map((each) => (each instanceof PDFName ? each.decodeText() : ''));
  return texts.every((text) =>
    /^(?:FlateDecode|Fl|ASCII85Decode|A85|ASCIIHexDecode|AHx)$/u.test(text),
  )
    ? texts
    : undefined;
}

function unpack(bytes: Buffer, filter: string): Buffer {
  if (filter.startsWith('F'))
    return inflateSync(bytes, {
      maxOutputLength: MAX_STREAM_BYTES,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
  const text = bytes.toString('latin1').replace(/\s/gu, '');
  if (filter === 'ASCIIHexDecode' || filter === 'AHx')
    return Buffer.from(text.replace(/>.*$/u, ''), 'hex');
  return decodeAscii85(text);
}

/** Five letters stand for four bytes; `z` for four zeros; the last group may be shorter. */
function decodeAscii85(text: string): Buffer {
  const letters = text
    .replace(/^<~/u, '')
    .replace(/~>?.*$/u, '')
    .replaceAll('z', '!!!!!');
  const output = Buffer.alloc(Math.ceil(letters.length / 5) * 4);
  let length = 0;
  for (let at = 0; at < letters.length; at += 5) {
    const group = letters.slice(at, at + 5);
    let value = 0;
    for (let index = 0; index < 5; index++)
      value = value * 85 + (index < group.length ? group.charCodeAt(index) - 33 : 84);
    output.writeUInt32BE(value % 2 ** 32, length);
    length += group.length - 1;
  }
  return output.subarray(0, length);
}

/** Operators that show text become ones that no reader knows; unknown operators are skipped. */
function silence(content: string): string {
  return content
    .replace(/(?<=[\]\s)>])(T[Jj])(?=[\s/[(<%]|$)/gu, 'X0')
    .replace(/(?<=[)>]\s*)['"](?=[\s/[(<%]|$)/gu, 'X0');
}

/** Shows all layers, and the surroundings of each page with it. Gives the box of each page as it was. */
export function revealAll(document: PDFDocument): {
  readonly boxes: PageBox[];
  readonly hasLayers: boolean;
} {
  const hasLayers = document.catalog.delete(PDFName.of('OCProperties'));
  const boxes = document.getPages().map((page) => {
    const box = visibleBox(page.node);
    page.node.delete(PDFName.of('CropBox'));
    page.node.delete(PDFName.of('Rotate'));
    page.node.set(PDFName.of('Rotate'), PDFNumber.of(0));
    page.node.delete(PDFName.of('UserUnit'));
    page.setMediaBox(
      box.left - AROUND_POINTS,
      box.bottom - AROUND_POINTS,
      box.width + 2 * AROUND_POINTS,
      box.height + 2 * AROUND_POINTS,
    );
    return box;
  });
  return { boxes, hasLayers };
}

export interface PageBox {
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/** Whether a word of the revealed page lies outside of what the page itself shows. */
export function isOutside(
  word: { left: number; top: number; right: number; bottom: number },
  { width, height }: PageBox,
): boolean {
  return (
    word.right < AROUND_POINTS ||
    word.left > AROUND_POINTS + width ||
    word.bottom < AROUND_POINTS ||
    word.top > AROUND_POINTS + height
  );
}

/** Whether the page's edge goes through a word of the revealed page. */
export function isCut(
  word: { left: number; top: number; right: number; bottom: number },
  { width, height }: PageBox,
): boolean {
  return (
    word.left < AROUND_POINTS ||
    word.right > AROUND_POINTS + width ||
    word.top < AROUND_POINTS ||
    word.bottom > AROUND_POINTS + height
  );
}

type PageNode = ReturnType<PDFDocument['getPages']>[number]['node'];

/** The part of a page that is shown: its crop box within its media box. */
export function visibleBox(node: PageNode): PageBox {
  const media = rectangle(node.MediaBox());
  const crop = node.CropBox();
  const inner = crop ? rectangle(crop) : media;
  const left = Math.max(media.left, inner.left);
  const bottom = Math.max(media.bottom, inner.bottom);
  const right = Math.min(media.left + media.width, inner.left + inner.width);
  const top = Math.min(media.bottom + media.height, inner.bottom + inner.height);
  return right > left && top > bottom
    ? { left, bottom, width: right - left, height: top - bottom }
    : media;
}

function rectangle(array: PDFArray): PageBox {
  const [x1, y1, x2, y2] = [0, 1, 2, 3].map((at) => {
    const value = array.lookup(at);
    return value instanceof PDFNumber ? value.asNumber() : 0;
  }) as [number, number, number, number];
  return {
    left: Math.min(x1, x2),
    bottom: Math.min(y1, y2),
    width: Math.abs(x2 - x1),
    height: Math.abs(y2 - y1),
  };
}
